import type { Sign } from '../../src/model/subject.ts';
import type { Judgement } from '../../src/model/system.ts';
import type { Cell, TableBlock } from '../../src/model/view.ts';
import { count } from '../../src/text/units.ts';
import { isClosed, orphansOf } from './find-tasks.ts';
import type { OstRow } from './rows.ts';
import { ostSubject } from './sentence.ts';
import { type HostTask, isRunning, progressOf, taskOf, tasksOf } from './tasks.ts';

const signs: Readonly<Record<HostTask['state'], Sign>> = {
  listing: 'notice',
  migrating: 'notice',
  done: 'fine',
  stuck: 'warning',
  failed: 'warning',
  cancelled: 'notice',
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
        ...(task.kind !== 'fid' && { subject: ostSubject(task.target) }),
        sign: signs[task.state],
        ...(task.stale && { stale: true }),
        cells: {
          task: { text: names[task.kind], sign: signs[task.state] },
          target: { text: task.target },
          host: { text: task.host },
          progress: { text: progressOf(task) },
          since:
            task.startedAt === undefined
              ? { text: '' }
              : { text: '', age: task.startedAt, sort: task.startedAt },
        },
        sources: [{ probe: 'lustre.tasks', host: task.host }],
      })),
      empty: 'none',
    },
  ];
};

/** The steps of a drain with their proof: what is reached, what is next (incident 3). Empty when nobody drains it. */
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
    step(empty, isRunning(task), `files moved: ${progressOf(task)}`),
    step(
      empty && orphans === 0,
      empty,
      `objects destroyed: ${orphans === undefined ? 'not known' : orphans === 0 ? 'all' : `${count(orphans, 'object')} to go`}`,
    ),
    step(
      empty,
      false,
      `proof: ${empty ? 'two lists in a row found no file' : `${task.empty} of 2 empty lists in a row`}`,
    ),
    step(
      false,
      empty && closed,
      `by hand on ${ost.oss ?? 'its OSS'}: keep CONFIGS, last_rcvd, LAST_ID; unmount; mkfs.lustre --replace --index=${ost.index}; mount`,
    ),
    step(
      !closed && empty,
      false,
      `return to service: ${!closed && empty ? 'done' : 'resume creates with the old values'}`,
    ),
  ];
};
