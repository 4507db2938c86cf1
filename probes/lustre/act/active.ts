import * as z from 'zod';
import type {
  Action,
  ParameterPrompt,
  Plan,
  PlanContext,
  PlanTarget,
  Refusal,
} from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import { planOf, plainText } from '../../../src/kit/offers.ts';
import { beyondLimitPrompt, exceededGuard, refuseEmpty, waitUnless } from '../../../src/kit/guards.ts';
import { count } from '../../../src/text/units.ts';
import { requireMdtsRead, freeSpaceRoom } from './guards.ts';
import {
  chooseOsts,
  type Import,
  importsOf,
  lockOf,
  readsAt,
  settingsText,
  type Target,
  titleOf,
} from './targets.ts';
import { lustreOf } from '../judge/join.ts';
import { stopWay } from './stop.ts';
import { type Way, ways } from './ways.ts';
import type { Osp } from '../readings.ts';
import { type OldValue, setAgain, makeWayBack } from './set-again.ts';
import { shortTarget } from '../judge/names.ts';
import { maxSeries } from '../judge/facts.ts';

const parameters = z.object({
  beyondLimit: plainText.optional(),
  maxCreateCount: z.coerce
    .number()
    .int()
    .min(32, { error: 'between 32 and 20000: other values are refused by Lustre (ERANGE)' })
    .max(20_000, { error: 'between 32 and 20000: other values are refused by Lustre (ERANGE)' })
    .optional(),
});
type Parameters = z.infer<typeof parameters>;

/** `old`: what it read before; undefined: not told. */
type Setting = OldValue & { old: number | undefined };

const maxCreatePrompt: ParameterPrompt = {
  name: 'maxCreateCount',
  label: 'max_create_count, where the old one is not known',
  required: false,
};

const promptsOf = ({ verb }: Way): ParameterPrompt[] =>
  verb === 'resume-creates'
    ? [maxCreatePrompt]
    : verb === 'deactivate'
      ? [beyondLimitPrompt('the limit')]
      : [];

const actionOf = (way: Way): Action<Parameters> => ({
  id: `lustre.${way.verb}`,
  verb: way.verb,
  title: way.title,
  subject: 'ost',
  danger: way.danger,
  users: way.users,
  parameters,
  prompts: promptsOf(way),
  menu: { note: way.verb === 'resume-creates' ? 'with the old values' : '', whyDone: way.already },
  plan: (subjects, given, context) => planWay(way, subjects, given, context),
  undoOf: (subject, was, context) =>
    makeWayBack(subject, was, context, ({ imports }) =>
      imports.map(({ mdt, version }): OldValue =>
        way.verb === 'resume-creates' && stopWay({ version }) === 'max_create_count=0'
          ? { mdt, name: 'max_create_count', value: 0 }
          : { mdt, name: 'active', value: way.verb === 'deactivate' ? 1 : 0 },
      ),
    ),
});

export const resumeCreatesAction = actionOf(ways['resume-creates']);
export const deactivateAction = actionOf(ways.deactivate);
export const activateAction = actionOf(ways.activate);

const planWay = (
  way: Way,
  subjects: readonly Subject[],
  given: Parameters,
  context: PlanContext,
): Plan | Refusal => {
  const { targets: chosen, leftOut } = chooseOsts(subjects, context);
  const targets = chosen.flatMap((target): { target: Target; settings: Setting[] }[] => {
    const settings = settingsFor(way, target, given, context);
    if (typeof settings !== 'string') return [{ target, settings }];
    leftOut.push({ subject: target.subject, guard: 'parameters', reason: settings });
    return [];
  });
  if (targets.length === 0) return refuseEmpty(leftOut);
  const names = targets.map(({ target }) => target.ost.name);
  const made = targets.map(({ target, settings }) => targetOf(way, target, settings, names, context));
  const waiting = targets
    .flatMap(({ target }) => target.imports)
    .reduce((sum, { osp }) => sum + (osp.active === false ? (osp.destroys ?? 0) : 0), 0);
  return planOf(actionOf(way), {
    title: titleOf(
      way.title.charAt(0).toUpperCase() + way.title.slice(1) + (way.verb === 'resume-creates' ? ' on' : ':'),
      made,
    ),
    targets: made,
    leftOut,
    because: [
      way.because,
      ...(waiting > 0 ? [`${count(waiting, 'destroy', 'destroys')} wait on the MDTs`] : []),
      ...targets
        .slice(0, 8)
        .map(
          ({ target: { ost, imports } }) =>
            `${ost.name} now: ${imports.map(({ mdt, osp }) => `${shortTarget(mdt)} ${settingsText(osp)}`).join(', ')}`,
        ),
    ],
    afterwards: way.afterwards,
    undoText: way.undoText,
    parameters: { ...given },
    exceeded: way.verb === 'deactivate' ? exceededGuard('6', made, given.beyondLimit, context) : [],
  });
};

const activeOf = ({ mdt, osp }: Import, value: number): Setting => ({
  mdt,
  name: 'active',
  value,
  old: Number(osp.active ?? true),
});

/** What is to be set; or why that is not known. Only what differs, and all of it explicit. */
const settingsFor = (
  way: Way,
  { ost, imports }: Target,
  given: Parameters,
  { judgement }: PlanContext,
): Setting[] | string => {
  const unknown = imports.find(({ osp }) => osp.active === undefined);
  if (unknown)
    return `whether ${shortTarget(unknown.mdt)} holds ${ost.name} active was not read: there would be no way back`;
  const settingsOfActive = (value: number): Setting[] => imports.map((one) => activeOf(one, value));
  if (way.verb !== 'resume-creates') return settingsOfActive(way.verb === 'activate' ? 1 : 0);
  const settings: Setting[] = [];
  for (const one of imports) {
    const { osp, mdt } = one;
    if (osp.active === false) settings.push(activeOf(one, 1));
    if (osp.maxCreateCount !== 0) continue;
    const saved =
      given.maxCreateCount ??
      Number(judgement.history.changes(maxSeries(mdt, ost.name), 0).at(-1)?.value ?? NaN);
    if (!Number.isInteger(saved) || saved < 32)
      return `the max_create_count that ${shortTarget(mdt)} had before is not known here: give maxCreateCount (the plan that stopped it shows it in the audit log; Lustre's default is 20000)`;
    settings.push({ mdt, name: 'max_create_count', value: saved, old: osp.maxCreateCount });
  }
  // Nothing to set: the target says so itself, and still names what it would have sent.
  return settings.length > 0 ? settings : settingsOfActive(1);
};

const targetOf = (
  way: Way,
  target: Target,
  settings: readonly Setting[],
  names: readonly string[],
  { judgement: { site } }: PlanContext,
): PlanTarget => {
  const { subject, ost, imports } = target;
  const was = settings.flatMap(({ mdt, name, old }): OldValue[] =>
    old === undefined ? [] : [{ mdt, name, value: old }],
  );
  return {
    subject,
    steps: setAgain(site, imports, settings),
    guards: [requireMdtsRead(target), ...(way.verb === 'deactivate' ? [freeSpaceRoom(target, names)] : [])],
    whyAlreadyDone: (live) =>
      seenOn(way.isSet, ost.name, live).every(({ isSo }) => isSo) ? `${ost.name} ${way.already}` : undefined,
    verify: {
      text: `${ost.name}: ${way.afterwards}`,
      reads: readsAt('lustre.mds', imports),
      deadlineMs: way.verb === 'deactivate' ? 30_000 : 180_000,
      check: (live) => {
        const seen = seenOn(way.isDone, ost.name, live);
        return waitUnless(
          seen.every(({ isSo }) => isSo),
          seen.map(({ text }) => text).join('; '),
        );
      },
    },
    undo: was.length > 0 ? setAgain(site, imports, was) : null,
    was,
    lockGroups: [lockOf(ost.fs)],
  };
};

/** `?`: not read. */
const activeText = ({ active }: Osp): string => (active === undefined ? '?' : String(Number(active)));

const seenOn = (
  wanted: (osp: Osp) => boolean,
  name: string,
  live: PlanContext['judgement'],
): { isSo: boolean; text: string }[] => {
  const ost = lustreOf(live).byOst.get(name);
  const imports = ost ? importsOf(ost, live) : `${name} is not listed any more`;
  if (typeof imports === 'string') return [{ isSo: false, text: imports }];
  return imports.map(({ mdt, osp }) => ({
    isSo: wanted(osp),
    text: `${shortTarget(mdt)} reads active=${activeText(osp)} max_create_count=${osp.maxCreateCount ?? '?'} prealloc_status=${osp.prealloc ?? '?'} ${osp.state ?? ''}`.trimEnd(),
  }));
};
