import type { Outcome } from '../model/action.ts';
import type { HoldView, StepState, TargetView } from '../model/run.ts';
import { hashOf } from './commands.ts';
import { guard } from './guards.ts';
import type { HoldControl } from './hold-control.ts';
import type { HeldLock } from './locks.ts';
import type { EngineParts } from './parts.ts';
import { commandsOf, type Prepared, type PreparedTarget } from './prepared.ts';

/** How one target ended. */
export interface TargetEnd {
  outcome: Outcome;
  text: string;
  /** Its commands went out, so there is something to undo. */
  sent: boolean;
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
export const lastMoment = ({ plan, locks }: RunContext): { guard: string; text: string } | undefined => {
  if (hashOf(plan.targets.flatMap(commandsOf)) !== plan.hash)
    return { guard: guard.shown, text: 'the commands are not the ones that were shown' };
  const late = locks.find((lock) => lock.expired());
  if (late) return { guard: guard.lock, text: `the lock on ${late.group} has expired` };
  return undefined;
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
