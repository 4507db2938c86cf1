import type { Refusal } from '../model/action.ts';
import type { Clock } from '../model/ports.ts';
import { subjectKey } from '../model/subject.ts';
import { hashOf } from './commands.ts';
import { EXPIRES_MS } from './plan-card.ts';
import type { Prepared } from './prepared.ts';

/** What waits to be confirmed, or for its guards to hold again. */
export type Waiting = Prepared | (Refusal & Pick<Prepared, 'madeAt'>);

/** The monotonic clock stands still while the machine sleeps, the wall clock may be set: whichever says so first. */
export const isExpired = ({ madeAt }: Waiting, clock: Clock): boolean =>
  clock.mono() - madeAt.mono > EXPIRES_MS || clock.now() - madeAt.wall > EXPIRES_MS;

/** All that a person agrees to: the bytes that are sent and that undo it, on which targets, and what must be typed for it. */
const identityOf = ({ targets, hash, confirmText, exceeded }: Prepared): string =>
  JSON.stringify([
    hash,
    confirmText,
    exceeded,
    targets.map(({ subject, undo }) => [subjectKey(subject), undo && hashOf(undo)]),
  ]);

/**
 * A plan that is being read is made anew, by readings of the last seconds. It keeps its id while it sends, and undoes, the very same
 * bytes on the same targets; else it has another, and the old one can't be confirmed any more. Refused, it waits for its guards to
 * hold again. Undefined: it was confirmed or dropped meanwhile, and does not come back (guard 11).
 */
export const renewPlan = async (
  plans: Map<string, Waiting>,
  id: string,
  make: () => Promise<Prepared | Refusal>,
  clock: Clock,
): Promise<Prepared | Refusal | undefined> => {
  if (!plans.has(id)) return undefined;
  const made = await make();
  const old = plans.get(id);
  if (old === undefined) return undefined;
  if ('refused' in made) {
    plans.set(id, { ...made, madeAt: { mono: clock.mono(), wall: clock.now() } });
    return made;
  }
  const isSame = !('refused' in old) && !isExpired(old, clock) && identityOf(old) === identityOf(made);
  const plan: Prepared = isSame ? { ...made, id, shownAt: old.shownAt } : made;
  plans.delete(id);
  plans.set(plan.id, plan);
  return plan;
};
