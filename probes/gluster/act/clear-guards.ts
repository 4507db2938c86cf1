import type { Guard } from '../../../src/model/action.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { failGuard, passGuard } from '../../../src/kit/guards.ts';
import { count } from '../../../src/text/units.ts';
import { type SeenLock, whyNotGone } from '../judge/seen-locks.ts';

/** Why these locks: who holds or waits, by the dumps. */
export const reasonsOf = (
  locks: readonly SeenLock[],
  kind: 'blocked' | 'granted',
  copies: number,
): string[] => {
  const lines = [...Map.groupBy(locks, ({ client }) => client)].slice(0, 5).map(([client, all]) => {
    const holders = [...new Set(all.flatMap((lock) => lock.holders))].join(', ');
    const hosts = all.map(({ host }) => host).toSorted();
    return kind === 'granted'
      ? `${client} holds it by the dumps of ${[...new Set(hosts)].join(', ')}`
      : `${client} waits for ${holders === '' ? 'nobody seen' : holders}`;
  });
  if (kind === 'granted') return [...lines, 'every lock that is held on this path is cleared'];
  // Observed on 10.3 (decision 0120).
  const again = `refused on one copy the client waits on the next, ${copies} times in all; then it gets an error`;
  return copies > 1 ? [...lines, again] : lines;
};

/** Guard 3: the newest dumps show such locks. */
export const requireStillThere = (
  these: (live: Judgement) => SeenLock[],
  text: string,
  hosts: readonly string[],
): Guard => ({
  id: '3 preconditions',
  text,
  reads: hosts.map((host) => ({ probe: 'gluster.dumps', host })),
  absolute: true,
  check: (live) => {
    const found = these(live).length;
    return found > 0 ? passGuard(count(found, 'lock')) : failGuard('none by the newest dumps');
  },
});

/** A lock that is held and whose client lives protects a file that is being written. */
export const requireClientsGone = (
  these: (live: Judgement) => SeenLock[],
  path: string,
  hosts: readonly string[],
): Guard => ({
  id: '3 client is gone',
  text: `every client that holds a lock on ${path} is gone`,
  reads: hosts.map((host) => ({ probe: 'gluster.clients', host })),
  absolute: true,
  check: (live) => {
    const locks = these(live);
    for (const lock of locks) {
      const why = whyNotGone(lock, live);
      if (why !== undefined) return failGuard(why);
    }
    return locks.length === 0
      ? failGuard('none is held by the newest dumps')
      : passGuard(`no connection from ${[...new Set(locks.map(({ client }) => client))].join(', ')}`);
  },
});
