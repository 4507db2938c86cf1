import type { Answer } from '../../../src/model/answer.ts';
import { CommandFailed, ParseError } from '../../../src/model/errors.ts';
import type { Probe } from '../../../src/model/system.ts';
import { fieldsOf, firstLine } from '../../../src/kit/answers.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import {
  type Task,
  type TasksReading,
  taskFolder,
  taskKinds,
  tasksSchema,
  taskStates,
} from '../readings-tasks.ts';
import tasksScript from './tasks.sh';

const findKnown = <T extends string>(values: readonly T[], text: string | undefined): T | undefined =>
  values.find((value) => value === text);

type Fields = ReadonlyMap<string, string>;

const figure = (fields: Fields | undefined, name: string): number | undefined => {
  const value = fields?.get(name) ?? '';
  return /^\d+$/.test(value) ? Number(value) : undefined;
};

/** A state file and its sign of life; `hostNow`: the host's own clock, s. */
const readTask = (
  fields: Fields,
  beat: Fields | undefined,
  hostNow: number | undefined,
): Task | undefined => {
  const kind = findKnown(taskKinds, fields.get('kind'));
  const state = findKnown(taskStates, fields.get('state'));
  const target = fields.get('target');
  const id = fields.get('id');
  const count = (name: string): number => figure(fields, name) ?? 0;
  const placeOf = (name: string): number | undefined => {
    const seconds = figure(fields, name);
    return seconds === undefined ? undefined : seconds * 1000;
  };
  if (!kind || !state || target === undefined || id === undefined) return undefined;
  const lastBeat = figure(beat, 'beat');
  const [dirs, of, found] = ['dirs', 'of', 'found'].map((name) => figure(beat, name));
  const listing =
    dirs === undefined || of === undefined || found === undefined
      ? undefined
      : { dirs, of, found, seconds: Math.max(0, (lastBeat ?? 0) - (figure(fields, 'updated') ?? 0)) };
  return {
    kind,
    state,
    target,
    id,
    pass: count('pass'),
    total: count('total'),
    done: count('done'),
    base: count('base'),
    skipped: count('skipped'),
    empty: count('empty'),
    ...dropUndefined({
      listing,
      silentS: lastBeat === undefined || hostNow === undefined ? undefined : Math.max(0, hostNow - lastBeat),
      mount: fields.get('mount'),
      work: fields.get('work'),
      result: fields.get('result'),
      startedAt: placeOf('started'),
      updatedAt: placeOf('updated'),
      endedAt: placeOf('ended'),
    }),
  };
};

/** The files, each behind its name as `head -v` prints it. Without the folder there were never tasks; of a folder of somebody else's nothing is read. */
export const readTasks = ({
  stdout,
  stderr,
  exitCode,
}: Answer): { value: TasksReading; notUnderstood: number } => {
  const [head = '', ...rest] = stdout.split(/^==> (.*) <==$/m);
  const hostNow = figure(fieldsOf(head), 'now');
  const files = new Map<string, Fields>();
  for (let at = 0; at + 1 < rest.length; at += 2) files.set(rest[at] ?? '', fieldsOf(rest[at + 1] ?? ''));
  if (files.size === 0 && exitCode !== 0 && !/No such file or directory/.test(stderr))
    throw new CommandFailed('tasks', firstLine(stderr) || `find ${taskFolder}: exit ${exitCode}`);
  // `date` comes first and always prints: without its line this is another command's answer, or none.
  if (hostNow === undefined) throw new ParseError('tasks: the time of the host is missing', 'line 1', stdout);
  const tasks = [...files]
    .filter(([name]) => name.endsWith('.task'))
    .map(([name, fields]) => readTask(fields, files.get(name.replace(/\.task$/, '.beat')), hostNow));
  const good = tasks.filter((task) => task !== undefined);
  return { value: { tasks: good }, notUnderstood: tasks.length - good.length };
};

/** What tasks of any console are doing on a client. */
export const tasksProbe: Probe<TasksReading> = {
  id: 'lustre.tasks',
  role: 'lustre-client',
  everyMs: 10_000,
  touches: 'nothing',
  keep: 12,
  ask: () => ({ script: tasksScript }),
  read: readTasks,
  schema: tasksSchema,
};
