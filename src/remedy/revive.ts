import type { Guard, PlanTarget, Verification } from '../model/action.ts';
import type { Hold } from '../model/hold.ts';
import type { Judgement } from '../model/system.ts';
import { subjectKey } from '../model/subject.ts';
import { numberOf } from './guards.ts';
import { findAction } from './make-plan.ts';
import type { LoggedAction } from '../audit/logged-actions.ts';
import { type EngineParts, contextOf } from './parts.ts';
import type { PreparedTarget } from './prepared.ts';

/** How to look at a target of an earlier run: what it wanted, or in the action's own words why that can't be told. */
export type Revived =
  | {
      ok: true;
      verify: Verification;
      undoGuards?: readonly Guard[];
      lockGroups: readonly string[];
      /** How a held change is looked at. */
      hold?: Pick<Hold, 'kept' | 'restored' | 'failure'>;
    }
  | { ok: false; reason: string };

export const UNDO = /^undo:(.+)$/;

/** Targets of runs of this process: they still have their own predicates. */
export type Memory = ReadonlyMap<string, PreparedTarget>;

export const memoryKey = (run: string, target: Pick<PlanTarget, 'subject'>): string =>
  `${run} ${subjectKey(target.subject)}`;

/**
 * The predicates of a target that the audit log tells of: from memory, else by making its plan anew from live readings. An
 * undo is judged by the run it undoes.
 */
export const revive = (
  parts: EngineParts,
  one: LoggedAction,
  all: readonly LoggedAction[],
  memory: Memory,
  live: Judgement,
): Revived => {
  const known = memory.get(memoryKey(one.run, one));
  if (known)
    return {
      ok: true,
      verify: known.verify,
      lockGroups: known.lockGroups,
      ...(known.undoGuards && { undoGuards: known.undoGuards }),
      ...(known.hold && { hold: known.hold }),
    };
  const undone = UNDO.exec(one.action)?.[1];
  if (undone !== undefined) {
    const base = all.find(
      ({ run, subject }) => run === undone && subjectKey(subject) === subjectKey(one.subject),
    );
    if (base === undefined) return { ok: false, reason: `the run it undoes, ${undone}, is not in the log` };
    const revived = revive(parts, base, all, memory, live);
    return revived.ok ? { ...revived, verify: inverse(revived.verify) } : revived;
  }
  const action = findAction(parts, one.action);
  if (action === undefined) return { ok: false, reason: `this program has no action ${one.action}` };
  const parameters = action.parameters.safeParse(asGiven(one.detail.parameters));
  if (!parameters.success) return { ok: false, reason: 'its parameters are no longer valid' };
  const exceed = Object.fromEntries(
    one.detail.exceeded.map(({ guard, reason }) => [numberOf(guard), reason]),
  );
  const looksBack = { before: one.detail.before ?? [] };
  const plan = action.plan([one.subject], parameters.data, contextOf(parts, live, exceed, looksBack));
  if ('refused' in plan) return { ok: false, reason: plan.reason };
  const target = plan.targets.find(({ subject }) => subject.id === one.subject.id);
  if (target)
    return {
      ok: true,
      verify: target.verify,
      lockGroups: target.lockGroups,
      ...(target.undoGuards && { undoGuards: target.undoGuards }),
      ...(target.hold && { hold: target.hold }),
    };
  return { ok: false, reason: plan.leftOut[0]?.reason ?? 'its plan no longer holds it' };
};

/** Parameters as they are typed: a schema takes text, the log keeps what it made of it. */
const asGiven = (parameters: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
    ]),
  );

/** Undone is what no longer reads as the run left it. */
export const inverse = (verify: Verification): Verification => ({
  ...verify,
  text: `no longer so: ${verify.text}`,
  check: (live) => {
    const { state, text } = verify.check(live);
    if (state === 'unread') return { state, text };
    return { state: state === 'yes' ? 'wait' : 'yes', text };
  },
});
