import type {
  Action,
  Guard,
  GuardResult,
  ParameterPrompt,
  Plan,
  PlanContext,
  PlanTarget,
  Refusal,
} from '../model/action.ts';
import type { Subject } from '../model/subject.ts';
import type { Judgement } from '../model/system.ts';
import { numberOf } from './guards.ts';

/**
 * Whether an action can be had on these subjects now, and why not. Unavailable actions stay in the menu. `prompts`: what it asks for
 * on these subjects besides its own.
 */
export type Offer =
  | { available: true; note: string; prompts?: readonly ParameterPrompt[] }
  | { available: false; reason: string };

const unavailableOffer = (reason: string): Offer => ({ available: false, reason });

/**
 * What the menu says of an action: it can be had when its plan can be made, something is left to do, and by what was read no guard
 * stands against all of it, but those for which the dialog asks a reason. The one place that decides it, for every action.
 */
export const offerOf = (action: Action, subjects: readonly Subject[], context: PlanContext): Offer => {
  const { askTyped: typed, tryWith } = action.menu;
  if (typed) {
    const said = typed(subjects, context);
    return typeof said === 'string' ? { available: true, note: said } : unavailableOffer(said.reason);
  }
  const given = tryWith?.(subjects, context) ?? [action.parameters.parse({})];
  if ('refused' in given) return unavailableOffer(given.reason);
  let first: Offer | undefined;
  for (const parameters of given) {
    const offer = offerOfPlan(action, action.plan(subjects, parameters, context), context);
    if (offer.available) return offer;
    first ??= offer;
  }
  return first ?? unavailableOffer('nothing can be chosen');
};

const offerOfPlan = (action: Action, plan: Plan | Refusal, context: PlanContext): Offer => {
  if ('refused' in plan) return unavailableOffer(plan.reason);
  const { judgement } = context;
  const { menu } = action;
  const already = plan.targets.map((target) => target.whyAlreadyDone(judgement));
  const open = plan.targets.filter((_target, index) => already[index] === undefined);
  if (open.length === 0) return unavailableOffer(menu.whyDone ?? already[0] ?? 'nothing is left to do');
  const prompts = menu.prompts?.(plan, context) ?? [];
  const asked = new Set([...action.prompts, ...prompts].flatMap(({ exceeds }) => exceeds ?? []));
  const failing = open.map((target) => failingGuards(target, judgement));
  const isAsked = ({ guard }: Failing): boolean => !guard.absolute && asked.has(numberOf(guard.id));
  const against = failing.map((all) => all.find((one) => !isAsked(one)));
  if (against[0] && !against.includes(undefined)) return unavailableOffer(against[0].result.text);
  const own = typeof menu.note === 'string' ? menu.note : menu.note(plan, context, open);
  const beyond = failing
    .flat()
    .find(({ guard }) =>
      action.prompts.some(({ exceeds }) => !guard.absolute && exceeds === numberOf(guard.id)),
    );
  const note = beyond === undefined ? own : beyondText(beyond);
  return { available: true, note, ...(prompts.length > 0 && { prompts }) };
};

interface Failing {
  guard: Guard;
  result: GuardResult;
}

const beyondText = ({ guard, result }: Failing): string =>
  numberOf(guard.id) === '6' ? `beyond the limit: ${result.text}` : result.text;

const failingGuards = ({ guards }: PlanTarget, judgement: Judgement): readonly Failing[] =>
  guards
    .filter((guard) => isRead(guard, judgement))
    .map((guard) => ({ guard, result: guard.check(judgement) }))
    // What one more reading may tell otherwise is read when the plan is made.
    .filter(({ result }) => !result.ok && result.againMs === undefined);

/**
 * Whether all that a guard looks at was asked for. What is asked on demand only is asked anew when the plan is made: until then it
 * is of another time, and speaks against nothing.
 */
const isRead = ({ reads }: Guard, { readings }: Judgement): boolean =>
  reads.every(({ probe, host }) => {
    const source = readings.source(probe, host);
    return (
      source !== undefined &&
      source.everyMs > 0 &&
      source.state !== 'notAsked' &&
      (source.good ?? source.failure) !== undefined
    );
  });
