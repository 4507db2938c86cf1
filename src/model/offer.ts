import type { Offer, Plan, PlanContext, PlanTarget, Refusal } from './action.ts';

/** The menu's entry for a plan: there when it can be made and something is left to do. */
export const offerOf = (
  plan: Plan | Refusal,
  { judgement }: PlanContext,
  done: string,
  note: (plan: Plan, open: readonly PlanTarget[]) => string,
): Offer => {
  if ('refused' in plan) return { available: false, reason: plan.reason };
  const open = plan.targets.filter((target) => target.already(judgement) === undefined);
  return open.length === 0 ? { available: false, reason: done } : { available: true, note: note(plan, open) };
};

/** What the menu says of targets that can be had only by exceeding a limit; `fine` of others. */
export const beyondNote = (
  targets: readonly PlanTarget[],
  { judgement }: PlanContext,
  fine: string,
): string => {
  const failed = targets
    .flatMap(({ guards }) => guards.map((one) => one.check(judgement)))
    .find(({ ok }) => !ok);
  return failed ? `beyond the limit: ${failed.text}` : fine;
};
