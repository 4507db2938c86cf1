import type { Judgement } from '../../src/model/system.ts';
import { type HeldLock, unseenWhy } from './held-lock.ts';
import { fromDumps } from './lock-dumps.ts';
import { fromLogs, fromRefusals } from './lock-logs.ts';
import { peersOf } from './pool.ts';

const cache = new WeakMap<Judgement, readonly HeldLock[]>();

/** Every lock that a dump or, for old op-versions, a log shows. */
export const locksOf = (judgement: Judgement): readonly HeldLock[] => {
  const known = cache.get(judgement);
  if (known) return known;
  const made = [...fromDumps(judgement), ...fromRefusals(judgement), ...fromLogs(judgement)];
  cache.set(judgement, made);
  return made;
};

/** What is known of a volume's lock. `unknown`: no peer showed its locks. */
export const lockOfVolume = (
  volume: string,
  judgement: Judgement,
): { state: 'held'; lock: HeldLock } | { state: 'free'; at: number } | { state: 'unknown'; why: string } => {
  const lock = locksOf(judgement).find((one) => one.volume === volume || one.volume === undefined);
  if (lock) return { state: 'held', lock };
  const peers = peersOf(judgement);
  const seen = peers.filter(({ dump, state }) => dump !== undefined && state !== 'down');
  const missing = peers.find((peer) => peer.state !== 'down' && !seen.includes(peer));
  const at = Math.min(...seen.map(({ dumpAt = 0 }) => dumpAt));
  if (seen.length === 0)
    return { state: 'unknown', why: missing ? (unseenWhy(missing, 0) ?? 'not read') : 'no peer' };
  return { state: 'free', at };
};
