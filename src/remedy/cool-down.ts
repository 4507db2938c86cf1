import type { Guard, GuardResult, Plan, PlanTarget } from '../model/action.ts';
import { subjectKey, type Subject } from '../model/subject.ts';
import { age } from '../text/ages.ts';
import { makeSafe } from '../text/safe.ts';
import { guard } from './guards.ts';
import type { Past } from '../audit/past-runs.ts';
import { mayHaveTakenEffect, type LoggedAction } from '../audit/logged-actions.ts';

/** What was done lately, here and by colleagues. `unclear`: why that may not be all. */
export interface KnownPast {
  past: readonly Past[];
  unclear?: string;
}

/** Clocks of consoles may differ by this, ms. */
const SKEW_MS = 5 * 60_000;
const COOL_MS = 10 * 60_000;
const DAY_MS = 24 * 3_600_000;
/** So often in 24 h; one more and it is no longer a remedy. */
const MOST = 2;

/**
 * What of the audit log counts against doing it again: what took effect or may have. Not what was refused, was so already, never
 * left this machine or was undone, and no undo: putting something back is never held up.
 */
export const pastOf = (told: readonly LoggedAction[]): readonly Past[] =>
  told.filter(mayHaveTakenEffect).map(({ run, detail, subject, intent }) => ({
    run,
    verb: detail.verb,
    subject: subjectKey(subject),
    ...(detail.object !== undefined && { object: detail.object }),
    at: Date.parse(intent.at),
    by: intent.operator,
  }));

/** What guard 13 says. `lately`: what was done and how long ago, without how to do it all the same. */
export type CoolDown = { ok: true; text: string } | { ok: false; text: string; lately: string };

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
): CoolDown => {
  const same = past.filter(
    (one) =>
      isOf(one, verb, subject) &&
      now - one.at < DAY_MS &&
      (object === undefined || one.object === undefined || one.object === object),
  );
  const what = object === undefined ? subject.id : `${subject.id} ${makeSafe(object, 100)}`;
  // Of two lines of one run the newer counts: an old one beside it frees nothing.
  const newest = same.toSorted((a, b) => b.at - a.at);
  const runs = newest.filter((one, at) => newest.findIndex(({ run }) => run === one.run) === at);
  const last = runs[0];
  if (last === undefined) return { ok: true, text: `${verb} of ${what}: not done in the last 24 h` };
  const ago = `${age(Math.max(0, now - last.at))} ago by ${makeSafe(last.by, 60)}${doubtOf(last, now)}`;
  if (runs.length >= MOST)
    return tooSoon(
      `${verb} of ${what} was done ${runs.length} times in 24 h, last ${ago}: stop here and suspect the hardware`,
    );
  if (now - last.at < COOL_MS)
    return tooSoon(`${verb} of ${what} was done ${ago}: wait 10 min for its effect`);
  return { ok: true, text: `${verb} of ${what}: done once in 24 h, ${ago}` };
};

/** Whoever decides against a line must know whose it is and what is wrong with it. */
const doubtOf = ({ at, run, doubt }: Past, now: number): string => {
  const late =
    at - now > SKEW_MS
      ? `it is dated ${new Date(at).toISOString()}, in the future, and counts as now`
      : undefined;
  const said = [late, doubt].filter((one) => one !== undefined).join('; ');
  return said === '' ? '' : ` (run ${makeSafe(run, 60)}: ${makeSafe(said, 200)})`;
};

const again = 'to do it anyway: --set exceed13="why"';

const tooSoon = (lately: string): CoolDown => ({ ok: false, text: `${lately}; ${again}`, lately });

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

/** The same where it is not sure that all is known: what is not known is not "not done". */
const coolDownOf = (
  { past, unclear }: KnownPast,
  verb: string,
  subject: Subject,
  now: number,
  object?: string,
): GuardResult => {
  const said = coolDown(past, verb, subject, now, object);
  return said.ok && unclear !== undefined
    ? {
        ok: false,
        text: `${verb} of ${subject.id}: not known whether a colleague did it in the last 24 h: ${unclear}; ${again}`,
      }
    : said;
};

/** The guard on one target. `past` and `now` are asked each time: a colleague may have been quicker. */
const guardOf = (
  verb: string,
  { subject, object }: PlanTarget,
  known: () => KnownPast,
  now: () => number,
): Guard => ({
  id: guard.coolDown,
  text: 'last run > 10 min ago, fewer than 2 in 24 h',
  reads: [],
  absolute: false,
  check: () => coolDownOf(known(), verb, subject, now(), object),
});

/** A plan whose targets carry guard 13. */
export const withCoolDown = (plan: Plan, known: () => KnownPast, now: () => number): Plan => ({
  ...plan,
  targets: plan.targets.map((target) =>
    target.steps.length === 0
      ? target
      : { ...target, guards: [...target.guards, guardOf(plan.verb, target, known, now)] },
  ),
});
