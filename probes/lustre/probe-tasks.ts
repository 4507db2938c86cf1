import type { Answer } from '../../src/model/answer.ts';
import { CommandFailed } from '../../src/model/errors.ts';
import type { Probe } from '../../src/model/system.ts';
import { shellCommand } from '../../src/text/shell.ts';
import { known } from './param-table.ts';
import {
  type Task,
  type TasksReading,
  taskFolder,
  taskKinds,
  tasksSchema,
  taskStates,
} from './readings-tasks.ts';

const oneOf = <T extends string>(values: readonly T[], text: string | undefined): T | undefined =>
  values.find((value) => value === text);

const readTask = (text: string): Task | undefined => {
  const fields = new Map(
    text.split('\n').flatMap((line) => {
      const at = line.indexOf('=');
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1)] as const] : [];
    }),
  );
  const kind = oneOf(taskKinds, fields.get('kind'));
  const state = oneOf(taskStates, fields.get('state'));
  const target = fields.get('target');
  const id = fields.get('id');
  const figure = (name: string): number | undefined => {
    const value = fields.get(name) ?? '';
    return /^\d+$/.test(value) ? Number(value) : undefined;
  };
  const at = (name: string): number | undefined => {
    const seconds = figure(name);
    return seconds === undefined ? undefined : seconds * 1000;
  };
  if (!kind || !state || target === undefined || id === undefined) return undefined;
  return {
    kind,
    state,
    target,
    id,
    pass: figure('pass') ?? 0,
    total: figure('total') ?? 0,
    done: figure('done') ?? 0,
    skipped: figure('skipped') ?? 0,
    empty: figure('empty') ?? 0,
    ...known({
      mount: fields.get('mount'),
      work: fields.get('work'),
      result: fields.get('result'),
      startedAt: at('started'),
      updatedAt: at('updated'),
      endedAt: at('ended'),
    }),
  };
};

/** The state files, each behind its name as `tail -v` prints it. Without the folder there were never tasks. */
export const readTasks = ({
  stdout,
  stderr,
  exitCode,
}: Answer): { value: TasksReading; notUnderstood: number } => {
  const parts = stdout.split(/^==> .* <==$/m).slice(1);
  if (parts.length === 0 && exitCode !== 0 && !/No such file or directory/.test(stderr))
    throw new CommandFailed(
      'tasks',
      `find ${taskFolder}: ${stderr.trim().split('\n')[0] ?? `exit ${exitCode}`}`,
    );
  const tasks = parts.map(readTask);
  const good = tasks.filter((task) => task !== undefined);
  return { value: { tasks: good }, notUnderstood: tasks.length - good.length };
};

/** What tasks of any console are doing on a client: one small file each. */
export const tasksProbe: Probe<TasksReading> = {
  id: 'lustre.tasks',
  role: 'lustre-client',
  everyMs: 10_000,
  touches: 'nothing',
  keep: 12,
  ask: () => ({
    script: shellCommand([
      'find',
      taskFolder,
      '-maxdepth',
      '1',
      '-name',
      'lustre-*.task',
      '-exec',
      'tail',
      '-v',
      '-n',
      '40',
      '{}',
      '+',
    ]),
  }),
  read: readTasks,
  schema: tasksSchema,
};
