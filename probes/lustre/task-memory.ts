import type { Track } from '../../src/model/history.ts';
import type { Judgement } from '../../src/model/system.ts';
import { type HostTask, isOver } from './host-task.ts';
import { fsOf } from './names.ts';
import { taskKinds, taskStates } from './readings-tasks.ts';

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
export const rememberedTasks = (
  hosts: readonly string[],
  { history, now }: Pick<Judgement, 'history' | 'now'>,
): HostTask[] =>
  hosts.flatMap((host) =>
    history
      .changedSince(`${prefix}${host} `, now - longest)
      .flatMap(({ series, points }) => remembered(series.slice(prefix.length), points.at(-1)) ?? []),
  );

const remembered = (name: string, last: { at: number; value: unknown } | undefined): HostTask | undefined => {
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
