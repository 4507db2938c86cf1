import * as z from 'zod';
import type { Action, Plan, PlanContext, PlanTarget, Refusal } from '../../../src/model/action.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { planOf, plainText } from '../../../src/kit/offers.ts';
import { beyondLimitPrompt, exceededGuard, refuseEmpty, waitUnless } from '../../../src/kit/guards.ts';
import { requireMdtsRead, freeSpaceRoom } from './guards.ts';
import {
  chooseOsts,
  type Import,
  importsOf,
  lockOf,
  ospName,
  readsAt,
  setSteps,
  settingsText,
  type Target,
  titleOf,
} from './targets.ts';
import { judgeStandstill } from '../judge/creates-window.ts';
import { lustreOf } from '../judge/join.ts';
import { mostCreates, type OldValue, setAgain, makeWayBack } from './set-again.ts';
import { shortTarget } from '../judge/names.ts';
import { maxSeries } from '../judge/facts.ts';
import { isAtLeast, shortVersion } from '../read/words.ts';

const parameters = z.object({ beyondLimit: plainText.optional() });
type Parameters = z.infer<typeof parameters>;

/** Keeps new objects off an OST in the way that counts in the release of each MDT. */
export const stopCreatesAction: Action<Parameters> = {
  id: 'lustre.stop-creates',
  verb: 'stop-creates',
  title: 'stop creates',
  subject: 'ost',
  danger: 'service',
  users: 'new files go to other OSTs; files on it stay as they are',
  parameters,
  prompts: [beyondLimitPrompt('the limit')],
  menu: { note: ({ because }) => because[0] ?? '', whyDone: 'stopped already on every MDT' },
  plan: planStop,
  undoOf: (subject, was, context) =>
    makeWayBack(subject, was, context, ({ ost, imports }) =>
      imports.map((one) => openValue(one, ost.name, context.judgement)),
    ),
};

/** What opens an import again whose old value nobody wrote down: what the history saw last, else Lustre's default. */
const openValue = (one: Import, ost: string, { history }: Judgement): OldValue => {
  if (stopWay(one) === 'active=0') return { mdt: one.mdt, name: 'active', value: 1 };
  const seen = Number(history.changes(maxSeries(one.mdt, ost), 0).at(-1)?.value ?? 0);
  const value = Number.isInteger(seen) && seen > 0 && seen <= mostCreates ? seen : mostCreates;
  return { mdt: one.mdt, name: 'max_create_count', value };
};

/** LU-4825: max_create_count=0 is honoured since 2.9; before only active=0 stops an MDT for sure. */
export const stopWay = ({ version }: Pick<Import, 'version'>): 'max_create_count=0' | 'active=0' =>
  isAtLeast(version, '2.9') ? 'max_create_count=0' : 'active=0';

const isStopped = ({ osp, version }: Import): boolean =>
  osp.active === false || (osp.maxCreateCount === 0 && isAtLeast(version, '2.9'));

function planStop(subjects: readonly Subject[], given: Parameters, context: PlanContext): Plan | Refusal {
  const { targets, leftOut } = chooseOsts(subjects, context);
  if (targets.length === 0) return refuseEmpty(leftOut);
  const names = targets.map(({ ost }) => ost.name);
  const made = targets.map((target) => stopTarget(target, names, context.judgement));
  return planOf(stopCreatesAction, {
    title: titleOf('Stop creates on', made),
    targets: made,
    leftOut,
    because: becauseOf(targets),
    afterwards: `every MDT must read it back, and next_id must stand still for 30 s on each (within 3 min)`,
    undoText: 'the old values are set again; create_count comes back as 32 and grows by itself',
    parameters: { ...given },
    exceeded: exceededGuard('6', made, given.beyondLimit, context),
  });
}

const becauseOf = (targets: readonly Target[]): string[] => {
  const imports = targets.flatMap((one) => one.imports);
  const versions = [...new Set(imports.map(({ version }) => shortVersion(version)))].join(', ');
  const old = imports.some((one) => stopWay(one) === 'active=0');
  const [first] = targets;
  return [
    old
      ? `active=0 on every MDT: Lustre ${versions} does not honour max_create_count=0 (since 2.9), and its QOS ignores degraded`
      : `max_create_count=0 on every MDT: Lustre ${versions} honours it, and deleted files still free their space`,
    ...(old
      ? ['while inactive, deleted files free no space there: destroys wait on the MDTs until it is activated']
      : []),
    ...(first
      ? [
          ...first.ost.mdts.map(
            ({ mdt, allocation }) => `${first.ost.name} on ${shortTarget(mdt)} now: ${allocation.because}`,
          ),
          `old values: ${first.imports.map(({ mdt, osp }) => `${shortTarget(mdt)} ${settingsText(osp)}`).join(', ')}`,
        ]
      : []),
  ];
};

const stopTarget = (target: Target, names: readonly string[], { site }: Judgement): PlanTarget => {
  const { subject, ost, imports } = target;
  const settings = imports.map((one) => {
    const [name = '', value = ''] = stopWay(one).split('=');
    return { host: one.host, name: `${ospName(one.osp)}.${name}`, value };
  });
  const old = imports.flatMap(({ mdt, osp, version }): OldValue[] => {
    if (stopWay({ version }) === 'active=0')
      return osp.active === false ? [] : [{ mdt, name: 'active', value: 1 }];
    return osp.maxCreateCount === undefined || osp.maxCreateCount === 0
      ? []
      : [{ mdt, name: 'max_create_count', value: osp.maxCreateCount }];
  });
  return {
    subject,
    steps: setSteps(site, settings),
    guards: [requireMdtsRead(target), freeSpaceRoom(target, names)],
    whyAlreadyDone: (live) => {
      const now = nowOf(ost.name, live);
      return now.length > 0 && now.every(isStopped)
        ? `${ost.name} is stopped already on every MDT`
        : undefined;
    },
    verify: {
      text: `${ost.name}: every MDT reads the stop, next_id stands still for 30 s`,
      reads: readsAt('lustre.creates', imports),
      deadlineMs: 180_000,
      check: (live) => {
        const seen = imports.map((one) => judgeStandstill(one, live));
        return waitUnless(
          seen.every(({ state }) => state === 'yes'),
          seen.map(({ text }) => text).join('; '),
        );
      },
    },
    undo: old.length > 0 ? setAgain(site, imports, old) : null,
    was: old,
    lockGroups: [lockOf(ost.fs)],
  };
};

const nowOf = (name: string, live: Judgement): readonly Import[] => {
  const ost = lustreOf(live).byOst.get(name);
  const imports = ost ? importsOf(ost, live) : [];
  return typeof imports === 'string' ? [] : imports;
};
