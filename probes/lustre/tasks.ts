import type { Judgement } from '../../src/model/system.ts';
import { age } from '../../src/text/ages.ts';
import { count, grouped } from '../../src/text/units.ts';
import type { Task, TasksReading } from './readings-tasks.ts';

/** A task with the client host that does it. */
export interface HostTask extends Task {
  host: string;
  /** Files a second over the last readings. */
  rate?: number;
  stale: boolean;
}

export const isRunning = ({ state }: Pick<Task, 'state'>): boolean =>
  state === 'listing' || state === 'migrating';

/** All tasks that any client tells of, the newest of each kind and target. */
export const tasksOf = ({ readings }: Pick<Judgement, 'readings'>): HostTask[] => {
  const all = readings.sources<TasksReading>('lustre.tasks').flatMap(({ host, good, before, state }) =>
    (good?.value.tasks ?? []).map((task): HostTask => {
      const then = before
        .flatMap((reading) =>
          reading.value.tasks
            .filter(({ id }) => id === task.id)
            .map(({ done }) => ({ done, mono: reading.mono })),
        )
        .at(-1);
      const seconds = then && good ? (good.mono - then.mono) / 1000 : 0;
      const rate = then && seconds > 0 ? (task.done - then.done) / seconds : undefined;
      return { ...task, host, stale: state !== 'fresh', ...(rate !== undefined && rate > 0 && { rate }) };
    }),
  );
  const newest = new Map<string, HostTask>();
  for (const task of all) {
    const key = `${task.kind} ${task.target}`;
    const before = newest.get(key);
    if (!before || (before.startedAt ?? 0) < (task.startedAt ?? 0)) newest.set(key, task);
  }
  return [...newest.values()];
};

export const taskOf = (kind: Task['kind'], target: string, judgement: Judgement): HostTask | undefined =>
  tasksOf(judgement).find((task) => task.kind === kind && task.target === target);

/** `migrating, 37 of 60 files moved (pass 1), 4.1 files/s, about 9 s left`. */
export const progressOf = (task: HostTask): string => {
  const { state, total, done, pass, rate, skipped, empty } = task;
  const moved = `${count(done, 'file')} moved`;
  const not = skipped > 0 ? `, ${grouped(skipped)} skipped` : '';
  if (state === 'listing')
    return pass <= 1
      ? 'listing files'
      : `listing again (pass ${pass}${empty > 0 ? ', the last list was empty' : ''}), ${moved}${not}`;
  if (state === 'migrating') {
    const speed =
      rate === undefined
        ? ''
        : `, ${rate.toFixed(1)} files/s, about ${age((Math.max(0, total - done) / rate) * 1000)} left`;
    return `migrating, ${grouped(done)} of ${count(Math.max(total, done), 'file')} moved (pass ${pass})${speed}${not}`;
  }
  if (state === 'done')
    return task.kind === 'drain'
      ? `no file left in two lists, ${moved}${not}`
      : task.kind === 'list'
        ? `${count(total, 'file')} found`
        : (task.result ?? 'done');
  if (state === 'stuck')
    return `stuck: ${count(total, 'file')} left that can't be moved (open, linked or not writable), ${moved}`;
  return `${state}${task.result === undefined ? '' : `: ${task.result}`}, ${moved}${not}`;
};
