import * as z from 'zod';
import type {
  Action,
  Guard,
  Plan,
  PlanContext,
  PlanTarget,
  Refusal,
  Step,
  Verification,
} from '../../../src/model/action.ts';
import { failGuard, passGuard, refusal, rereads, waitUnless } from '../../../src/kit/guards.ts';
import { planOf } from '../../../src/kit/offers.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { safeDisksOf } from '../judge/safe-disks.ts';
import {
  enclosuresOn,
  hasTimer,
  ledStep,
  ledWay,
  slotOf,
  stopTimerStep,
  timerStep,
  type LedWay,
} from './led-ways.ts';
import { anyDisk } from './members.ts';

const parameters = z.object({
  disk: anyDisk,
  minutes: z.coerce.number().int().min(1).max(480).default(30),
});
type Parameters = z.infer<typeof parameters>;

const wasSchema = z.object({ disk: anyDisk });

const canShine = (host: string, disk: string): Guard => ({
  id: '3 led',
  text: `${disk} on ${host} has a locate LED that can be lit, and a timer there can put it out`,
  reads: rereads('storage.enclosures', host),
  absolute: true,
  check: (live) => {
    const way = ledWay(host, disk, live);
    if (typeof way === 'string') return failGuard(way);
    return hasTimer(disk, enclosuresOn(host, live)) === undefined
      ? failGuard('systemd does not answer there: nothing would put it out')
      : passGuard(way.kind === 'slot' ? `by ${way.slot} of enclosure ${way.enclosure}` : `by ${way.kind}`);
  },
});

/** What is read of the LED; a tool that lights it does not tell whether it shines. */
const litOf = (host: string, disk: string, live: Judgement): boolean | undefined =>
  slotOf(disk, enclosuresOn(host, live))?.slot.lit;

/** What is lit again goes out after this long. */
const AGAIN_MIN = 30;

const undoSteps = (host: string, disk: string, way: LedWay, on: boolean, live: Judgement): Step[] =>
  on
    ? [ledStep(host, way, false, live), stopTimerStep(host, disk, live)]
    : [timerStep(host, way, disk, AGAIN_MIN, live), ledStep(host, way, true, live)];

/** The timer is armed before the LED is lit. One that waits is armed anew: two of one name systemd does not have. */
const onSteps = (host: string, { disk, minutes }: Parameters, way: LedWay, live: Judgement): Step[] => [
  ...(hasTimer(disk, enclosuresOn(host, live)) === true ? [stopTimerStep(host, disk, live)] : []),
  timerStep(host, way, disk, minutes, live),
  ledStep(host, way, true, live),
];

const offSteps = (host: string, disk: string, way: LedWay, live: Judgement): Step[] => [
  ledStep(host, way, false, live),
  ...(hasTimer(disk, enclosuresOn(host, live)) === true ? [stopTimerStep(host, disk, live)] : []),
];

/** Only of a LED that can be read: of others nobody knows whether they shine. */
const whyLit = (host: string, disk: string, live: Judgement): string | undefined => {
  const timer = hasTimer(disk, enclosuresOn(host, live));
  if (timer === undefined || litOf(host, disk, live) !== true) return undefined;
  return timer ? 'it is lit, and its timer waits' : 'it is lit, by somebody else';
};

const whyDark = (host: string, disk: string, live: Judgement): string | undefined =>
  hasTimer(disk, enclosuresOn(host, live)) === false && litOf(host, disk, live) === false
    ? 'it is dark, and no timer waits'
    : undefined;

const verifyLed = (host: string, disk: string, way: LedWay, on: boolean): Verification => ({
  text: `${on ? 'the' : 'no'} timer of ${disk} waits${way.kind === 'slot' ? `, and its LED reads ${on ? 'lit' : 'dark'}` : ''}`,
  reads: rereads('storage.enclosures', host),
  deadlineMs: 60_000,
  check: (live) => {
    const timer = hasTimer(disk, enclosuresOn(host, live));
    if (timer === undefined) return { state: 'unread', text: 'its timer was not read' };
    const timerText = timer ? 'its timer waits' : 'no timer waits';
    if (way.kind !== 'slot')
      return waitUnless(timer === on, `${timerText}; none reads the LED back${on ? ': look at it' : ''}`);
    const lit = litOf(host, disk, live);
    const litText = lit === undefined ? 'its LED was not read' : `its LED reads ${lit ? 'lit' : 'dark'}`;
    return waitUnless(timer === on && lit === on, `${timerText}, ${litText}`);
  },
});

const targetOf = (
  subject: Subject,
  given: Parameters,
  way: LedWay,
  on: boolean,
  { judgement }: PlanContext,
): PlanTarget => {
  const { id: host } = subject;
  const { disk } = given;
  return {
    subject,
    object: disk,
    steps: on ? onSteps(host, given, way, judgement) : offSteps(host, disk, way, judgement),
    guards: [canShine(host, disk)],
    whyAlreadyDone: (live) => (on ? whyLit : whyDark)(host, disk, live),
    verify: verifyLed(host, disk, way, on),
    undo: undoSteps(host, disk, way, on, judgement),
    was: { disk },
    lockGroups: [`led ${host}:${disk}`],
  };
};

const planLed = (
  on: boolean,
  [subject, ...more]: readonly Subject[],
  given: Parameters,
  context: PlanContext,
): Plan | Refusal => {
  if (!subject || more.length > 0) return refusal('5 targets', 'one host at a time');
  const { disk, minutes } = given;
  const way = ledWay(subject.id, disk, context.judgement);
  if (typeof way === 'string') return refusal('3 led', way);
  return planOf(on ? locateAction : locateOffAction, {
    title: `${on ? 'Light' : 'Put out'} the locate LED of ${disk} on ${subject.id}`,
    targets: [targetOf(subject, given, way, on, context)],
    parameters: { ...given },
    because: [
      way.kind === 'slot' ? `${disk} is in ${way.slot} of enclosure ${way.enclosure}` : `by ${way.kind}`,
    ],
    afterwards: on
      ? `a timer on ${subject.id} puts it out after ${minutes} min, whatever becomes of this console`
      : 'its slot is dark',
    undoText: on ? 'put it out now' : `light it again, for ${AGAIN_MIN} min`,
  });
};

const ledAction = (on: boolean): Action<Parameters> => ({
  id: on ? 'storage.locate' : 'storage.locate-off',
  verb: on ? 'light' : 'darken',
  title: on ? "light a disk's locate LED" : "put a disk's locate LED out",
  subject: 'host',
  danger: 'reversible',
  users: 'nothing',
  parameters,
  prompts: [],
  menu: {
    note: ({ targets }) => targets[0]?.object ?? '',
    tryWith: ([subject], { judgement }) => {
      const disks = subject === undefined ? [] : (on ? wantedOn : litOn)(subject.id, judgement);
      return disks.length > 0
        ? disks.map((disk) => ({ disk, minutes: 30 }))
        : refusal(
            '3 led',
            on ? 'no failed or suspect disk there' : 'no LED there is read as lit, and none has a timer',
          );
    },
    prompts: ({ targets }) => [
      { name: 'disk', label: 'disk', required: true, initial: targets[0]?.object ?? '' },
      ...(on ? [{ name: 'minutes', label: 'out after, min', required: true, initial: '30' }] : []),
    ],
  },
  plan: (subjects, given, context) => planLed(on, subjects, given, context),
  undoOf: (subject, was, { judgement }) => {
    const before = wasSchema.safeParse(was);
    if (!before.success) return refusal('3 preconditions', 'the log does not hold the disk');
    const { disk } = before.data;
    const way = ledWay(subject.id, disk, judgement);
    if (typeof way === 'string') return refusal('3 led', way);
    return { steps: undoSteps(subject.id, disk, way, on, judgement) };
  },
});

/** Those that are to be found: what may be pulled first. */
const wantedOn = (host: string, judgement: Judgement): string[] => {
  const safe = safeDisksOf(host, judgement);
  return [...(safe?.now ?? []), ...(safe?.later ?? [])]
    .map(({ disk }) => disk)
    .filter((disk) => anyDisk.safeParse(disk).success);
};

/** Those that are read as lit, and those with a timer of ours, whose LED may be one that nobody can read. */
const litOn = (host: string, judgement: Judgement): string[] => {
  const { enclosures = [], timers = [] } = enclosuresOn(host, judgement) ?? {};
  const lit = enclosures.flatMap(({ slots }) =>
    slots.flatMap((slot) => (slot.lit === true && slot.disk !== undefined ? [slot.disk] : [])),
  );
  return [...new Set([...lit, ...timers])].filter((disk) => anyDisk.safeParse(disk).success);
};

export const locateAction = ledAction(true);
export const locateOffAction = ledAction(false);
