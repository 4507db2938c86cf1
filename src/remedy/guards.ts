import type { Guard, GuardResult, Plan, PlanTarget, Reread } from '../model/action.ts';
import type { Judgement } from '../model/system.ts';
import { count } from '../text/units.ts';

/**
 * What a guard says of these readings. Its "ok" counts only when all that it reads is of now and whole: a table of which a line was
 * not understood may lack just the row that would have spoken against it. Never throws: a guard that can't be checked is not met.
 */
export const checkGuard = (guard: Guard, live: Judgement): GuardResult => {
  try {
    const said = guard.check(live);
    const unread = said.ok ? unreadOf(guard, live) : undefined;
    return unread === undefined ? said : { ok: false, text: `not known whether ${guard.text}: ${unread}` };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, text: `not known whether ${guard.text}: it could not be checked: ${why}` };
  }
};

/** A guard that is in the way. `again`: what it reads may say otherwise when it is read once more. */
export interface FailingGuard {
  id: string;
  text: string;
  again?: { reads: readonly Reread[]; afterMs: number };
}

/**
 * All guards of a target that are not met and not exceeded: who mends one must know of the others. Where one of them is absolute, only the
 * absolute ones: a guard that can be exceeded says how, which would not help there.
 */
export const failingGuards = (
  { guards }: Pick<PlanTarget, 'guards'>,
  exceeded: Plan['exceeded'],
  live: Judgement,
): readonly FailingGuard[] => {
  const isExceeded = ({ id, absolute }: Guard): boolean =>
    !absolute && exceeded.some(({ guard: other }) => numberOf(other) === numberOf(id));
  const failing = guards.flatMap((one) => {
    const result = checkGuard(one, live);
    return result.ok || isExceeded(one) ? [] : [{ one, result }];
  });
  const absolute = failing.filter(({ one }) => one.absolute);
  return (absolute.length > 0 ? absolute : failing).map(({ one: { id, reads }, result }) => ({
    id,
    text: result.text,
    ...(result.againMs !== undefined && { again: { reads, afterMs: result.againMs } }),
  }));
};

/** What all of them say, each thing once. */
export const failText = (failing: readonly FailingGuard[]): string =>
  [...new Set(failing.map(({ text }) => text))].join('; ');

const unreadOf = ({ reads, ownRow }: Guard, { readings }: Judgement): string | undefined => {
  for (const { probe, host } of reads) {
    const source = readings.source(probe, host);
    if (source?.state !== 'fresh' || source.good === undefined)
      return source?.failure?.message ?? `${host} gave no fresh answer to ${probe}`;
    const odd = source.good.notUnderstood;
    if (odd > 0 && !ownRow)
      return `${count(odd, 'line')} of what ${host} answered to ${probe} ${odd === 1 ? 'was' : 'were'} not understood`;
  }
  return undefined;
};

/** The engine's own guards by their numbers in docs/design.md (Guards); an action's guards carry theirs in `Guard.id`. */
export const guard = {
  readOnly: '1 read-only',
  shown: '2 shown is sent',
  stale: '3 plan is stale',
  targets: '5 targets',
  confirmation: '8 confirmation',
  armed: '9 armed undo',
  unknown: '10 unknown',
  once: '11 at most once',
  lock: '12 lock',
  coolDown: '13 cool-down',
  audit: '14 audit',
  expired: '15 expiry',
  parameters: 'parameters',
} as const;

/** The number in front of a guard's id: two guards of one number are exceeded together. */
export const numberOf = (id: string): string => /^\d+/.exec(id)?.[0] ?? id;

export const refuse = (id: string, reason: string): { refused: true; guard: string; reason: string } => ({
  refused: true,
  guard: id,
  reason,
});
