import type { Track, Source } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fsOf } from './names.ts';
import type { DfReading } from '../readings.ts';
import { type Task, taskKinds, type TasksReading, taskStates } from '../readings-tasks.ts';

/** A task with the client host that does it. */
export interface HostTask extends Task {
  host: string;
  /** Its file system. */
  fs?: string;
  /**
   * `runs`: it gave a sign of life just now; `silent`: its host answers and it gives none, so it died; `unknown`: its host does
   * not answer; `over`: it ended.
   */
  life: 'runs' | 'silent' | 'unknown' | 'over';
  /** Files a second over the last readings. */
  rate?: number;
  /** UTC ms at which it was seen last. */
  seenAt: number;
  /** Not read by this console: what the history kept of it. `share`: how much was done, 0..1. */
  remembered?: { share?: number };
}

export const isOver = ({ state }: Pick<Task, 'state'>): boolean =>
  state !== 'listing' && state !== 'migrating';

/** The worker gives a sign of life every 10 s, s. */
const deadAfterS = 60;

type Look = Pick<Judgement, 'readings' | 'history' | 'now'>;

/**
 * All tasks that any client tells of, the newest of each kind and target; of clients that did not answer since this console
 * began, what earlier ones saw last.
 */
export const tasksOf = (judgement: Look): HostTask[] => {
  const sources = judgement.readings.sources<TasksReading>('lustre.tasks');
  const silent = sources.filter(({ good }) => good === undefined).map(({ host }) => host);
  const newest = new Map<string, HostTask>();
  for (const task of [
    ...sources.flatMap((source) => readTasks(source, judgement)),
    ...rememberedTasks(silent, judgement),
  ]) {
    const key = `${task.kind} ${task.target}`;
    const before = newest.get(key);
    if (!before || (before.startedAt ?? 0) < (task.startedAt ?? 0)) newest.set(key, task);
  }
  return [...newest.values()];
};

const readTasks = (source: Source<TasksReading>, { readings }: Look): HostTask[] => {
  const { host, good, before, state } = source;
  if (!good) return [];
  return good.value.tasks.map((task): HostTask => {
    const then = before.findLast(({ value }) => value.tasks.some(({ id }) => id === task.id));
    const was = then?.value.tasks.find(({ id }) => id === task.id);
    const seconds = then ? (good.mono - then.mono) / 1000 : 0;
    const rate = was && seconds > 0 ? (task.done - was.done) / seconds : 0;
    const fs = task.kind === 'fid' ? mountedAt(task.mount, host, readings) : fsOf(task.target);
    const dead = task.silentS !== undefined && task.silentS > deadAfterS;
    return {
      ...task,
      host,
      ...(fs !== undefined && { fs }),
      life: isOver(task) ? 'over' : state !== 'fresh' ? 'unknown' : dead ? 'silent' : 'runs',
      ...(rate > 0 && { rate }),
      seenAt: good.at,
    };
  });
};

const mountedAt = (
  mount: string | undefined,
  host: string,
  readings: Look['readings'],
): string | undefined => {
  const rows = readings.source<DfReading>('lustre.df', host)?.good?.value.targets;
  const row = rows?.find((one) => one.mount === mount && one.name !== undefined);
  return row?.name === undefined ? undefined : fsOf(row.name);
};

export const taskOf = (kind: Task['kind'], target: string, judgement: Look): HostTask | undefined =>
  tasksOf(judgement).find((task) => task.kind === kind && task.target === target);

const prefix = 'lustre/task/';
/** As long as the history keeps anything, ms. */
const longest = 30 * 86_400_000;

/** Series and value of a task's last known step, readable as they are in `What changed`. */
export const taskTrack = (task: HostTask): Track => {
  const share = shareOf(task);
  const percent = share === undefined ? '' : `, ${Math.floor(share * 10) * 10} %`;
  return {
    series: `${prefix}${task.host} ${task.kind} ${task.target}/state`,
    value: `${task.state}, pass ${task.pass}${percent}, run ${task.id}`,
  };
};

const shareOf = ({ state, total, done, base, listing }: HostTask): number | undefined => {
  if (state === 'migrating') return total > 0 ? Math.min(1, (done - base) / total) : undefined;
  if (state === 'listing') return listing && listing.of > 0 ? listing.dirs / listing.of : undefined;
  return undefined;
};

/** What the history keeps of tasks on hosts that this console could not read: where the work is, and how far it was. */
const rememberedTasks = (
  hosts: readonly string[],
  { history, now }: Pick<Judgement, 'history' | 'now'>,
): HostTask[] =>
  hosts.flatMap((host) =>
    history
      .listChanged(`${prefix}${host} `, now - longest)
      .flatMap(({ series, points }) => rememberTask(series.slice(prefix.length), points.at(-1)) ?? []),
  );

const rememberTask = (
  name: string,
  last: { at: number; value: unknown } | undefined,
): HostTask | undefined => {
  const [, host, word, target] = /^(\S+) (\S+) (.+)\/state$/.exec(name) ?? [];
  const [, step, pass, percent, id] =
    /^(\w+), pass (\d+)(?:, (\d+) %)?, run (\S+)$/.exec(String(last?.value)) ?? [];
  const kind = taskKinds.find((one) => one === word);
  const state = taskStates.find((one) => one === step);
  if (!last || host === undefined || target === undefined || !kind || !state || id === undefined)
    return undefined;
  const over = isOver({ state });
  return {
    kind,
    state,
    target,
    id,
    host,
    ...(kind !== 'fid' && { fs: fsOf(target) }),
    life: over ? 'over' : 'unknown',
    seenAt: last.at,
    remembered: percent === undefined ? {} : { share: Number(percent) / 100 },
    pass: Number(pass),
    total: 0,
    done: 0,
    base: 0,
    skipped: 0,
    empty: 0,
    // Its number begins with the second at which it was started.
    startedAt: Number(id.split('-')[0]) * 1000,
    ...(over && { endedAt: last.at }),
  };
};
