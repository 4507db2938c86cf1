import type { Outcome } from '../model/action.ts';
import type { HoldView, StepState, TargetView } from '../model/run.ts';
import { hashOf } from './commands.ts';
import { guard } from './guards.ts';
import type { HoldControl } from './hold-control.ts';
import type { Later } from './later.ts';
import type { HeldLock } from './locks.ts';
import type { EngineParts } from './parts.ts';
import { commandsOf, type Prepared, type PreparedTarget } from './prepared.ts';

/** How one target ended. */
export interface TargetEnd {
  outcome: Outcome;
  text: string;
  /** Of `done`: what is begun and not over (`2 jobs still run`). */
  goesOn?: string;
  /** The console leaves while an armed undo is waiting: its locks stay until it has come. */
  left?: true;
}

export interface RunContext {
  parts: EngineParts;
  plan: Prepared;
  run: string;
  /** What was typed, for the audit log. */
  confirmed: string;
  locks: readonly HeldLock[];
  later: Later;
  /** What the operator must know besides how the targets ended: goes into the result. */
  remark(text: string): void;
  /** What the operator wants of a held change. */
  control: HoldControl;
  show(
    target: PreparedTarget,
    state: StepState,
    text: string,
    more?: Pick<TargetView, 'ms' | 'output'>,
  ): void;
  showHold(hold: HoldView | undefined): void;
}

export const stateOf: Readonly<Record<Outcome, StepState>> = {
  done: 'verified',
  nothing: 'nothing',
  undone: 'undone',
  failed: 'failed',
  refused: 'refused',
  unknown: 'unknown',
};

/** What is checked with no reading in between: the bytes are those that were shown, the locks are still ours. */
export const findLastProblem = ({ plan, locks }: RunContext): { guard: string; text: string } | undefined => {
  if (hashOf(plan.targets.flatMap(commandsOf)) !== plan.hash)
    return { guard: guard.shown, text: 'the commands are not the ones that were shown' };
  const late = locks.find((lock) => lock.isExpired());
  if (late) return { guard: guard.lock, text: `the lock on ${late.group} has expired` };
  return undefined;
};

/**
 * Read right before the first byte, when the intent is on disk and colleagues were told: whether the locks of these groups still
 * stand as they were made. One that cannot be read refuses too, unless a typed reason goes without.
 */
export const lostLock = async (
  { plan, locks, run, parts }: RunContext,
  groups: readonly string[],
): Promise<{ guard: string; text: string } | undefined> => {
  const own = locks.filter(({ group }) => groups.includes(group));
  const found = await Promise.all(own.map(async (lock) => ({ lock, problem: await lock.check() })));
  for (const { lock, problem } of found) {
    if (problem === undefined) continue;
    if (problem.state === 'lost')
      return { guard: guard.lock, text: `the lock on ${lock.group} is no longer ours: ${problem.reason}` };
    const text = `the lock on ${lock.group} could not be read again: ${problem.reason}`;
    if (plan.withoutLock === undefined)
      return { guard: guard.lock, text: `${text}; to go without it: --set exceed12="why it is safe"` };
    parts.log(`run ${run}: ${text}; it goes on without the lock: ${plan.withoutLock}`);
  }
  // Reading took its time.
  const late = own.find((lock) => lock.isExpired());
  return late && { guard: guard.lock, text: `the lock on ${late.group} has expired` };
};

/** Writes what has happened already; when that fails the log's badge says so, and the open intent is found at the next start. */
export const record = async (
  context: RunContext,
  entry: Parameters<EngineParts['audit']['append']>[0],
): Promise<boolean> => {
  const appended = await context.parts.audit.append(entry);
  if (!appended.ok) context.parts.log(`run ${context.run}: ${appended.reason}`);
  return appended.ok;
};
