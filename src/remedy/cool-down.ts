import type { Guard, GuardResult, Plan } from '../model/action.ts';
import { subjectKey, type Subject } from '../model/subject.ts';
import { age } from '../text/ages.ts';
import { visible } from '../text/safe.ts';
import { guard } from './guards.ts';
import type { Told } from './open-items.ts';

/** Something that was done to a subject, here or by a colleague. */
export interface Past {
  run: string;
  verb: string;
  /** `node n1`. */
  subject: string;
  /** UTC ms. */
  at: number;
  by: string;
}

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
    at: Date.parse(intent.at),
    by: intent.operator,
  }));

/** Whether its commands took effect, or may have. */
export const counts = ({ outcome, detail, undone, reached }: Told): boolean => {
  if (detail.commands.length === 0 || detail.undoes !== undefined || undone) return false;
  if (outcome === 'refused' || outcome === 'nothing' || outcome === 'undone') return false;
  return outcome !== 'failed' || reached;
};

/**
 * Guard 13: not again within 10 minutes, and not a third time within 24 hours. `past` may hold the same run twice, from the audit
 * log and from the shared folder.
 */
export const coolDown = (past: readonly Past[], verb: string, subject: Subject, now: number): GuardResult => {
  const key = subjectKey(subject);
  const same = past.filter((one) => one.verb === verb && one.subject === key && now - one.at < DAY_MS);
  const runs = [...new Map(same.map((one) => [one.run, one])).values()].sort((a, b) => b.at - a.at);
  const last = runs[0];
  if (last === undefined) return { ok: true, text: `${verb} of ${subject.id}: not done in the last 24 h` };
  const ago = `${age(Math.max(0, now - last.at))} ago by ${visible(last.by, 60)}`;
  if (runs.length >= MOST)
    return {
      ok: false,
      text: `${verb} of ${subject.id} was done ${runs.length} times in 24 h, last ${ago}: stop, this is hardware; ${again}`,
    };
  if (now - last.at < COOL_MS)
    return { ok: false, text: `${verb} of ${subject.id} was done ${ago}: wait 10 min and see; ${again}` };
  return { ok: true, text: `${verb} of ${subject.id}: done once in 24 h, ${ago}` };
};

const again = 'to do it all the same: --set exceed13="why"';

/** The guard on one target. `past` and `now` are asked each time: a colleague may have been quicker. */
const guardOf = (verb: string, subject: Subject, past: () => readonly Past[], now: () => number): Guard => ({
  id: guard.coolDown,
  text: 'not done within 10 min, nor twice within 24 h, here or by a colleague',
  reads: [],
  absolute: false,
  check: () => coolDown(past(), verb, subject, now()),
});

/** A plan whose targets carry guard 13. */
export const withCoolDown = (plan: Plan, past: () => readonly Past[], now: () => number): Plan => ({
  ...plan,
  targets: plan.targets.map((target) =>
    target.steps.length === 0
      ? target
      : { ...target, guards: [...target.guards, guardOf(plan.verb, target.subject, past, now)] },
  ),
});
