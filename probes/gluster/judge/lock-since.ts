import type { Judgement } from '../../../src/model/system.ts';
import { type HeldLock, timerMs } from './held-lock.ts';
import { eventsOf, hostOfUuid, nameOfUuid, lastTimeWithoutLock, type Peer } from './pool.ts';
import { lockSeries } from './track.ts';

/** Since when at the latest: the first refusal that names it, the change that the history saw, or the dump itself. */
export const lockSince = (
  lock: { volume: string; owner: string; on: readonly Peer[] },
  timed: boolean,
  judgement: Judgement,
): Pick<HeldLock, 'since' | 'evidence'> => {
  const { now, history } = judgement;
  const evidence: { text: string; host: string; probe: string; at: number }[] = lock.on.map(
    ({ host, dumpAt = now }) => ({
      text: `dump of ${host}: ${lock.volume} locked for ${nameOfUuid(lock.owner, judgement)} (${lock.owner})`,
      host,
      probe: 'gluster.lock',
      at: dumpAt,
    }),
  );
  let since = Math.min(...evidence.map(({ at }) => at));
  const ownerHost = hostOfUuid(lock.owner, judgement);
  const floor = new Map(lock.on.map(({ host }) => [host, lastTimeWithoutLock(host, ownerHost, judgement)]));
  for (const { host } of lock.on) {
    const points = history
      .changes(lockSeries(lock.volume, host), 0)
      .filter(({ at }) => at >= (floor.get(host) ?? 0));
    const last = points.at(-1);
    // What was seen free meanwhile was taken anew.
    const freed = points.findLast(({ value }) => value === 'free')?.at;
    if (freed !== undefined) floor.set(host, Math.max(freed, floor.get(host) ?? 0));
    // Nobody may have looked for hours between two locks of one owner: no lock outlives its timer.
    const possible = !timed || since - (last?.at ?? 0) <= timerMs;
    if (last?.value === lock.owner && possible) since = Math.min(since, last.at);
  }
  const refusals = eventsOf(judgement).filter(
    (event) =>
      event.kind === 'lockRefused' &&
      event.volume === lock.volume &&
      event.holder === lock.owner &&
      event.ourAt >= (floor.get(event.host) ?? 0),
  );
  // Where a timer ends locks, a refusal further back than it lasts tells of an earlier one.
  for (const event of refusals.toReversed()) {
    if (event.ourAt > since) continue;
    if (timed && since - event.ourAt > timerMs) break;
    since = event.ourAt;
  }
  const last = refusals.at(-1);
  if (last)
    evidence.push({ text: `log: ${last.text}`, host: last.host, probe: 'gluster.log', at: last.ourAt });
  return { since, evidence };
};
