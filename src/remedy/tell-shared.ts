import type { Outcome } from '../model/action.ts';
import { subjectKey } from '../model/subject.ts';
import { keyOf } from '../audit/shared-lines.ts';
import { counts } from '../audit/told.ts';
import type { Told } from '../audit/told.ts';
import type { EngineParts } from './parts.ts';
import type { PreparedTarget } from './prepared.ts';
import type { RunContext } from './run-context.ts';

/**
 * Tells colleagues' consoles of an action before it is begun, or that nothing came of it. The lock in the same folder has just
 * been had: a folder that fails now is worth a line in the log, no more.
 */
export const tellShared = async (
  { parts, plan, run }: RunContext,
  { subject, object, steps, takesBack }: PreparedTarget,
  none = false,
): Promise<void> => {
  if (parts.sharedActions === undefined || steps.length === 0) return;
  const id = plan.undoes === undefined ? plan.id : takesBack;
  // What was undone counts no more; the undo itself never did.
  if ((plan.undoes !== undefined && !none) || id === undefined) return;
  const past = {
    run: plan.undoes ?? run,
    verb: plan.verb,
    subject: subjectKey(subject),
    ...(object !== undefined && { object }),
    at: parts.clock.now(),
    by: parts.operator.name,
  };
  const problem = await parts.sharedActions.tell(past, keyOf(id, past.run, past.subject), none);
  if (problem !== undefined) parts.log(`run ${run}: not told to colleagues: ${problem}`);
};

/**
 * What a console that is no more could not tell itself: that nothing came of it, or that its armed undo has undone it. Until then
 * its line holds up whoever wants to do it again.
 */
export const tellRecovered = async (parts: EngineParts, one: Told, outcome: Outcome): Promise<void> => {
  const { run, subject, detail, intent } = one;
  if (parts.sharedActions === undefined || detail.undoes !== undefined || counts({ ...one, outcome })) return;
  // A log of a version that wrote no plan down wrote no sealed line either.
  if (detail.plan === undefined) return;
  const past = {
    run,
    verb: detail.verb,
    subject: subjectKey(subject),
    ...(detail.object !== undefined && { object: detail.object }),
    at: Date.parse(intent.at),
    by: intent.operator,
  };
  const problem = await parts.sharedActions.tell(past, keyOf(detail.plan, run, past.subject), true);
  if (problem !== undefined) parts.log(`run ${run}: colleagues were not told what became of it: ${problem}`);
};
