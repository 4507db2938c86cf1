import type { PlanTarget } from '../model/action.ts';
import type { Judgement } from '../model/system.ts';

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
