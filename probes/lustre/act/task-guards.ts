import type { Guard } from '../../../src/model/action.ts';
import { failGuard, passGuard } from '../../../src/kit/guards.ts';
import { groupThousands, percent } from '../../../src/text/units.ts';
import { importsOf, readsAt, systemOf, type Target } from './targets.ts';
import { reachOf } from '../judge/reach.ts';
import { isClosed } from '../judge/find-tasks.ts';
import { lustreOf } from '../judge/join.ts';
import { progressOf } from '../judge/progress.ts';
import { taskOf } from '../judge/tasks.ts';
import type { OstRow } from '../judge/rows.ts';
import { taskFolder } from '../readings-tasks.ts';

/** Drained while new files still come it would never be empty. */
export const requireCreatesStopped = ({ ost, imports }: Target): Guard => ({
  id: '3 creates stopped',
  text: `new files no longer go to ${ost.name}, on every MDT`,
  reads: readsAt('lustre.mds', imports),
  absolute: true,
  check: (live) => {
    const now = lustreOf(live).byOst.get(ost.name);
    const read = now ? importsOf(now, live) : `${ost.name} is not listed any more`;
    if (typeof read === 'string') return failGuard(read);
    return isClosed(now)
      ? passGuard('stopped on every MDT')
      : failGuard(`creates on ${ost.name} are not stopped on every MDT: stop creates first`);
  },
});

export const requireRoomElsewhere = ({ ost, imports }: Target): Guard => ({
  id: '3 room elsewhere',
  text: `the other OSTs have room for what is on ${ost.name}`,
  reads: readsAt('lustre.mds', imports),
  absolute: true,
  check: (live) => {
    const osts = systemOf(ost.fs, live)?.osts ?? [];
    const own = osts.find(({ name }) => name === ost.name);
    const kbUsed =
      own?.used === undefined || own.usageStale || own.kbAvail === undefined || own.used >= 1
        ? undefined
        : (own.kbAvail * own.used) / (1 - own.used);
    const open = osts.filter(
      ({ name, mdts, usageStale }) =>
        name !== ost.name &&
        !usageStale &&
        mdts.length > 0 &&
        mdts.every(({ allocation }) => allocation.verdict === 'allocates'),
    );
    const free = open.reduce((sum, { kbAvail }) => sum + (kbAvail ?? 0), 0);
    if (kbUsed === undefined) return failGuard(`how much is on ${ost.name} is not known`);
    const tib = (kb: number): string => `${(kb / 1_073_741_824).toFixed(1)} TiB`;
    const text = `${tib(kbUsed)} (${percent(own?.used ?? 0)}) to move, ${tib(free)} free on ${groupThousands(open.length)} other OSTs`;
    return kbUsed > free * 0.9 ? failGuard(text) : passGuard(text);
  },
});

/** `lfs find` does not see what is on an OST out of reach. */
export const requireHealthyImports = ({ ost, imports }: Target): Guard => ({
  id: '3 no recovery',
  text: `no OST of ${ost.fs} is in recovery or out of reach`,
  reads: readsAt('lustre.mds', imports),
  absolute: true,
  check: (live) => {
    const away = (systemOf(ost.fs, live)?.osts ?? []).filter((one) => reachOf(one) !== 'fine');
    return away.length === 0 ? passGuard('all are reached') : failGuard(awayText(away[0]));
  },
});

const awayText = (ost: OstRow | undefined): string => {
  const reach = ost ? reachOf(ost) : 'unknown';
  return reach === 'unknown'
    ? `whether ${ost?.name ?? 'an OST'} is reached is not known: no server or client lists a connection`
    : `${ost?.name} is ${reach}: a list would miss files`;
};

/**
 * A run that may still go on on a client that does not answer is somebody's: a second one would move the same files. Clients are not
 * among its `reads`: one that is gone for good must be exceedable.
 */
export const requireNoneElsewhere = (kind: 'drain' | 'list', ost: string): Guard => ({
  id: '4 ownership',
  text: `no ${kind} of ${ost} may still run on a client that does not answer`,
  reads: [],
  absolute: false,
  check: (live) => {
    const odd = live.readings.sources('lustre.tasks').find(({ good }) => (good?.notUnderstood ?? 0) > 0);
    if (odd)
      return failGuard(
        `a state file in ${taskFolder} on ${odd.host} is not understood: whether a ${kind} runs there is not known; look at it`,
      );
    const task = taskOf(kind, ost, live);
    if (task?.life === 'unknown')
      return failGuard(`${progressOf(task, live.now)}; --set exceed4="why" when that host is gone for good`);
    const mute = live.site
      .hostsWithRole('lustre-client')
      .map(
        ({ name }) =>
          live.readings.source('lustre.tasks', name) ?? {
            host: name,
            state: 'never' as const,
            good: undefined,
          },
      )
      .find(({ state, good }) => state !== 'fresh' || good === undefined || good.notUnderstood > 0);
    return mute
      ? failGuard(`which tasks run on ${mute.host} is not known; --set exceed4="why" when none can run there`)
      : passGuard('none');
  },
});
