import { memoPerJudgement } from '../../../src/kit/memo.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { type HeldLock, whyUnseen } from './held-lock.ts';
import { locksFromDumps } from './lock-dumps.ts';
import { locksFromLogs, locksFromRefusals } from './lock-logs.ts';
import { peersOf } from './pool.ts';

/** Every lock that a dump or, for old op-versions, a log shows. */
export const locksOf = memoPerJudgement((judgement): readonly HeldLock[] => [
  ...locksFromDumps(judgement),
  ...locksFromRefusals(judgement),
  ...locksFromLogs(judgement),
]);

/** What is known of a volume's lock. `unknown`: not every peer showed its locks. */
export const lockOfVolume = (
  volume: string,
  judgement: Judgement,
):
  | { state: 'held'; lock: HeldLock }
  | { state: 'free'; at: number }
  | { state: 'unknown'; why: string; host?: string } => {
  const lock = locksOf(judgement).find(
    (one) => one.volume === undefined || (one.volume === volume && one.type === 'vol'),
  );
  if (lock) return { state: 'held', lock };
  const asked = peersOf(judgement).filter(({ state }) => state !== 'down');
  const seen = asked.filter(({ dump }) => dump !== undefined);
  // One peer alone may keep it for an owner that has long let go.
  const missing = asked.find((peer) => !seen.includes(peer));
  if (missing)
    return {
      state: 'unknown',
      host: missing.host,
      why: `${missing.host}: ${whyUnseen(missing, 0) ?? 'not read'}`,
    };
  if (seen.length === 0) return { state: 'unknown', why: 'no glusterd runs' };
  return { state: 'free', at: Math.min(...seen.map(({ dumpAt = 0 }) => dumpAt)) };
};
