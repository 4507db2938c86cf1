import * as z from 'zod';
import type { Action, Plan, PlanContext, PlanTarget, Refusal } from '../../../src/model/action.ts';
import { failGuard, passGuard, refusal, rereads, waitUnless } from '../../../src/kit/guards.ts';
import { planOf } from '../../../src/kit/offers.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { controllerDisk } from '../enclosures.ts';
import { redundancyOf } from '../judge/groups.ts';
import { chooseSafeSet } from '../judge/safe-set.ts';
import { fateWords } from '../judge/slot-fates.ts';
import type { ReadArray } from '../readings.ts';
import {
  controllerGuard,
  diskOfController,
  diskPath,
  findMember,
  orRefuse,
  toolsOn,
  toolStep,
} from './controllers.ts';

const parameters = z.object({ disk: diskOfController });
type Parameters = z.infer<typeof parameters>;

/** Firmware asks nothing: `set offline` of the last copy takes the volume away. */
const keepsVolume = (host: string, disk: string): PlanTarget['guards'][number] => ({
  id: '6 redundancy',
  text: `every volume of ${host} with ${disk} in it may still lose one more afterwards`,
  reads: rereads('storage.controllers', host),
  absolute: true,
  check: (live) => {
    const found = findMember(host, disk, live);
    if (typeof found === 'string') return failGuard(found);
    const { now, later } = chooseSafeSet({
      arrays: found.tool.arrays,
      candidates: [{ disk, urgency: 0, certain: true }],
    });
    const [good, bad] = [now[0], later[0]];
    return good ? passGuard(good.why) : failGuard(bad ? `${bad.why} (${bad.instead})` : 'not known');
  },
});

/** Why nothing is to be filled there; undefined: a disk of it is out, and it lives. */
const whyNoRebuild = (array: ReadArray, state: string): string | undefined => {
  if (array.doubt !== undefined) return `${array.id}: ${array.doubt}`;
  if (array.usable !== true) return `${array.id} does not work: ${array.word ?? 'its state is not known'}`;
  const left = redundancyOf(array)?.left;
  if (left === undefined || left < 0) return `${array.id}: its redundancy is lost or not known`;
  if (array.work !== undefined) return `${array.id}: ${array.work} runs already`;
  return state === 'missing' ? undefined : `the disk is ${state} there`;
};

interface Command {
  words: readonly [string, string];
  title: (disk: string) => string;
  /** The state that it leads to, of the disk in its volume. */
  wanted: 'missing' | 'filling';
  guards: (host: string, disk: string) => PlanTarget['guards'];
  afterwards: string;
  undoText: string;
}

const targetOf = (
  subject: Subject,
  disk: string,
  program: string,
  { words, wanted, guards }: Command,
  judgement: Judgement,
): PlanTarget => {
  const { id: host } = subject;
  const stateNow = (live: Judgement): string | undefined => {
    const found = findMember(host, disk, live);
    return typeof found === 'string' ? undefined : found.found.slot.state;
  };
  const parsed = controllerDisk(disk);
  return {
    subject,
    object: disk,
    steps: parsed ? [toolStep(judgement, host, program, diskPath(parsed), ...words)] : [],
    guards: guards(host, disk),
    whyAlreadyDone: (live) => (stateNow(live) === wanted ? `${disk} is ${wanted}` : undefined),
    verify: {
      text: `${disk} on ${host} is ${wanted} in its volume`,
      reads: rereads('storage.controllers', host),
      deadlineMs: 300_000,
      everyMs: 20_000,
      check: (live) => {
        const state = stateNow(live);
        if (state === undefined) return { state: 'unread', text: `${disk} was not read` };
        return state === 'filling' && wanted === 'filling'
          ? {
              state: 'yes',
              text: `it is being filled: ${fateWords(host, disk, live) ?? 'no serial number of it was read'}`,
              goesOn: 'rebuild',
            }
          : waitUnless(state === wanted, state);
      },
    },
    undo: null,
    lockGroups: [`controllers ${host}`],
  };
};

const planWith = (
  action: Action<Parameters>,
  command: Command,
  [subject, ...more]: readonly Subject[],
  { disk }: Parameters,
  { judgement }: PlanContext,
): Plan | Refusal => {
  if (!subject || more.length > 0) return refusal('5 targets', 'one host at a time');
  const found = orRefuse(findMember(subject.id, disk, judgement));
  if ('refused' in found) return found;
  const { array, slot } = found.found;
  const number = fateWords(subject.id, disk, judgement);
  return planOf(action, {
    title: `${command.title(disk)} on ${subject.id}`,
    targets: [targetOf(subject, disk, found.program, command, judgement)],
    parameters: { disk },
    because: [
      `${disk} is ${slot.state} in ${array.id} (${array.level})`,
      `${disk}: ${number ?? 'its controller says no serial number of it'}`,
    ],
    afterwards: command.afterwards,
    undoText: command.undoText,
  });
};

const menuOf = (
  wants: (disk: string, state: string, isSuspect: boolean) => boolean,
  none: string,
): Action<Parameters>['menu'] => ({
  note: ({ targets }) => targets[0]?.object ?? '',
  tryWith: ([subject], { judgement }) => {
    const tools = subject === undefined ? [] : toolsOn(subject.id, judgement);
    const disks = tools.flatMap(({ arrays, suspects }) =>
      arrays.flatMap(({ slots }) =>
        slots.flatMap(({ disk, state }) =>
          disk !== undefined &&
          wants(
            disk,
            state,
            suspects.some((one) => one.disk === disk),
          )
            ? [disk]
            : [],
        ),
      ),
    );
    return disks.length > 0
      ? [...new Set(disks)].map((disk) => ({ disk }))
      : refusal('3 preconditions', none);
  },
  prompts: ({ targets }) => [
    { name: 'disk', label: 'disk', required: true, initial: targets[0]?.object ?? '' },
  ],
});

const offline: Command = {
  words: ['set', 'offline'],
  title: (disk) => `Set ${disk} offline`,
  wanted: 'missing',
  guards: (host, disk) => [keepsVolume(host, disk)],
  afterwards: 'light its LED, and pull it; the new disk is filled by itself, or by storage.start-rebuild',
  undoText:
    'none: `set online` of a disk that missed writes serves stale data. storage.start-rebuild fills it again',
};

/** Of a suspect disk that still works; that its volume may lose one more afterwards is looked at before the firmware is asked. */
export const setOfflineAction: Action<Parameters> = {
  id: 'storage.set-offline',
  verb: 'offline',
  title: 'set a disk of a controller offline',
  subject: 'host',
  danger: 'service',
  users: 'nothing; until another disk is filled its volume may lose one less',
  parameters,
  prompts: [],
  menu: menuOf(
    (_disk, state, isSuspect) => isSuspect && state === 'good',
    'no controller there expects a disk to fail',
  ),
  plan: (subjects, given, context) => planWith(setOfflineAction, offline, subjects, given, context),
};

const rebuild: Command = {
  words: ['start', 'rebuild'],
  title: (disk) => `Start the rebuild of ${disk}`,
  wanted: 'filling',
  guards: (host, disk) => [
    controllerGuard(
      host,
      `${disk} on ${host} is out of its volume, which works, and nothing is filled`,
      (live) => {
        const found = findMember(host, disk, live);
        if (typeof found === 'string') return found;
        return found.found.all.map(({ array, slot }) => whyNoRebuild(array, slot.state)).find(Boolean);
      },
    ),
  ],
  afterwards: 'the rebuild takes a day for a large disk; nobody pulls another one of this volume until then',
  undoText: 'none: `stop rebuild` leaves the volume as it is now',
};

export const startRebuildAction: Action<Parameters> = {
  id: 'storage.start-rebuild',
  verb: 'rebuild',
  title: 'start the rebuild of a disk of a controller',
  subject: 'host',
  danger: 'service',
  users: 'slower reads and writes while it is filled',
  parameters,
  prompts: [],
  menu: menuOf((_disk, state) => state === 'missing', 'no disk of a controller there is out of its volume'),
  plan: (subjects, given, context) => planWith(startRebuildAction, rebuild, subjects, given, context),
};
