import type { Refusal } from '../model/action.ts';
import { guard, numberOf, refuse } from './guards.ts';
import type { HeldLock, Taken } from './locks.ts';
import type { EngineParts } from './parts.ts';
import { targetBoundMs, type Prepared } from './prepared.ts';

const LEAST_MS = 5 * 60_000;
const MOST_MS = 2 * 3_600_000;

/** The longest the run can take, within bounds: that long its locks are held before they count as stale, ms. */
const holdMsOf = (plan: Pick<Prepared, 'targets'>): number =>
  Math.min(
    MOST_MS,
    plan.targets.reduce((sum, target) => sum + targetBoundMs(target), LEAST_MS),
  );

/**
 * Takes the lock of every blast-radius group of the plan, in one order everywhere, or none (guard 12). A stale lock is replaced
 * only when the plan says so, and the log tells of it; a shared folder that does not answer can be done without, on this
 * machine's locks alone, for a typed reason.
 */
export const acquire = async (
  parts: EngineParts,
  plan: Prepared,
  run: string,
  openGroups: ReadonlySet<string>,
): Promise<{ locks: readonly HeldLock[] } | Refusal> => {
  const groups = [...new Set(plan.targets.flatMap(({ lockGroups }) => lockGroups))].sort();
  const without = plan.exceeded.some(({ guard: id }) => numberOf(id) === numberOf(guard.lock));
  const options = {
    purpose: `${plan.title} (${run})`,
    holdMs: holdMsOf(plan),
    breakStale: plan.breakLock !== undefined,
  };
  const locks: HeldLock[] = [];
  const give = async (reason: string): Promise<Refusal> => {
    await releaseAll(parts, locks);
    return refuse(guard.lock, reason);
  };
  for (const group of groups) {
    let taken = await parts.locks.take(group, options);
    // Left by a console of this machine that died before it sent anything: such a lock protects nothing.
    if ((taken.state === 'held' || taken.state === 'stale') && !openGroups.has(group))
      if (await sweep(parts, group)) taken = await parts.locks.take(group, options);
    if (taken.state === 'unreachable' && without)
      taken = await parts.locks.take(group, { ...options, localOnly: true });
    if (taken.state !== 'taken') return give(whyNot(group, taken));
    locks.push(taken.lock);
    if (taken.broke === undefined) continue;
    const detail = {
      group,
      owner: taken.broke,
      reason: plan.breakLock ?? '',
      text: 'a stale lock was broken',
    };
    const written = await parts.audit.append({ kind: 'lockBroken', run, action: plan.action, detail });
    if (!written.ok) return give(written.reason);
  }
  return { locks };
};

const whyNot = (group: string, taken: Exclude<Taken, { state: 'taken' }>): string => {
  if (taken.state === 'held') return taken.reason;
  return taken.state === 'stale'
    ? `${taken.reason}; to take its place: --set breakLock="why it is safe"`
    : `no lock on ${group}, its folder does not answer: ${taken.reason}; to go without: --set exceed12="why it is safe"`;
};

/** Frees a group's lock when its owner was a process of this machine that has ended; tells the log. Gives whether it did. */
export const sweep = async (
  parts: Pick<EngineParts, 'locks' | 'audit' | 'log' | 'isDead'>,
  group: string,
): Promise<boolean> => {
  const swept = await parts.locks.sweep(group, parts.isDead);
  for (const owner of swept) {
    const detail = { group, owner, text: 'the console that held it has ended' };
    const written = await parts.audit.append({ kind: 'lockBroken', detail });
    if (!written.ok) parts.log(`lock of ${group} freed: ${written.reason}`);
  }
  return swept.length > 0;
};

export const releaseAll = async (
  parts: Pick<EngineParts, 'log'>,
  locks: readonly HeldLock[],
): Promise<void> => {
  for (const lock of locks.toReversed()) {
    const problem = await lock.release();
    if (problem !== undefined) parts.log(`lock of ${lock.group} not released: ${problem}`);
  }
};
