import type { Action, Plan, PlanTarget, Refusal, Reread } from '../model/action.ts';
import type { Judgement } from '../model/system.ts';
import type { Subject } from '../model/subject.ts';
import { nearestWord } from '../text/nearest.ts';
import { makeSafe } from '../text/safe.ts';
import { failingGuards, failText, guard, numberOf, refuse } from './guards.ts';
import { readsBefore } from './check-target.ts';
import { hashOf, NotShowable } from './commands.ts';
import { armedAfterMs, confirmTextOf, raiseDanger } from './danger.ts';
import { readGently, readLive, uniqueReads, withoutSamples } from './live.ts';
import { type EngineParts, contextOf } from './parts.ts';
import { type KnownPast, withCoolDown } from './cool-down.ts';
import { parseParameters } from './parameters.ts';
import { commandsOf, prepareTarget, type Prepared } from './prepared.ts';
import { findExceeded, lockReasons, splitReserved, type Reserved } from './reserved.ts';
import { checkTargets } from './targets.ts';

/** A reading this young need not be asked again before the card is drawn; before a byte is sent everything is. */
const YOUNG_MS = 5_000;

export const findAction = (parts: Pick<EngineParts, 'actionSets'>, id: string): Action | undefined =>
  parts.actionSets.flatMap(({ actions }) => actions).find((action) => action.id === id);

/** The dialog waits no longer for readings; what is missing then is found missing again before anything is sent. */
const READ_LIMIT_MS = 30_000;

const isRefusal = (value: object): value is Refusal => 'refused' in value;

/**
 * Makes the plan of an action: targets checked (guard 5), parameters parsed, the readings it rests on made young, guards tried.
 * A target whose guard fails now is left out with the guard's words; when none remains the plan is refused with the first.
 * `gently`: it is made anew for somebody who reads it.
 */
export const makePlan = async (
  parts: EngineParts,
  actionId: string,
  subjects: readonly Subject[],
  set: Readonly<Record<string, string>>,
  past: () => KnownPast,
  gently: boolean,
): Promise<Prepared | Refusal> => {
  const action = findAction(parts, actionId);
  if (action === undefined) return refuse(guard.parameters, unknownAction(parts, actionId));
  const reserved = splitReserved(set);
  if (isRefusal(reserved)) return reserved;
  const parsed = parseParameters(action, reserved.own);
  if (!parsed.ok) return refuse(guard.parameters, parsed.problem);
  const wrong = checkTargets(subjects, action.subject, parts.site);
  if (wrong) return wrong;
  const make: Maker = (chosen, judgement) => {
    const plan = action.plan(chosen, parsed.value, contextOf(parts, judgement, reserved.exceed));
    const free = isRefusal(plan) || action.repeatable === true;
    return free ? plan : withCoolDown(plan, past, () => parts.clock.now());
  };
  try {
    const plan = await settle(parts, make, subjects, reserved, gently);
    return isRefusal(plan) ? plan : prepare(parts, action, plan, reserved, make);
  } catch (error) {
    if (error instanceof NotShowable) return refuse(guard.shown, error.message);
    throw error;
  }
};

type Maker = (subjects: readonly Subject[], judgement: Judgement) => Plan | Refusal;

const unknownAction = (parts: EngineParts, id: string): string => {
  const known = parts.actionSets.flatMap(({ actions }) => actions.map((one) => one.id));
  const near = nearestWord(id, known);
  return `there is no action ${makeSafe(id, 60)}${near === undefined ? '' : `; is ${near} meant?`}`;
};

/** Plans, reads what the guards read, plans again, and takes out what its guards refuse, until nothing is refused any more. */
const settle = async (
  parts: EngineParts,
  make: Maker,
  subjects: readonly Subject[],
  reserved: Reserved,
  gently: boolean,
): Promise<Plan | Refusal> => {
  const begun = make(subjects, parts.reader.judgement());
  if (isRefusal(begun)) return begun;
  if (gently) await readGently(parts, begun.targets.flatMap(readsBefore), READ_LIMIT_MS);
  else await freshen(parts, begun);
  const leftOut: { subject: Subject; reason: string }[] = [];
  let chosen = subjects;
  let refusal: Refusal | undefined;
  let once = false;
  for (;;) {
    const judgement = withoutSamples(parts.reader.judgement());
    const plan = make(chosen, judgement);
    if (isRefusal(plan)) return refusal ?? plan;
    if (plan.targets.length === 0)
      return (
        refusal ?? refuse(guard.targets, plan.leftOut[0]?.reason ?? 'none of the targets can be acted on now')
      );
    const exceeded = findExceeded(plan, reserved);
    if (isRefusal(exceeded)) return exceeded;
    const failing = plan.targets.flatMap((target) => {
      const failed = failedGuard(target, judgement, exceeded);
      return failed ? [{ subject: target.subject, failed }] : [];
    });
    const early = once ? [] : failing.flatMap(({ failed: { again } }) => again ?? []);
    if (early.length > 0) {
      once = true;
      await parts.clock.sleep(Math.max(...early.map(({ afterMs }) => afterMs)));
      const reads = early.flatMap((one) => one.reads);
      if (gently) await readGently(parts, reads, READ_LIMIT_MS);
      else await readLive(parts, reads, { limitMs: READ_LIMIT_MS });
      continue;
    }
    const [first] = failing;
    if (first === undefined) return { ...plan, exceeded, leftOut: [...plan.leftOut, ...leftOut] };
    refusal ??= first.failed.no;
    leftOut.push(...failing.map(({ subject, failed }) => ({ subject, reason: failed.no.reason })));
    const out = new Set([...failing, ...plan.leftOut].map(({ subject }) => subject.id));
    leftOut.push(...plan.leftOut);
    chosen = chosen.filter(({ id }) => !out.has(id));
    if (chosen.length === 0) return refusal;
  }
};

/** `again`: what is to be read once more before that is the last word. */
interface Failed {
  no: Refusal;
  again?: { reads: readonly Reread[]; afterMs: number };
}

const failedGuard = (
  target: PlanTarget,
  judgement: Judgement,
  exceeded: Plan['exceeded'],
): Failed | undefined => {
  if (target.whyAlreadyDone(judgement) !== undefined) return undefined;
  const failing = failingGuards(target, exceeded, judgement);
  const [first] = failing;
  if (first === undefined) return undefined;
  const waits = failing.flatMap(({ again }) => again ?? []);
  return {
    no: refuse(first.id, failText(failing)),
    ...(waits.length > 0 && {
      again: {
        reads: waits.flatMap(({ reads }) => reads),
        afterMs: Math.max(...waits.map(({ afterMs }) => afterMs)),
      },
    }),
  };
};

/** Whoever reads the card decides by it: what its guards look at is at most a few seconds old. */
const freshen = async (parts: EngineParts, plan: Plan): Promise<void> => {
  const { readings, mono } = parts.reader.judgement();
  const reads = plan.targets.flatMap(readsBefore);
  const old = uniqueReads(reads).filter(({ probe, host }) => {
    const source = readings.source(probe, host);
    return source?.state !== 'fresh' || mono - (source.good?.mono ?? -Infinity) > YOUNG_MS;
  });
  await readLive(parts, old, { limitMs: READ_LIMIT_MS });
};

const prepare = (
  parts: EngineParts,
  action: Action,
  plan: Plan,
  reserved: Reserved,
  make: Maker,
): Prepared | Refusal => {
  const danger = plan.exceeded.length > 0 ? raiseDanger(plan.danger) : plan.danger;
  const targets = plan.targets.map((target) =>
    prepareTarget(target, (live) => staleness(target, live, make)),
  );
  const chosen = targets.map(({ subject }) => subject);
  const wrong = checkTargets(chosen, action.subject, parts.site);
  if (wrong) return wrong;
  const confirmText = confirmTextOf(danger, plan.verb, chosen);
  const isUnarmed = plan.exceeded.some(({ guard: id }) => numberOf(id) === numberOf(guard.armed));
  return {
    id: `p-${parts.makeId()}`,
    action: plan.action,
    title: plan.title,
    verb: plan.verb,
    danger,
    targets,
    leftOut: plan.leftOut,
    users: plan.users,
    because: plan.because,
    afterwards: plan.afterwards,
    ...(plan.measures !== undefined && { measures: plan.measures }),
    undoText: plan.undoText,
    parameters: plan.parameters,
    exceeded: plan.exceeded,
    hash: hashOf(targets.flatMap(commandsOf)),
    ...lockReasons(reserved),
    // Guard 9: the operator types that nothing will undo it.
    confirmText: isUnarmed ? `${confirmText} without undo` : confirmText,
    armedAfterMs: armedAfterMs(danger),
    madeAt: { mono: parts.clock.mono(), wall: parts.clock.now() },
    shownAt: parts.clock.mono(),
  };
};

/** Guard 3: the plan made anew from live readings must send, and undo, the very same bytes. */
const staleness = (shown: PlanTarget, live: Judgement, make: Maker): string | undefined => {
  const plan = make([shown.subject], live);
  if (isRefusal(plan)) return `it would be refused now (${plan.guard}): ${plan.reason}`;
  const now = plan.targets.find(({ subject }) => subject.id === shown.subject.id);
  if (now === undefined)
    return (
      plan.leftOut.find(({ subject }) => subject.id === shown.subject.id)?.reason ??
      'it would be left out now'
    );
  const bytes = (target: PlanTarget): string => {
    const prepared = prepareTarget(target, () => undefined);
    return hashOf([...commandsOf(prepared), ...(prepared.undo ?? [])]);
  };
  return bytes(now) === bytes(shown)
    ? undefined
    : 'the readings have changed: the plan would hold other commands now';
};
