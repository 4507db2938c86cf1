import type { Plan, PlanTarget, Refusal } from '../../../src/model/action.ts';
import { refuseEmpty, type LeftOut } from '../../../src/kit/guards.ts';
import { planOf } from '../../../src/kit/offers.ts';
import type { Subject } from '../../../src/model/subject.ts';

/** A plan for these hosts, one target each; those for which there is none are left out with the reason. */
export const planHosts = (
  action: Parameters<typeof planOf>[0],
  frame: Pick<Plan, 'title' | 'afterwards' | 'undoText'> & Partial<Pick<Plan, 'parameters'>>,
  subjects: readonly Subject[],
  make: (subject: Subject) => { target: PlanTarget; because: readonly string[] } | Refusal,
): Plan | Refusal => {
  const made = subjects.map((subject) => ({ subject, found: make(subject) }));
  const good = made.flatMap(({ found }) => ('refused' in found ? [] : [found]));
  const leftOut = made.flatMap(({ subject, found }): LeftOut[] =>
    'refused' in found ? [{ subject, guard: found.guard, reason: found.reason }] : [],
  );
  if (good.length === 0) return refuseEmpty(leftOut);
  return planOf(action, {
    ...frame,
    title: `${frame.title} ${good.map(({ target }) => target.subject.id).join(', ')}`,
    targets: good.map(({ target }) => target),
    leftOut,
    because: good.flatMap(({ because }) => because),
  });
};
