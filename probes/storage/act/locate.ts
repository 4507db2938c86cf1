import * as z from 'zod';
import type { Action, Guard, Plan, PlanContext, PlanTarget, Refusal } from '../../../src/model/action.ts';
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

const offSteps = (host: string, disk: string, way: LedWay, live: Judgement) => [
  ledStep(host, way, false, live),
  ...(hasTimer(disk, enclosuresOn(host, live)) === true ? [stopTimerStep(host, disk, live)] : []),
];

const onTarget = (
  subject: Subject,
  { disk, minutes }: Parameters,
  way: LedWay,
  { judgement }: PlanContext,
): PlanTarget => {
  const { id: host } = subject;
  return {
    subject,
    object: disk,
    steps: [timerStep(host, way, disk, minutes, judgement), ledStep(host, way, true, judgement)],
    guards: [canShine(host, disk)],
    whyAlreadyDone: (live) =>
      hasTimer(disk, enclosuresOn(host, live)) === true
        ? 'it is lit, and its timer waits'
        : litOf(host, disk, live) === true
          ? 'it is lit, by somebody else'
          : undefined,
    verify: {
      text: `the timer of ${disk} waits${way.kind === 'slot' ? ', and its LED reads lit' : ''}`,
      reads: rereads('storage.enclosures', host),
      deadlineMs: 60_000,
      check: (live) => {
        const reading = enclosuresOn(host, live);
        if (hasTimer(disk, reading) === undefined) return { state: 'unread', text: 'its timer was not read' };
        const isSo = hasTimer(disk, reading) === true;
        if (way.kind !== 'slot')
          return waitUnless(
            isSo,
            'the timer waits; the tool took it, and none reads the LED back: look at it',
          );
        return waitUnless(isSo && litOf(host, disk, live) === true, isSo ? 'its LED' : 'no timer yet');
      },
    },
    undo: [ledStep(host, way, false, judgement), stopTimerStep(host, disk, judgement)],
    was: { disk },
    lockGroups: [`led ${host}:${disk}`],
  };
};

const offTarget = (
  subject: Subject,
  { disk, minutes }: Parameters,
  way: LedWay,
  { judgement }: PlanContext,
): PlanTarget => {
  const { id: host } = subject;
  return {
    subject,
    object: disk,
    steps: offSteps(host, disk, way, judgement),
    guards: [canShine(host, disk)],
    whyAlreadyDone: (live) =>
      hasTimer(disk, enclosuresOn(host, live)) === false && litOf(host, disk, live) === false
        ? 'it is dark, and no timer waits'
        : undefined,
    verify: {
      text: `no timer of ${disk} waits${way.kind === 'slot' ? ', and its LED reads dark' : ''}`,
      reads: rereads('storage.enclosures', host),
      deadlineMs: 60_000,
      check: (live) => {
        const timer = hasTimer(disk, enclosuresOn(host, live));
        if (timer === undefined) return { state: 'unread', text: 'its timer was not read' };
        if (way.kind !== 'slot') return waitUnless(!timer, 'no timer waits; none reads the LED back');
        return waitUnless(!timer && litOf(host, disk, live) === false, timer ? 'its timer waits' : 'its LED');
      },
    },
    undo: [timerStep(host, way, disk, minutes, judgement), ledStep(host, way, true, judgement)],
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
    targets: [(on ? onTarget : offTarget)(subject, given, way, context)],
    parameters: { ...given },
    because: [
      way.kind === 'slot' ? `${disk} is in ${way.slot} of enclosure ${way.enclosure}` : `by ${way.kind}`,
    ],
    afterwards: on
      ? `a timer on ${subject.id} puts it out after ${minutes} min, whatever becomes of this console`
      : 'its slot is dark',
    undoText: on ? 'put it out now' : 'light it again',
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
        : refusal('3 led', on ? 'no failed or suspect disk there' : 'no LED is lit there');
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
    return on
      ? { steps: [ledStep(subject.id, way, false, judgement), stopTimerStep(subject.id, disk, judgement)] }
      : {
          steps: [timerStep(subject.id, way, disk, 30, judgement), ledStep(subject.id, way, true, judgement)],
        };
  },
});

/** Those that are to be found: what may be pulled first. */
const wantedOn = (host: string, judgement: Judgement): string[] => {
  const safe = safeDisksOf(host, judgement);
  return [...(safe?.now ?? []), ...(safe?.later ?? [])]
    .map(({ disk }) => disk)
    .filter((disk) => anyDisk.safeParse(disk).success);
};

const litOn = (host: string, judgement: Judgement): string[] =>
  (enclosuresOn(host, judgement)?.enclosures ?? [])
    .flatMap(({ slots }) =>
      slots.flatMap(({ disk, lit }) => (lit === true && disk !== undefined ? [disk] : [])),
    )
    .filter((disk) => anyDisk.safeParse(disk).success);

export const locateAction = ledAction(true);
export const locateOffAction = ledAction(false);
