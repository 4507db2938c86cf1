import type { Guard, PlanContext, PlanTarget } from '../../../src/model/action.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { failGuard, passGuard } from '../../../src/kit/guards.ts';
import { rereadsOf, glusterSettles } from './parts.ts';
import { bricksOf } from '../judge/bricks.ts';
import { lockOfVolume } from '../judge/lock-state.ts';
import { peersOf, findUnconnected } from '../judge/pool.ts';
import type { GlusterVolume } from '../readings.ts';
import { findDumps, type SeenDump } from '../judge/seen-locks.ts';

/** Running brick processes of a volume: each leaves one dump, on its own host and not where the command is run. */
const writers = (volume: GlusterVolume, judgement: Judgement): { host: string; pid: number }[] => [
  ...new Map(
    bricksOf(volume, judgement).flatMap(({ host, state, pid }) =>
      state === 'up' && pid !== undefined ? [[`${host} ${pid}`, { host, pid }] as const] : [],
    ),
  ).values(),
];

/** Hosts on which the volume's dumps land. */
export const dumpHosts = (volume: GlusterVolume, judgement: Judgement): string[] => [
  ...new Set(writers(volume, judgement).map(({ host }) => host)),
];

/** Every peer that answers says that it does not see this one. */
const isCutOff = (host: string | undefined, judgement: Judgement): boolean => {
  const up = peersOf(judgement).filter((peer) => peer.state === 'up' && peer.host !== host);
  const blind = findUnconnected(judgement).filter(({ to }) => to === host);
  return (
    host !== undefined && up.length > 0 && up.every((peer) => blind.some(({ from }) => from === peer.host))
  );
};

/** Dumping and clearing are transactions: they need the volume's lock. */
export const requireNotLocked = (volume: string, judgement: Judgement): Guard => ({
  id: '3 lock',
  text: `no peer that can be asked has ${volume} locked`,
  reads: rereadsOf(judgement, 'gluster.lock'),
  absolute: true,
  check: (live) => {
    const lock = lockOfVolume(volume, live);
    if (lock.state === 'held')
      return failGuard(`locked for ${lock.lock.ownerName}, ${lock.lock.kind}: free it first`);
    if (lock.state === 'free') return passGuard('free');
    // A peer that is cut off from the others takes no part in a transaction: its locks hinder nobody.
    return isCutOff(lock.host, live)
      ? passGuard(`free where it counts; ${lock.host} is not connected to the others`)
      : failGuard(`whether ${volume} is locked is not known: ${lock.why}`);
  },
});

/** New whole dumps of every running brick, then what `check` makes of them. */
export const verifyDumps = (
  volume: GlusterVolume,
  judgement: Judgement,
  text: string,
  check: (dumps: readonly SeenDump[], live: Judgement) => { state: 'yes' | 'wait' | 'no'; text: string },
  looksBack?: PlanContext['looksBack'],
): Pick<PlanTarget, 'verify' | 'before'> => {
  const all = writers(volume, judgement);
  const known = looksBack?.before ?? namesOf(findDumps(judgement));
  const before = new Set(known);
  const verify: PlanTarget['verify'] = {
    text,
    settles: glusterSettles(judgement),
    reads: dumpHosts(volume, judgement).map((host) => ({ probe: 'gluster.dumps', host })),
    deadlineMs: 30_000,
    check: (live) => {
      const dumps = findDumps(live).filter(
        (dump) =>
          dump.of === 'brick' &&
          dump.whole &&
          !before.has(`${dump.host} ${dump.file}`) &&
          all.some(({ host, pid }) => host === dump.host && pid === dump.pid),
      );
      const missing = all.find(
        ({ host, pid }) => !dumps.some((dump) => dump.host === host && dump.pid === pid),
      );
      return missing
        ? { state: 'wait', text: `no new dump of process ${missing.pid} on ${missing.host} yet` }
        : check(dumps, live);
    },
  };
  return { verify, before: known };
};

/** What tells a dump from a later one: its host and its file, which has its time in its name. */
export const namesOf = (dumps: readonly SeenDump[]): string[] =>
  dumps.map(({ host, file }) => `${host} ${file}`);

/** `gl1:/var/run/gluster/srv-brick1-home0.109.dump.1700000000`, all of them. */
export const placesOf = (dumps: readonly SeenDump[]): string =>
  dumps
    .map(({ host, file }) => `${host}:${file}`)
    .toSorted()
    .join(' ');
