import type { Guard, GuardResult, Plan, PlanTarget } from '../model/action.ts';
import { subjectKey, type Subject } from '../model/subject.ts';
import { age } from '../text/ages.ts';
import { visible } from '../text/safe.ts';
import { guard } from './guards.ts';
import type { Past } from '../audit/past-runs.ts';
import { counts, type Told } from '../audit/told.ts';

const COOL_MS = 10 * 60_000;
const DAY_MS = 24 * 3_600_000;
/** So often in 24 h; one more and it is no longer a remedy. */
const MOST = 2;

/**
 * What of the audit log counts against doing it again: what took effect or may have. Not what was refused, was so already, never
 * left this machine or was undone, and no undo: putting something back is never held up.
 */
export const pastOf = (told: readonly Told[]): readonly Past[] =>
  told.filter(counts).map(({ run, detail, subject, intent }) => ({
    run,
    verb: detail.verb,
    subject: subjectKey(subject),
    ...(detail.object !== undefined && { object: detail.object }),
    at: Date.parse(intent.at),
    by: intent.operator,
  }));

/**
 * Guard 13: not again within 10 minutes, and not a third time within 24 hours. `past` may hold the same run twice, from the audit
 * log and from the shared folder. Two objects of one subject are no repetition of each other; what was done to all of it is one of each.
 */
export const coolDown = (
  past: readonly Past[],
  verb: string,
  subject: Subject,
  now: number,
  object?: string,
): GuardResult => {
  const same = past.filter(
    (one) =>
      isOf(one, verb, subject) &&
      now - one.at < DAY_MS &&
      (object === undefined || one.object === undefined || one.object === object),
  );
  const what = object === undefined ? subject.id : `${subject.id} ${visible(object, 100)}`;
  const runs = [...new Map(same.map((one) => [one.run, one])).values()].sort((a, b) => b.at - a.at);
  const last = runs[0];
  if (last === undefined) return { ok: true, text: `${verb} of ${what}: not done in the last 24 h` };
  const ago = `${age(Math.max(0, now - last.at))} ago by ${visible(last.by, 60)}`;
  if (runs.length >= MOST)
    return {
      ok: false,
      text: `${verb} of ${what} was done ${runs.length} times in 24 h, last ${ago}: stop, this is hardware; ${again}`,
    };
  if (now - last.at < COOL_MS)
    return { ok: false, text: `${verb} of ${what} was done ${ago}: wait 10 min and see; ${again}` };
  return { ok: true, text: `${verb} of ${what}: done once in 24 h, ${ago}` };
};

const again = 'to do it all the same: --set exceed13="why"';

const isOf = (one: Past, verb: string, subject: Subject): boolean =>
  one.verb === verb && one.subject === subjectKey(subject);

/** What of it was done lately, for when it is not chosen yet what the next is to be: each object, or all of it. */
export const objectsOf = (
  past: readonly Past[],
  verb: string,
  subject: Subject,
): readonly (string | undefined)[] => [
  ...new Set(past.filter((one) => isOf(one, verb, subject)).map(({ object }) => object)),
];

/** The guard on one target. `past` and `now` are asked each time: a colleague may have been quicker. */
const guardOf = (
  verb: string,
  { subject, object }: PlanTarget,
  past: () => readonly Past[],
  now: () => number,
): Guard => ({
  id: guard.coolDown,
  text: 'not done within 10 min, nor twice within 24 h, here or by a colleague',
  reads: [],
  absolute: false,
  check: () => coolDown(past(), verb, subject, now(), object),
});

/** A plan whose targets carry guard 13. */
export const withCoolDown = (plan: Plan, past: () => readonly Past[], now: () => number): Plan => ({
  ...plan,
  targets: plan.targets.map((target) =>
    target.steps.length === 0
      ? target
      : { ...target, guards: [...target.guards, guardOf(plan.verb, target, past, now)] },
  ),
});
