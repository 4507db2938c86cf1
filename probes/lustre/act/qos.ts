import * as z from 'zod';
import type {
  Action,
  Guard,
  Plan,
  PlanContext,
  PlanTarget,
  Refusal,
  Step,
} from '../../../src/model/action.ts';
import type { SiteView } from '../../../src/model/site.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import {
  failGuard,
  passGuard,
  passUnless,
  refusal,
  waitUnless,
  exceededGuard,
} from '../../../src/kit/guards.ts';
import { planOf } from '../../../src/kit/offers.ts';
import { percent } from '../../../src/text/units.ts';
import { lockOf, readsAt, setSteps, systemOf, whyMdtUnread } from './targets.ts';
import type { FileSystem } from '../judge/rows.ts';
import { shortTarget } from '../judge/names.ts';
import { limitsOf } from '../settings.ts';
import { usedSeries } from '../judge/facts.ts';

const hourMs = 3_600_000;

const parameters = z.object({
  threshold: z.coerce.number().int().min(0).max(100, { error: 'a whole number from 0 to 100' }),
  hours: z.coerce.number().int().min(1).max(720).default(24),
});
type Parameters = z.infer<typeof parameters>;

/** When OSTs are weighed by free space: 100 switches that off for the whole file system. */
export const qosAction: Action<Parameters> = {
  id: 'lustre.qos',
  verb: 'qos',
  title: 'set balancing',
  subject: 'volume',
  danger: 'service',
  users: 'new files are spread over the OSTs in another way; the others stay where they are',
  parameters,
  prompts: [
    {
      name: 'threshold',
      label: 'qos_threshold_rr in percent: 17 is the default, 100 switches balancing off',
      required: true,
    },
    { name: 'hours', label: 'for how many hours it is meant to stay', required: false, initial: '24' },
  ],
  menu: {
    note: ({ targets }, { judgement }) =>
      `now ${targets
        .map(
          ({ subject }) =>
            systemOf(subject.id, judgement)
              ?.mdts.map(({ mdt }) => `${mdt?.thresholdPct ?? '?'} %`)
              .join('/') ?? '?',
        )
        .join(', ')}`,
    // Two, as one of them is set already.
    tryWith: () => [defaultThreshold + 1, defaultThreshold].map((threshold) => ({ threshold, hours: 24 })),
  },
  plan: (subjects, given, context) => planQos(subjects, given, context),
  undoOf: (subject, was, { judgement }) => {
    const systems = chooseSystems([subject], judgement);
    if ('refused' in systems) return systems;
    const mdts = systems.flatMap((fs) => fs.mdts);
    const known = recorded.safeParse(was).data;
    const old = known ?? mdts.map(({ name }) => ({ mdt: name, threshold: defaultThreshold }));
    const gone = old.find(({ mdt }) => !mdts.some(({ name }) => name === mdt));
    if (gone) return refusal('3 preconditions', `${subject.id} has no ${gone.mdt} any more`);
    return {
      steps: thresholdSteps(judgement.site, mdts, old),
      ...(known === undefined && {
        because: [
          `the old threshold was not recorded: Lustre's default, ${defaultThreshold} %, is set instead`,
        ],
      }),
    };
  },
};

/** What the undo has to know: the threshold of each MDT before, in percent. */
const recorded = z.array(z.object({ mdt: z.string(), threshold: z.int().min(0).max(100) })).min(1);

/** Lustre manual, "Managing Free Space": qos_threshold_rr. */
const defaultThreshold = 17;

const thresholdSteps = (
  site: SiteView,
  mdts: FileSystem['mdts'],
  wanted: z.infer<typeof recorded>,
): readonly Step[] =>
  setSteps(
    site,
    wanted.flatMap(({ mdt, threshold }) =>
      mdts.flatMap(({ name, host }) =>
        name === mdt && host !== undefined
          ? [{ host, name: `lod.${mdt}-mdtlov.qos_threshold_rr`, value: threshold }]
          : [],
      ),
    ),
  );

const chooseSystems = (subjects: readonly Subject[], judgement: Judgement): FileSystem[] | Refusal => {
  const systems: FileSystem[] = [];
  for (const { id } of subjects) {
    const fs = systemOf(id, judgement);
    if (!fs) return refusal('5 targets', `${id} is no Lustre file system that was read`);
    const problem = fs.mdts.map((row) => whyMdtUnread(row, judgement)).find((one) => one !== undefined);
    if (problem !== undefined) return refusal('3 preconditions', problem);
    if (fs.mdts.length === 0) return refusal('3 preconditions', `no MDT of ${id} was read`);
    systems.push(fs);
  }
  return systems.length > 0 ? systems : refusal('5 targets', 'no file system is chosen');
};

const planQos = (subjects: readonly Subject[], given: Parameters, context: PlanContext): Plan | Refusal => {
  const { judgement } = context;
  const systems = chooseSystems(subjects, judgement);
  if ('refused' in systems) return systems;
  const targets = systems.map((fs) => qosTarget(fs, given, judgement));
  return planOf(qosAction, {
    title: `Set qos_threshold_rr of ${systems.map(({ name }) => name).join(', ')} to ${given.threshold} %`,
    targets,
    because: [
      given.threshold >= 100
        ? 'this switches balancing by free space off for the whole file system: full and empty OSTs get the same share'
        : `OSTs are weighed by free space while the least free is below ${percent(1 - given.threshold / 100)} of the most free`,
      ...systems.flatMap((fs) =>
        fs.mdts.map((mdt) => `${mdt.name} now ${mdt.mdt?.thresholdPct ?? '?'} %: ${mdt.qos.text}`),
      ),
    ],
    afterwards: 'every MDT must read the new threshold within 30 s',
    undoText: 'the old threshold is set again on every MDT',
    parameters: { ...given },
    exceeded: exceededGuard('6', targets, undefined, context),
  });
};

const qosTarget = (fs: FileSystem, { threshold, hours }: Parameters, { site }: Judgement): PlanTarget => {
  const reads = readsAt(
    'lustre.mds',
    fs.mdts.flatMap(({ host }) => (host === undefined ? [] : [{ host }])),
  );
  const was = fs.mdts.flatMap(({ name, mdt }) =>
    mdt?.thresholdPct === undefined ? [] : [{ mdt: name, threshold: mdt.thresholdPct }],
  );
  const isSet = (live: Judgement): boolean =>
    systemOf(fs.name, live)?.mdts.every(({ mdt, stale }) => !stale && mdt?.thresholdPct === threshold) ??
    false;
  return {
    subject: { kind: 'volume', id: fs.name },
    steps: thresholdSteps(
      site,
      fs.mdts,
      fs.mdts.map(({ name }) => ({ mdt: name, threshold })),
    ),
    guards: [mdtsRead(fs.name, reads), ...(threshold >= 100 ? [noneOverflows(fs.name, hours, reads)] : [])],
    whyAlreadyDone: (live) => (isSet(live) ? `every MDT reads ${threshold} % already` : undefined),
    verify: {
      text: `every MDT of ${fs.name} reads qos_threshold_rr=${threshold}%`,
      reads,
      deadlineMs: 30_000,
      check: (live) => {
        const mdts = systemOf(fs.name, live)?.mdts;
        const read = mdts?.map(({ name, mdt }) => `${shortTarget(name)} reads ${mdt?.thresholdPct ?? '?'} %`);
        return waitUnless(isSet(live), read?.join('; ') ?? 'no MDT was read');
      },
    },
    undo: was.length > 0 ? thresholdSteps(site, fs.mdts, was) : null,
    was,
    lockGroups: [lockOf(fs.name)],
  };
};

const mdtsRead = (name: string, reads: Guard['reads']): Guard => ({
  id: '3 preconditions',
  text: `all MDTs of ${name} answer`,
  reads,
  absolute: true,
  check: (live) => {
    const fs = systemOf(name, live);
    const problem = fs
      ? fs.mdts.map((row) => whyMdtUnread(row, live)).find((one) => one !== undefined)
      : `${name} was not read`;
    return passUnless(problem, 'all answer');
  },
});

/** Without balancing every OST fills at the mean rate: none may pass the fill limit while it is off. */
const noneOverflows = (name: string, hours: number, reads: Guard['reads']): Guard => ({
  id: '6 fill level',
  text: `no OST passes its fill limit within ${hours} h without balancing`,
  reads,
  absolute: false,
  check: (live) => {
    const limit = limitsOf(live.site, name).full;
    const osts =
      systemOf(name, live)?.osts.filter(({ mdts }) =>
        mdts.some(({ allocation }) => allocation.verdict !== 'blocked'),
      ) ?? [];
    const worst = osts.toSorted((a, b) => (b.used ?? 1) - (a.used ?? 1))[0];
    if (!worst || worst.used === undefined) return failGuard('how full the OSTs are is not known');
    const rates = osts.map((ost) => ratePerHour(ost.name, live)).filter((one) => one !== undefined);
    const mean =
      rates.length === 0 ? undefined : Math.max(0, rates.reduce((sum, one) => sum + one, 0) / rates.length);
    const then = worst.used + (mean ?? 0) * hours;
    const rate =
      mean === undefined ? 'rate not known yet: the fill level now counts' : `at ${percent(mean)} an hour`;
    const text = `fullest ${worst.name} ${percent(worst.used)}, in ${hours} h ${percent(then)} (${rate}; limit ${percent(limit)})`;
    return then >= limit ? failGuard(text) : passGuard(text);
  },
});

/** Growth of the share used per hour, over at most the last hour of history. */
const ratePerHour = (ost: string, { history, now }: Judgement): number | undefined => {
  const points = history.changes(usedSeries(ost), now - hourMs);
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || last.at - first.at < 300_000) return undefined;
  return ((Number(last.value) - Number(first.value)) / 1000 / (last.at - first.at)) * hourMs;
};
