import type { Sign, Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Cell, TableBlock } from '../../../src/model/view.ts';
import { ageCell } from '../../../src/kit/rows.ts';
import { isClosed, orphansOf } from '../judge/find-tasks.ts';
import type { OstRow } from '../judge/rows.ts';
import { fsSubject, ostSubject } from '../judge/names.ts';
import { type HostTask, taskOf, tasksOf } from '../judge/tasks.ts';
import { progressOf } from '../judge/progress.ts';

const signs: Readonly<Record<HostTask['state'], Sign>> = {
  listing: 'notice',
  migrating: 'notice',
  done: 'fine',
  stuck: 'warning',
  failed: 'warning',
  cancelled: 'notice',
};

const signOf = ({ life, state }: HostTask): Sign =>
  life === 'silent' ? 'warning' : life === 'unknown' ? 'unknown' : signs[state];

/** Where the list is kept that a finished listing made. */
const resultPlace = ({ kind, state, work }: HostTask): string =>
  kind === 'list' && state === 'done' && work !== undefined ? `, in ${work}/list` : '';

/** A name asked for is acted on under its file system. */
const subjectOf = ({ kind, target, fs }: HostTask): { subject?: Subject } => {
  if (kind !== 'fid') return { subject: ostSubject(target) };
  return fs === undefined ? {} : { subject: fsSubject(fs) };
};

const names = { drain: 'drain', list: 'files on OST', fid: 'name of FID' } as const;

/** Drains, lists and names asked for, of any console; no block while there never were any. */
export const tasksTables = (judgement: Judgement): TableBlock[] => {
  const tasks = tasksOf(judgement);
  if (tasks.length === 0) return [];
  return [
    {
      type: 'table',
      id: 'tasks',
      title: 'Tasks',
      columns: [
        { id: 'task', title: 'TASK', min: 12 },
        { id: 'target', title: 'TARGET', min: 16 },
        { id: 'host', title: 'ON', min: 7 },
        { id: 'progress', title: 'PROGRESS', min: 30, grow: 1 },
        { id: 'since', title: 'SINCE', align: 'right', min: 8 },
      ],
      rows: tasks.map((task) => ({
        key: `${task.kind} ${task.target}`,
        ...subjectOf(task),
        sign: signOf(task),
        ...(task.life === 'unknown' && { stale: true }),
        cells: {
          task: { text: names[task.kind], sign: signOf(task) },
          target: { text: task.target },
          host: { text: task.host },
          progress: { text: `${progressOf(task, judgement.now)}${resultPlace(task)}` },
          since: ageCell(task.startedAt),
        },
        sources: [{ probe: 'lustre.tasks', host: task.host }],
      })),
      empty: 'none',
    },
  ];
};

/** The steps of a drain with their proof: what is reached, what is next. Empty when nobody drains it. */
export const drainSteps = (ost: OstRow, judgement: Judgement): Cell[] => {
  const task = taskOf('drain', ost.name, judgement);
  if (!task) return [];
  const closed = isClosed(ost);
  const orphans = orphansOf(ost);
  const empty = task.state === 'done';
  const step = (done: boolean, running: boolean, text: string): Cell => ({
    text,
    sign: done ? 'fine' : running ? 'notice' : 'unknown',
  });
  return [
    step(
      closed || (!closed && empty),
      false,
      `creates stopped: ${closed ? 'on every MDT' : empty ? 'no longer: back in service' : 'no'}`,
    ),
    step(empty, task.life === 'runs', `files moved: ${progressOf(task, judgement.now)}`),
    step(
      empty && orphans.gone,
      empty,
      `objects destroyed: ${orphans.text}${orphans.inactive ? ', which wait while it is inactive: activate it' : ''}`,
    ),
    step(
      empty,
      false,
      `proof: ${empty ? 'two lists in a row found no file' : `${task.empty} of 2 empty lists in a row`}`,
    ),
    step(
      false,
      empty && closed && orphans.gone,
      `by hand on ${ost.oss ?? 'its OSS'}: keep CONFIGS, last_rcvd, LAST_ID; unmount; mkfs.lustre --replace --index=${ost.index}; mount`,
    ),
    step(
      !closed && empty,
      false,
      `return to service: ${!closed && empty ? 'done' : 'resume creates with the old values'}`,
    ),
  ];
};
