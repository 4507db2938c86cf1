import type { Past } from '../audit/past-runs.ts';
import type { Outcome } from '../model/action.ts';
import { subjectKey } from '../model/subject.ts';
import { keyOf } from '../audit/shared-lines.ts';
import { mayHaveTakenEffect } from '../audit/logged-actions.ts';
import type { LoggedAction } from '../audit/logged-actions.ts';
import type { Later } from './later.ts';
import type { EngineParts } from './parts.ts';
import type { PreparedTarget } from './prepared.ts';
import type { RunContext } from './run-context.ts';
import type { SharedActions } from './shared-actions.ts';

/**
 * Tells colleagues' consoles of an action before it is begun, or that nothing came of it. A line that could not be written is told to
 * the operator and tried again: what the lock in the same folder forbids it forbids all the same.
 */
export const tellShared = async (
  context: RunContext,
  { subject, object, steps, takesBack }: PreparedTarget,
  none = false,
): Promise<void> => {
  const { parts, plan, run } = context;
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
  const untold = await tellOrLater(parts.sharedActions, context.later, past, id, none);
  if (untold !== undefined) context.remark(untold);
};

/** Gives the words for the operator when it could not be written. `plan`: by which the line is sealed. */
const tellOrLater = async (
  actions: SharedActions,
  later: Later,
  past: Past,
  plan: string,
  none: boolean,
): Promise<string | undefined> => {
  const key = `line ${past.run} ${past.subject}`;
  const tell = (): Promise<string | undefined> =>
    actions.tell(past, keyOf(plan, past.run, past.subject), none);
  const problem = await tell();
  // What was to be told of it before must not be told after.
  if (problem === undefined) return void later.forget(key);
  const of = `the ${past.verb} of ${past.subject}`;
  const what = none
    ? `shared folder: colleagues do not see that nothing came of ${of}`
    : `shared folder: colleagues do not see ${of}`;
  return later.keep({ key, run: past.run, what, attempt: tell }, problem);
};

/**
 * What a console that is no more could not tell itself: that nothing came of it, or that its armed undo has undone it. Until then
 * its line holds up whoever wants to do it again.
 */
export const tellRecovered = async (
  parts: EngineParts,
  later: Later,
  one: LoggedAction,
  outcome: Outcome,
): Promise<void> => {
  const { run, subject, detail, intent } = one;
  if (parts.sharedActions === undefined) return;
  // An undo has no line of its own: done, it takes that of its run.
  const reached = one.reached && !(outcome === 'failed' && one.lost === true);
  const stands =
    detail.undoes === undefined ? mayHaveTakenEffect({ ...one, outcome, reached }) : outcome !== 'done';
  if (stands) return;
  const plan = detail.undoes === undefined ? detail.plan : detail.takesBack;
  // A log of a version that wrote no plan down wrote no sealed line either.
  if (plan === undefined) return;
  const past = {
    run: detail.undoes ?? run,
    verb: detail.verb,
    subject: subjectKey(subject),
    ...(detail.object !== undefined && { object: detail.object }),
    at: Date.parse(intent.at),
    by: intent.operator,
  };
  await tellOrLater(parts.sharedActions, later, past, plan, true);
};
