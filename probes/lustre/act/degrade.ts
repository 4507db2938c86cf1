import * as z from 'zod';
import type { Action, Plan, PlanContext, PlanTarget, Refusal, Step } from '../../../src/model/action.ts';
import type { SiteView } from '../../../src/model/site.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { planOf, plainText } from '../../../src/kit/offers.ts';
import {
  beyondLimitPrompt,
  exceededGuard,
  failGuard,
  refuseEmpty,
  passGuard,
  refusal,
  rereads,
  waitUnless,
} from '../../../src/kit/guards.ts';
import { whyAllUnread, whyUnread } from '../../../src/kit/unread.ts';
import { freeSpaceRoom } from './guards.ts';
import { chooseOsts, lockOf, setSteps, type Target, titleOf } from './targets.ts';
import { lustreOf } from '../judge/join.ts';
import type { OstRow } from '../judge/rows.ts';
import { shortTarget } from '../judge/names.ts';
import { isAtLeast, shortVersion } from '../read/words.ts';

const parameters = z.object({ beyondLimit: plainText.optional() });
type Parameters = z.infer<typeof parameters>;

const action = (wanted: boolean): Action<Parameters> => {
  const verb = wanted ? 'degrade' : 'undegrade';
  return {
    id: `lustre.${verb}`,
    verb,
    title: wanted ? 'mark degraded' : 'unmark degraded',
    subject: 'ost',
    danger: 'reversible',
    users: wanted
      ? 'new files go to other OSTs where they can; files on it stay as they are'
      : 'new files may be placed there again',
    parameters,
    prompts: wanted ? [beyondLimitPrompt('the limit')] : [],
    menu: {
      note: ({ because }) => (wanted ? (because[0] ?? '') : ''),
      whyDone: wanted ? 'marked already' : 'not marked',
    },
    plan: (subjects, given, context) => planDegrade(wanted, subjects, given, context),
    undoOf: (subject, _was, context) => {
      const { targets, leftOut } = chooseOsts([subject], context);
      const [target] = targets;
      if (!target) return refuseEmpty(leftOut);
      const host = ossOf(target);
      return host === undefined
        ? refusal('3 preconditions', `the OSS of ${subject.id} was not read just now`)
        : { steps: markSteps(context.judgement.site, host, target.ost.name, !wanted) };
    },
  };
};

/** Its server, where that was read just now. */
const ossOf = ({ ost: { oss, ownStale, own } }: Target): string | undefined =>
  ownStale || own?.degraded === undefined ? undefined : oss;

const markSteps = (site: SiteView, host: string, ost: string, value: boolean): readonly Step[] =>
  setSteps(site, [{ host, name: `obdfilter.${ost}.degraded`, value: Number(value) }]);

export const degradeAction = action(true);
export const undegradeAction = action(false);

/** Why what an OST's own server says of it is not known. */
const unreadOss = ({ oss, own, ownStale }: OstRow, { readings, now }: Judgement): string => {
  if (oss === undefined)
    return `its OSS is not known: ${whyAllUnread('lustre.oss', readings, now) ?? 'no server lists it'}`;
  const why = ownStale ? whyUnread('lustre.oss', readings.source('lustre.oss', oss), now) : undefined;
  return own?.degraded === undefined && why === undefined
    ? `${oss} does not report whether it is degraded`
    : `its OSS can't be read: ${why ?? `${oss} did not list it`}`;
};

const planDegrade = (
  wanted: boolean,
  subjects: readonly Subject[],
  given: Parameters,
  context: PlanContext,
): Plan | Refusal => {
  const { targets: chosen, leftOut } = chooseOsts(subjects, context);
  const targets = chosen.flatMap((target): (Target & { host: string })[] => {
    const host = ossOf(target);
    if (host !== undefined) return [{ ...target, host }];
    leftOut.push({
      subject: target.subject,
      guard: '3 preconditions',
      reason: unreadOss(target.ost, context.judgement),
    });
    return [];
  });
  if (targets.length === 0) return refuseEmpty(leftOut);
  const names = targets.map(({ ost }) => ost.name);
  const made = targets.map((target) => degradeTarget(wanted, target, names, context.judgement));
  return planOf(wanted ? degradeAction : undegradeAction, {
    title: titleOf(wanted ? 'Mark degraded:' : 'No longer degraded:', made),
    targets: made,
    leftOut,
    because: wanted
      ? [...new Set(targets.flatMap(effectOf))]
      : ['the MDTs learn of it with their next statfs, within seconds'],
    afterwards: `each OSS must read degraded=${Number(wanted)} within 30 s`,
    undoText: wanted ? 'take the mark away' : 'mark it again',
    parameters: { ...given },
    exceeded: wanted ? exceededGuard('6', made, given.beyondLimit, context) : [],
  });
};

/** What the mark will do in this release. */
const effectOf = ({ imports }: Target): string[] =>
  imports.map(({ version, mdt }) =>
    isAtLeast(version, '2.9')
      ? `Lustre ${shortVersion(version)} avoids degraded OSTs; it still uses them when too few others are left. Gone after a remount`
      : `Lustre ${shortVersion(version)} ignores the mark while QOS is in use (${shortTarget(mdt)}): "stop creates" is surer. Gone after a remount`,
  );

const degradeTarget = (
  wanted: boolean,
  target: Target & { host: string },
  names: readonly string[],
  { site }: Judgement,
): PlanTarget => {
  const { subject, ost, host } = target;
  const reads = rereads('lustre.oss', host);
  const now = (live: Judgement): OstRow | undefined => lustreOf(live).byOst.get(ost.name);
  return {
    subject,
    steps: markSteps(site, host, ost.name, wanted),
    guards: [
      {
        id: '3 preconditions',
        text: `${ost.name} is on ${host}`,
        reads,
        ownRow: true,
        absolute: true,
        check: (live) => {
          const found = now(live);
          if (found?.oss === host && !found.ownStale) return passGuard(`on ${host}`);
          const why =
            found === undefined
              ? 'no server lists it'
              : found.oss === host
                ? unreadOss(found, live)
                : `it is on ${found.oss ?? 'no host that is known'}`;
          return failGuard(`${ost.name} is not on ${host} any more: ${why}`);
        },
      },
      ...(wanted ? [freeSpaceRoom(target, names)] : []),
    ],
    whyAlreadyDone: (live) =>
      now(live)?.own?.degraded === wanted
        ? `${ost.name} is ${wanted ? '' : 'not '}marked degraded already`
        : undefined,
    verify: {
      text: `${host} reads ${ost.name} degraded=${Number(wanted)}`,
      reads,
      deadlineMs: 30_000,
      check: (live) => {
        const value = now(live)?.own?.degraded;
        const text = `${ost.name} reads degraded=${value === undefined ? '?' : Number(value)}`;
        return waitUnless(value === wanted, text);
      },
    },
    undo: markSteps(site, host, ost.name, !wanted),
    lockGroups: [lockOf(ost.fs)],
  };
};
