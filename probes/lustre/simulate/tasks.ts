import type { SimulatedAnswer } from '../../../src/model/simulator.ts';
import { migrate } from './lfs.ts';
import { mount, type SimOst, type SimState, users } from './state.ts';

/** Long work on the client: what its script would do, a little at a time. */
export interface SimTask {
  kind: string;
  target: string;
  id: string;
  startedAt: number;
  state: 'listing' | 'migrating' | 'done' | 'failed' | 'cancelled';
  pass: number;
  total: number;
  done: number;
  /** Files moved before this pass. */
  base: number;
  /** Files on the OST when this list began. */
  expected: number;
  empty: number;
  /** UTC ms up to which it has been played, and of the end of the list under way. */
  at: number;
  listedAt: number;
  endedAt?: number;
  result?: string;
}

const folder = '/var/tmp/faultline-tasks';
const listMs = 4_000;
const filesPerSecond = 3;

/** Plays the tasks on until now. */
export const advanceTasks = (state: SimState, tasks: readonly SimTask[], now: number): void => {
  for (const task of tasks) while (task.endedAt === undefined && doStep(state, task, now));
};

const ostOf = (state: SimState, name: string): SimOst | undefined =>
  state.osts.find((ost) => ost.name === name);

/** One step, if there is time for it. */
const doStep = (state: SimState, task: SimTask, now: number): boolean => {
  const ost = ostOf(state, task.target);
  if (task.state === 'listing') {
    if (now < task.listedAt) return false;
    task.at = task.listedAt;
    task.total = ost?.files.length ?? 0;
    if (task.kind === 'list') return endTask(task, 'done');
    task.empty = task.total === 0 ? task.empty + 1 : 0;
    if (task.empty >= 2) return endTask(task, 'done');
    if (task.total === 0) restartTask(task, 0);
    else {
      task.state = 'migrating';
      task.base = task.done;
    }
    return true;
  }
  const count = Math.floor(((now - task.at) / 1000) * filesPerSecond);
  if (count === 0) return false;
  const files = ost?.files.slice(0, count) ?? [];
  migrate(state, files.join('\n'));
  task.done += files.length;
  task.at += (count / filesPerSecond) * 1000;
  if ((ost?.files.length ?? 0) === 0) restartTask(task, 0);
  return true;
};

const restartTask = (task: SimTask, expected: number): void => {
  task.expected = expected;
  task.state = 'listing';
  task.pass += 1;
  task.listedAt = task.at + listMs;
};

const endTask = (task: SimTask, state: SimTask['state']): boolean => {
  task.state = state;
  task.endedAt = task.at;
  return false;
};

/** The scripts that start and cancel tasks, and reading what they left; undefined for what is none of it. */
export const taskCommand = (
  state: SimState,
  tasks: SimTask[],
  argv: readonly string[],
  now: number,
): SimulatedAnswer | undefined => {
  const [program, ...words] = argv;
  // Where the folders of tasks are looked for; nobody else has made one here.
  if (program === 'find' && words[0] === '/var/tmp/')
    return { stdout: words.includes('-exec') ? '' : `${folder}\n` };
  if (program === 'find' && words[0] === folder && words.includes('lustre-*.task'))
    return { stdout: tasks.flatMap((task) => [stateFile(task), beatFile(task, now)]).join('\n') };
  if (program !== 'sh' || words[0] !== '-s') return undefined;
  const [verb, kind = '', target = ''] = words.slice(2);
  const known = tasks.findIndex((task) => task.kind === kind && task.target === target);
  const running = tasks[known]?.endedAt === undefined ? tasks[known] : undefined;
  if (verb === 'lustre-cancel') {
    if (!running) return { stderr: 'no such task\n', exitCode: 1 };
    running.at = now;
    endTask(running, 'cancelled');
    return { mutated: true };
  }
  if (verb !== 'lustre-start') return undefined;
  if (running) return { stderr: 'it runs already\n', exitCode: 4 };
  if (known >= 0) tasks.splice(known, 1);
  const id = `${Math.floor(now / 1000)}-4711`;
  const task: SimTask = {
    kind,
    target,
    id,
    startedAt: now,
    state: 'listing',
    pass: 1,
    total: 0,
    done: 0,
    base: 0,
    expected: ostOf(state, target)?.files.length ?? 0,
    empty: 0,
    at: now,
    listedAt: now + listMs,
  };
  tasks.push(task);
  if (kind === 'fid') {
    task.result =
      state.osts[Number.parseInt(target.split(':')[1]?.slice(2) ?? '0', 16) % state.osts.length]?.files[0] ??
      `${mount}/?`;
    endTask(task, 'done');
  }
  return { stdout: `started ${id}\n`, mutated: true };
};

/** What the worker writes every ten seconds: here it is never late. */
const beatFile = (task: SimTask, now: number): string => {
  const seen = Math.min(now, task.endedAt ?? now);
  const share = task.state === 'listing' ? Math.min(1, 1 - (task.listedAt - seen) / listMs) : 1;
  const dirs = Math.floor(users.length * share);
  return [
    `==> ${folder}/lustre-${task.kind}-${task.target}.beat <==`,
    `beat=${Math.floor(seen / 1000)}`,
    `dirs=${dirs}`,
    `of=${users.length}`,
    `found=${task.state === 'listing' ? Math.floor((task.expected * dirs) / users.length) : task.total}`,
    '',
  ].join('\n');
};

const stateFile = (task: SimTask): string =>
  [
    `==> ${folder}/lustre-${task.kind}-${task.target}.task <==`,
    `kind=${task.kind}`,
    `target=${task.target}`,
    `mount=${mount}`,
    `id=${task.id}`,
    'pid=4711',
    `started=${Math.floor(task.startedAt / 1000)}`,
    `state=${task.state}`,
    `pass=${task.pass}`,
    `total=${task.total}`,
    `empty=${task.empty}`,
    `base=${task.base}`,
    `done=${task.done}`,
    'skipped=0',
    `updated=${Math.floor(task.at / 1000)}`,
    `work=${folder}/lustre-${task.kind}-${task.target}.work`,
    ...(task.result === undefined ? [] : [`result=${task.result}`]),
    ...(task.endedAt === undefined ? [] : [`ended=${Math.floor(task.endedAt / 1000)}`]),
    '',
  ].join('\n');
