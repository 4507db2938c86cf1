import type { ParameterPrompt, Plan, PlanContext, PlanTarget } from '../model/action.ts';

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
