import type { RecoveryState } from '../readings.ts';
import { isRecovering } from './reach.ts';
import type { MdtRow, OstRow } from './rows.ts';

/** What recovery leaves behind is in order again so long after it, ms: slaves of quotas connect anew, locks are granted again. */
const settlesMs = 300_000;

/** A recovery without time left does not end by itself: nothing that follows from it passes. */
export const isStuck = (recovery: RecoveryState | undefined): boolean =>
  recovery?.status === 'RECOVERING' && recovery.remainingS === 0;

/**
 * What a target is just now though nothing of it is broken. Rules ask here before they call a value of it a fault: `retired` taken out
 * for good, `stopping` its umount has begun, `recovering` its server was restarted, `settling` its recovery has just ended.
 */
export type Passing = 'retired' | 'stopping' | 'recovering' | 'settling';

const passingBy = (recovery: RecoveryState | undefined, now: number): Passing | undefined => {
  if (isRecovering(recovery)) return isStuck(recovery) ? undefined : 'recovering';
  const { startedAt, durationS } = recovery ?? {};
  const endedAt = startedAt === undefined ? undefined : startedAt + (durationS ?? 0) * 1000;
  return endedAt !== undefined && endedAt <= now && now - endedAt < settlesMs ? 'settling' : undefined;
};

export const passingOst = (
  { own, ownStale, retired }: Pick<OstRow, 'own' | 'ownStale' | 'retired'>,
  now: number,
): Passing | undefined => {
  if (retired) return 'retired';
  if (ownStale || !own) return undefined;
  return own.stopping ? 'stopping' : passingBy(own.recovery, now);
};

export const passingMdt = (
  { mdt, stale }: Pick<MdtRow, 'mdt' | 'stale'>,
  now: number,
): Passing | undefined => {
  if (stale || !mdt) return undefined;
  return mdt.stopping ? 'stopping' : passingBy(mdt.recovery, now);
};
