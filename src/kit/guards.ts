import type {
  GuardResult,
  Refusal,
  Reread,
  Verification,
  ParameterPrompt,
  Plan,
  PlanContext,
  PlanTarget,
} from '../model/action.ts';
import type { Subject } from '../model/subject.ts';
import type { Judgement } from '../model/system.ts';

/** What a guard says. */
export const passGuard = (text: string): GuardResult => ({ ok: true, text });
export const failGuard = (text: string): GuardResult => ({ ok: false, text });

/** A guard whose check looks for a problem: no without one. */
export const passUnless = (problem: string | undefined, fine: string): GuardResult =>
  problem === undefined ? passGuard(fine) : failGuard(problem);

/** What a verification says while it may still come. */
export const waitUnless = (isSo: boolean, text: string): ReturnType<Verification['check']> => ({
  state: isSo ? 'yes' : 'wait',
  text,
});

/** One probe to be asked again on each of these hosts, once. */
export const rereads = (probe: string, ...hosts: readonly string[]): Reread[] =>
  [...new Set(hosts)].map((host) => ({ probe, host }));

/** Why there is no plan. */
export const refusal = (guard: string, reason: string): Refusal => ({ refused: true, guard, reason });

/** A target that was asked for and is no part of the plan. */
export interface LeftOut {
  subject: Subject;
  /** The guard that keeps it out. */
  guard: string;
  reason: string;
}

/** The refusal when every target is left out: the first reason, and how many more there are. */
export const refuseEmpty = (leftOut: readonly LeftOut[]): Refusal => {
  const [first] = leftOut;
  if (!first) return refusal('5 targets', 'nothing is chosen; an empty choice never means all');
  const more = leftOut.length > 1 ? ` (and ${leftOut.length - 1} more left out)` : '';
  return refusal(first.guard, `${first.subject.id}: ${first.reason}${more}`);
};

/** The typed reason that lets a plan go past guard 6, at the price of one danger class (which the engine adds). */
export const beyondLimitPrompt = (limit: string): ParameterPrompt => ({
  name: 'beyondLimit',
  label: `beyond ${limit}: why`,
  required: false,
  exceeds: '6',
});

/** The guard of this number as exceeded: only when a reason was typed and one of the targets does go past it. */
export const exceededGuard = (
  number: string,
  targets: readonly PlanTarget[],
  reason: string | undefined,
  { judgement, exceed }: PlanContext,
): Plan['exceeded'] => {
  const typed = reason ?? exceed?.[number];
  if (typed === undefined) return [];
  const beyond = targets
    .flatMap(({ guards }) => guards)
    .find(({ id, check }) => id.startsWith(`${number} `) && !check(judgement).ok);
  return beyond ? [{ guard: beyond.id, reason: typed }] : [];
};

/** A target whose guards and verification look at a part of the site only: one cluster, one pool. `own` gives that part of a judgement taken later. */
export const narrowTarget = (target: PlanTarget, own: (live: Judgement) => Judgement): PlanTarget => {
  const { guards, verify, whyAlreadyDone, undoGuards } = target;
  const { settles } = verify;
  const narrowGuard = (guard: PlanTarget['guards'][number]): typeof guard => ({
    ...guard,
    check: (live) => guard.check(own(live)),
  });
  return {
    ...target,
    whyAlreadyDone: (live) => whyAlreadyDone(own(live)),
    guards: guards.map(narrowGuard),
    ...(undoGuards && { undoGuards: undoGuards.map(narrowGuard) }),
    verify: {
      ...verify,
      check: (live) => verify.check(own(live)),
      ...(settles && {
        settles: {
          ...settles,
          ...(settles.whyPending && { whyPending: (live: Judgement) => settles.whyPending?.(own(live)) }),
        },
      }),
    },
  };
};
