import type { Reread } from '../model/action.ts';
import { checkGuard, failingGuards, failText, guard } from './guards.ts';
import { firstMissing, uniqueReads, type Live } from './live.ts';
import type { Prepared, PreparedTarget } from './prepared.ts';

/** What each guard said on the live readings: goes into the intent, as the evidence on which the command was sent. */
export interface GuardNote {
  id: string;
  text: string;
  exceeded?: true;
}

export type Checked =
  | { state: 'go'; notes: readonly GuardNote[] }
  | { state: 'nothing'; text: string }
  | { state: 'refused'; guard: string; text: string };

/** What must be read before a target is touched: what its guards look at; without any, what will verify it. */
export const readsBefore = (target: Pick<PreparedTarget, 'guards' | 'verify'>): readonly Reread[] => {
  const reads = uniqueReads(target.guards.flatMap((one) => one.reads));
  return reads.length > 0 ? reads : target.verify.reads;
};

/**
 * The last look before a byte is sent (guards 3, 4, 6, 11): unreadable is stale; already so is nothing to do; then each guard;
 * then the plan itself must come out the same. An action that throws refuses.
 */
export const checkTarget = (
  plan: Pick<Prepared, 'exceeded'>,
  target: PreparedTarget,
  read: Live,
  since: number,
): Checked => {
  const { judgement: live } = read;
  const missing = firstMissing(live, readsBefore(target), since);
  // Of what was not asked at all an answer that is late would be the wrong reason.
  if (missing !== undefined)
    return refuseStale(
      `the plan could not be checked again: ${(read.ok ? undefined : read.notAsked) ?? missing}`,
    );
  try {
    const already = target.whyAlreadyDone(live);
    if (already !== undefined) return { state: 'nothing', text: already };
    const failing = failingGuards(target, plan.exceeded, live);
    const [first] = failing;
    if (first !== undefined) return { state: 'refused', guard: first.id, text: failText(failing) };
    const notes = target.guards.map((one): GuardNote => {
      const { ok, text } = checkGuard(one, live);
      return { id: one.id, text, ...(!ok && { exceeded: true }) };
    });
    const changed = target.whyStale(live);
    return changed === undefined ? { state: 'go', notes } : refuseStale(changed);
  } catch (error) {
    return refuseStale(
      `the plan could not be checked: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
};

const refuseStale = (why: string): Checked => ({
  state: 'refused',
  guard: guard.stale,
  text: why,
});
