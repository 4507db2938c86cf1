import type { Refusal } from '../model/action.ts';
import { acquire, releaseAll } from './acquire.ts';
import { guard, refuse } from './guards.ts';
import type { Later } from './later.ts';
import type { Judging } from './lock-verdict.ts';
import type { HeldLock } from './locks.ts';
import type { EngineParts } from './parts.ts';
import type { PastActions } from './past-actions.ts';
import type { Prepared } from './prepared.ts';

export interface Locking {
  past: Pick<PastActions, 'read' | 'recent' | 'settle'>;
  judging(): Promise<Omit<Judging, 'settle'>>;
  later: Later;
}

/**
 * All locks of a confirmed plan, and under them what was done lately; or none. What this console owes its colleagues is tried first: it may
 * be its own lock that is in the way. The log is tried before, since a lock names the log that will tell of its run.
 */
export const takeLocks = async (
  parts: EngineParts,
  plan: Prepared,
  run: string,
  { past, judging, later }: Locking,
): Promise<{ locks: readonly HeldLock[] } | Refusal> => {
  const unwritable = await parts.audit.check();
  if (unwritable !== undefined) return refuse(guard.audit, unwritable);
  await later.retry();
  const settle: Judging['settle'] = (other) => past.settle(other, true);
  const taken = await acquire(parts, plan, run, { ...(await judging()), settle }, later);
  if ('refused' in taken) return taken;
  try {
    await past.recent.read(await past.read());
  } catch (error) {
    await releaseAll(later, run, taken.locks);
    throw error;
  }
  return taken;
};
