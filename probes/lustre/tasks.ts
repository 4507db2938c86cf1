import type { Source } from '../../src/model/reading.ts';
import type { Judgement } from '../../src/model/system.ts';
import { type HostTask, isOver } from './host-task.ts';
import { fsOf } from './names.ts';
import type { DfReading } from './readings.ts';
import type { Task, TasksReading } from './readings-tasks.ts';
import { rememberedTasks } from './task-memory.ts';

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
