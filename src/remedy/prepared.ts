import type { Danger, Guard, Plan, PlanTarget, Verification } from '../model/action.ts';
import type { Hold } from '../model/hold.ts';
import type { Judgement } from '../model/system.ts';
import type { Subject } from '../model/subject.ts';
import { boundOf, commandOf, type Command } from './commands.ts';

/** A hold with its commands as bytes. */
export interface PreparedHold extends Omit<Hold, 'arm' | 'keep' | 'restore'> {
  arm: readonly Command[];
  keep: readonly Command[];
  restore: readonly Command[];
}

/** A target of a plan with its commands as bytes. */
export interface PreparedTarget {
  subject: Subject;
  /** Of `PlanTarget`. */
  object?: string;
  steps: readonly Command[];
  /** Null: can't be undone. */
  undo: readonly Command[] | null;
  /** Of `PlanTarget`. */
  was?: unknown;
  undoGuards?: readonly Guard[];
  guards: readonly Guard[];
  whyAlreadyDone(live: Judgement): string | undefined;
  verify: Verification;
  /** Of `PlanTarget`. */
  before?: readonly string[];
  hold?: PreparedHold;
  lockGroups: readonly string[];
  /** Of an undo: the plan of the run it undoes, by which colleagues are told that it counts no more. */
  takesBack?: string;
  /** Makes the plan for this target anew from live readings; gives why it is no longer the one that was shown. */
  whyStale(live: Judgement): string | undefined;
}

/** A plan as it waits for its confirmation, and as it runs: nothing in it changes any more. */
export interface Prepared {
  id: string;
  action: string;
  title: string;
  verb: string;
  /** With what exceeded guards add. */
  danger: Danger;
  targets: readonly PreparedTarget[];
  leftOut: Plan['leftOut'];
  users: string;
  because: readonly string[];
  afterwards: string;
  measures?: string;
  undoText: string;
  parameters: Readonly<Record<string, unknown>>;
  exceeded: Plan['exceeded'];
  /** SHA-256 over all commands of all targets in order. */
  hash: string;
  /** Set: a lock that only a person may break may be replaced, for this reason. */
  breakLock?: string;
  /** Set: where the shared folder can't be used, this machine's locks do, for this reason. */
  withoutLock?: string;
  /** The run that this one undoes. */
  undoes?: string;
  confirmText: string;
  armedAfterMs: number;
  madeAt: { mono: number; wall: number };
  /** Monotonic ms since which these very bytes are shown: it is armed by that. */
  shownAt: number;
}

export const prepareTarget = (
  target: PlanTarget,
  stale: (live: Judgement) => string | undefined,
): PreparedTarget => ({
  subject: target.subject,
  ...(target.object !== undefined && { object: target.object }),
  steps: target.steps.map(commandOf),
  undo: target.undo?.map(commandOf) ?? null,
  ...(target.was !== undefined && { was: target.was }),
  ...(target.undoGuards && { undoGuards: target.undoGuards }),
  guards: target.guards,
  whyAlreadyDone: (live) => target.whyAlreadyDone(live),
  verify: target.verify,
  ...(target.before && { before: target.before }),
  ...(target.hold && { hold: prepareHold(target.hold) }),
  lockGroups: target.lockGroups,
  whyStale: stale,
});

const prepareHold = (hold: Hold): PreparedHold => ({
  by: hold.by,
  seconds: hold.seconds,
  text: hold.text,
  arm: hold.arm.map(commandOf),
  armed: hold.armed,
  keep: hold.keep.map(commandOf),
  kept: hold.kept,
  restore: hold.restore.map(commandOf),
  restored: hold.restored,
  ...(hold.failure && { failure: hold.failure }),
  watch: hold.watch,
  watching: (live) => hold.watching(live),
  checkKeeping: (live) => hold.checkKeeping(live),
});

/** All that can be sent for a target before its run has ended, in order: guard 2 is over these bytes. */
export const commandsOf = ({ steps, hold }: Pick<PreparedTarget, 'steps' | 'hold'>): readonly Command[] =>
  hold === undefined ? steps : [...hold.arm, ...steps, ...hold.keep, ...hold.restore];

/** The longest a target can take: its commands, its verification, the readings around them. ms. */
export const targetBoundMs = ({ steps, verify, hold }: PreparedTarget): number =>
  boundOf(steps) +
  verify.deadlineMs +
  30_000 +
  (hold === undefined
    ? 0
    : hold.seconds * 1000 +
      boundOf([...hold.arm, ...hold.keep, ...hold.restore]) +
      hold.armed.deadlineMs +
      hold.kept.deadlineMs +
      2 * hold.restored.deadlineMs);
