import * as z from 'zod';
import type {
  Action,
  Guard,
  Plan,
  PlanContext,
  PlanTarget,
  Refusal,
  Reread,
} from '../../../src/model/action.ts';
import { failGuard, passUnless, refusal, rereads } from '../../../src/kit/guards.ts';
import { planOf } from '../../../src/kit/offers.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { batteryDoubts, darkCaches } from '../judge/dark-caches.ts';
import { cacheAndDiskFindings } from '../judge/find-caches.ts';
import { checkedFindings } from '../judge/find-told.ts';
import { seenUnits } from '../judge/find-ups.ts';
import { freshValue } from '../judge/sources.ts';
import { cacheChecks } from '../judge/told.ts';
import type { ControllersReading } from '../readings.ts';
import { settingsOf, type UpsSetting } from '../settings.ts';

const parameters = z.object({ ups: z.string().trim().min(1).max(100) });
type Parameters = z.infer<typeof parameters>;

/** A UPS of the site file with the command of its vendor. */
type Resettable = UpsSetting & { reset: NonNullable<UpsSetting['reset']> };

const resettable = (host: string, { site }: Judgement): Resettable[] =>
  settingsOf(site).ups.flatMap((one) =>
    one.host === host && one.reset !== undefined ? [{ ...one, reset: one.reset }] : [],
  );

/** An array that nobody logs in to, known by its checks alone. */
const isTold = (name: string, { site }: Judgement): boolean => settingsOf(site).arrays.includes(name);

/** What is asked of the write caches of all that a UPS feeds. */
const cacheReads = (feeds: readonly string[], judgement: Judgement): Reread[] => [
  ...rereads('storage.controllers', ...feeds.filter((name) => !isTold(name, judgement))),
  ...feeds.flatMap((name) =>
    isTold(name, judgement)
      ? cacheChecks(name, judgement).flatMap(({ evidence: { probe, host } }) =>
          probe === undefined || host === undefined ? [] : [{ probe, host }],
        )
      : [],
  ),
];

/** What a tool that says nothing, or not all, keeps to itself may be a cache that is off. */
const unread = (host: string, live: Judgement): boolean => {
  if (isTold(host, live)) {
    const checks = cacheChecks(host, live);
    return checks.length === 0 || checks.some(({ state }) => state === 'unknown');
  }
  const tools = freshValue(live.readings.source<ControllersReading>('storage.controllers', host))?.tools;
  return tools === undefined || tools.some(({ failure }) => failure !== undefined);
};

const isMeasured = ({ host, name }: Resettable): Guard => ({
  id: '3 battery',
  text: `UPS ${name}, read now, is on line, asks for no battery, is charged, lasts, and its last self-test passed`,
  reads: rereads('storage.ups', host),
  absolute: true,
  check: (live) => {
    const seen = seenUnits(live).find(({ source, unit }) => source.host === host && unit.name === name);
    if (!seen) return failGuard(`${name} was not read just now`);
    const { unit } = seen;
    const doubts = unit.failure === undefined ? batteryDoubts(unit) : [unit.failure];
    return passUnless(
      doubts.length === 0 ? undefined : doubts.join('; '),
      `self-test "${unit.selfTest}", charge ${unit.chargePct} %, runtime ${Math.round((unit.runtimeS ?? 0) / 60)} min`,
    );
  },
});

const darkOf = ({ feeds }: Resettable, live: Judgement): string[] =>
  darkCaches(feeds, [...cacheAndDiskFindings(live), ...checkedFindings(live)], live).map(({ host }) => host);

/**
 * Whether each cache of a host that is to write back does: of those of which their controller tells what they do. One that tells its
 * setting alone was never seen to be off, and proves nothing either way.
 */
const writesBack = (host: string, live: Judgement): boolean => {
  if (isTold(host, live)) return cacheChecks(host, live).every(({ state }) => state === 'ok');
  const tools = freshValue(live.readings.source<ControllersReading>('storage.controllers', host))?.tools;
  const caches = (tools ?? [])
    .flatMap((tool) => tool.caches)
    .filter(({ wanted, writes }) => wanted === 'back' && writes !== undefined);
  return caches.length > 0 && caches.every(({ writes }) => writes === 'back');
};

const isDark = (own: Resettable, reads: Reread[]): Guard => ({
  id: '3 cache',
  text: `a write cache on ${fold(own.feeds)} is off for no reason of its controller`,
  reads,
  absolute: true,
  check: (live) => {
    const dark = darkOf(own, live);
    const silent = own.feeds.filter((host) => unread(host, live));
    if (dark.length === 0)
      return failGuard(
        silent.length > 0 ? `the write caches of ${fold(silent)} were not read just now` : 'none is off',
      );
    return passUnless(undefined, `off on ${fold(dark)}`);
  },
});

/** `off`: hosts whose caches were off when the plan was made. */
const resetTarget = (
  subject: Subject,
  own: Resettable,
  off: readonly string[],
  reads: Reread[],
): PlanTarget => {
  const { host, name, feeds, reset } = own;
  return {
    subject,
    object: name,
    steps: [{ host: reset.host ?? host, argv: reset.argv, deadlineMs: 120_000 }],
    guards: [isMeasured(own), isDark(own, reads)],
    whyAlreadyDone: (live) =>
      feeds.every((one) => !unread(one, live)) && darkOf(own, live).length === 0
        ? `no write cache of ${fold(feeds)} is off`
        : undefined,
    verify: {
      text: `the write caches of ${fold(feeds)} write back`,
      reads,
      deadlineMs: 600_000,
      everyMs: 20_000,
      check: (live) => {
        const silent = feeds.filter((one) => unread(one, live));
        if (silent.length > 0)
          return { state: 'unread', text: `the write caches of ${fold(silent)} were not read` };
        const dark = darkOf(own, live);
        if (dark.length > 0) return { state: 'wait', text: `off on ${fold(dark)}` };
        const unknown = off.filter((one) => !writesBack(one, live));
        return unknown.length > 0
          ? { state: 'unread', text: `what the write caches of ${fold(unknown)} do now is not known` }
          : { state: 'yes', text: `the write caches of ${fold(off.length > 0 ? off : feeds)} write back` };
      },
    },
    undo: null,
    lockGroups: [`ups ${host}:${name}`],
  };
};

const planReset = (
  [subject, ...more]: readonly Subject[],
  { ups }: Parameters,
  { judgement }: PlanContext,
): Plan | Refusal => {
  if (!subject || more.length > 0) return refusal('5 targets', 'one host at a time');
  const own = resettable(subject.id, judgement).find(({ name }) => name === ups);
  if (!own)
    return refusal(
      '3 preconditions',
      `the site file names no \`reset\` for UPS ${ups} on ${subject.id}: by hand, as the vendor says`,
    );
  if (own.feeds.length === 0)
    return refusal('3 preconditions', `the site file does not say what ${ups} feeds`);
  return planOf(batteryResetAction, {
    title: `Reset the battery date of UPS ${ups} on ${subject.id}`,
    targets: [resetTarget(subject, own, darkOf(own, judgement), cacheReads(own.feeds, judgement))],
    parameters: { ups },
    because: [
      'arrays drop their write cache by the date of this battery alone; by this they trust it again',
      `the command is that of the site file, for UPS ${ups}`,
    ],
    afterwards: 'order the battery all the same: its age has not changed',
    undoText: 'none: which date the array held before is not known here',
  });
};

/** It makes a controller trust a battery: only where that was measured just now. The command is the vendor's, and stands in the site file. */
export const batteryResetAction: Action<Parameters> = {
  id: 'storage.battery-reset',
  verb: 'reset',
  title: "reset a UPS's battery date",
  subject: 'host',
  danger: 'access',
  users: 'writes get quick again; should the battery fail in a power cut, what the cache holds is lost',
  parameters,
  prompts: [],
  menu: {
    note: ({ targets }) => `UPS ${targets[0]?.object ?? ''}: its battery was measured just now`,
    tryWith: ([subject], { judgement }) => {
      const own = subject === undefined ? [] : resettable(subject.id, judgement);
      return own.length > 0
        ? own.map(({ name }) => ({ ups: name }))
        : refusal('3 preconditions', 'the site file names no `reset` for a UPS of it');
    },
    prompts: ({ targets }) => [
      { name: 'ups', label: 'UPS', required: true, initial: targets[0]?.object ?? '' },
    ],
  },
  plan: planReset,
};
