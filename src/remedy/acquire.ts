import type { Refusal } from '../model/action.ts';
import { guard, refuse } from './guards.ts';
import type { Later } from './later.ts';
import { MOST_HOLD_MS } from './lock-text.ts';
import { judgeLock, type Judging } from './lock-verdict.ts';
import type { Former, HeldLock, TakeOptions, Taken } from './locks.ts';
import { isOver } from './lock-store.ts';
import type { EngineParts } from './parts.ts';
import { targetBoundMs, type Prepared } from './prepared.ts';

const LEAST_MS = 5 * 60_000;

/** The longest the run can take, within bounds: that long its locks are held before they count as stale, ms. */
const holdMsOf = (plan: Pick<Prepared, 'targets'>): number =>
  Math.min(
    MOST_HOLD_MS,
    plan.targets.reduce((sum, target) => sum + targetBoundMs(target), LEAST_MS),
  );

/**
 * Takes the lock of every blast-radius group of the plan, in one order everywhere, or none (guard 12). A lock of a console of this
 * account that has provably ended is taken over once what it had begun was read again; another one only when the plan says so. The log
 * tells of both. A shared folder that can't be used can be done without, on this machine's locks alone, for a typed reason.
 */
export const acquire = async (
  parts: EngineParts,
  plan: Prepared,
  run: string,
  judging: Judging,
  later: Later,
): Promise<{ locks: readonly HeldLock[] } | Refusal> => {
  const groups = [...new Set(plan.targets.flatMap(({ lockGroups }) => lockGroups))].sort();
  const options: TakeOptions = {
    purpose: `${plan.title} (${run})`,
    holdMs: holdMsOf(plan),
    run,
    ...(judging.log && { log: judging.log }),
    judge: (standing, own) => judgeLock(judging, standing, own),
    breakIt: plan.breakLock !== undefined,
  };
  const locks: HeldLock[] = [];
  const give = async (reason: string): Promise<Refusal> => {
    const left = await releaseAll(later, run, locks);
    return refuse(guard.lock, [reason, ...left].join('; '));
  };
  try {
    for (const group of groups) {
      let taken = await parts.locks.take(group, options);
      if (taken.state === 'refused' && taken.helps === 'exceed12' && plan.withoutLock !== undefined)
        taken = await parts.locks.take(group, { ...options, localOnly: true });
      if (taken.state === 'refused') return await give(`${taken.reason}; ${wayOn(taken)}`);
      locks.push(taken.lock);
      if (taken.former === undefined) continue;
      const written = await parts.audit.append({
        run,
        action: plan.action,
        ...brokenEntry(taken.former, plan.breakLock),
      });
      if (!written.ok) return await give(written.reason);
    }
  } catch (error) {
    await releaseAll(later, run, locks);
    throw error;
  }
  return { locks };
};

/** Exactly what exceeds this refusal, and what does not. */
const wayOn = ({ helps }: Extract<Taken, { state: 'refused' }>): string => {
  if (helps === 'breakLock')
    return 'to break it: --set breakLock="why it is safe" (exceed12 does not help here)';
  if (helps === 'exceed12')
    return 'to go on with the locks of this machine alone: --set exceed12="why it is safe" (breakLock does not help here)';
  return 'neither breakLock nor exceed12 helps now';
};

const brokenEntry = (
  { group, owner, how, why, lock }: Former,
  reason?: string,
): { kind: 'lockBroken'; detail: Record<string, unknown> } => ({
  kind: 'lockBroken',
  detail: {
    group,
    owner,
    ...(how === 'break' && reason !== undefined && { reason }),
    text:
      how === 'takeOver' ? `the console that held the lock has ended: ${why}` : `the lock was broken: ${why}`,
    ...(lock && { lock }),
  },
});

/** Frees a group's locks whose console has ended, where no person's word is needed; tells the log. */
export const sweep = async (
  parts: Pick<EngineParts, 'locks' | 'audit' | 'log'>,
  group: string,
  judging: Judging,
): Promise<void> => {
  for (const former of await parts.locks.sweep(group, (standing, own) => judgeLock(judging, standing, own))) {
    const written = await parts.audit.append(brokenEntry(former));
    if (!written.ok) parts.log(`lock of ${group} freed: ${written.reason}`);
  }
};

/** Gives what could not be released, for the operator; it is tried again. */
export const releaseAll = async (
  later: Later,
  run: string,
  locks: readonly HeldLock[],
): Promise<readonly string[]> => {
  const said: string[] = [];
  for (const lock of locks.toReversed()) {
    const problem = await lock.release();
    if (problem === undefined) continue;
    const what = `the lock on ${lock.group} could not be released`;
    const attempt = async (): Promise<string | undefined> => {
      const left = await lock.release();
      return left === undefined || isOver(left) ? undefined : left;
    };
    said.push(
      isOver(problem)
        ? await later.tell({ run, what }, problem)
        : await later.keep({ key: `lock ${lock.group} ${run}`, run, what, attempt }, problem),
    );
  }
  return said;
};
