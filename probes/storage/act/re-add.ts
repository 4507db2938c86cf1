import * as z from 'zod';
import type { Action, Guard, Plan, PlanContext, Refusal } from '../../../src/model/action.ts';
import { failGuard, passGuard, passUnless, refusal, rereads, waitUnless } from '../../../src/kit/guards.ts';
import { planOf } from '../../../src/kit/offers.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { ReadArray } from '../readings.ts';
import { doubtOf } from '../judge/safe-disks.ts';
import { readdStep } from './fail-remove.ts';
import { arrayName, arraysOn, diskName, hasDisk, knownArray, NOT_SEEN } from './members.ts';

const parameters = z.object({ disk: diskName, array: arrayName });
type Parameters = z.infer<typeof parameters>;

const whyNoPlace = (array: ReadArray | undefined): string | undefined => {
  if (!array) return 'no such array was read just now';
  if (array.doubt !== undefined) return array.doubt;
  if (array.usable !== true) return `it does not work: ${array.word ?? 'its state is not known'}`;
  if (array.parts !== undefined) return 'its members are partitions: by hand';
  if (array.work !== undefined) return `${array.work} runs or waits there`;
  return array.slots.some(({ state }) => state === 'missing') ? undefined : 'no place of it is empty';
};

const hasPlace = (host: string, id: string): Guard => ({
  id: '3 array',
  text: `${id} on ${host} works, has an empty place, and nothing is being filled`,
  reads: rereads('storage.arrays', host),
  absolute: true,
  check: (live) =>
    passUnless(whyNoPlace(arraysOn(host, live)?.arrays.find((one) => one.id === id)), 'a place is empty'),
});

const isFree = (host: string, disk: string): Guard => ({
  id: '3 disk',
  text: `${disk} on ${host} is in no array, and nothing is mounted from it`,
  reads: rereads('storage.arrays', host),
  absolute: true,
  check: (live) => {
    const reading = arraysOn(host, live);
    if (!reading?.disks.some(({ name }) => name === disk)) return failGuard(NOT_SEEN);
    const other = reading.arrays.find((array) => hasDisk(array, disk));
    if (other) return failGuard(`it is in ${other.id}`);
    const doubt = doubtOf(disk, reading);
    return doubt === undefined ? passGuard('it is free') : failGuard(doubt);
  },
});

const planAdd = (
  [subject, ...more]: readonly Subject[],
  { disk, array }: Parameters,
  { judgement }: PlanContext,
): Plan | Refusal => {
  if (!subject || more.length > 0) return refusal('5 targets', 'one host at a time');
  const { id: host } = subject;
  const reading = arraysOn(host, judgement);
  if (!reading) return refusal('3 preconditions', `the arrays of ${host} were not read just now`);
  const serial = reading.disks.find(({ name }) => name === disk)?.serial;
  return planOf(readdAction, {
    title: `Re-add ${disk} to ${array} on ${host}`,
    targets: [
      {
        subject,
        object: disk,
        steps: [readdStep(judgement.site, host, array, disk)],
        guards: [hasPlace(host, array), isFree(host, disk)],
        whyAlreadyDone: (live) => {
          const slot = knownArray(host, array, live)?.slots.find((one) => one.disk === disk);
          return slot?.state === 'good' || slot?.state === 'filling' ? `${disk} is in ${array}` : undefined;
        },
        verify: {
          text: `${disk} is a member of ${array}`,
          reads: rereads('storage.arrays', host),
          deadlineMs: 60_000,
          check: (live) => {
            const own = knownArray(host, array, live);
            if (!own) return { state: 'unread', text: `${array} was not read` };
            const slot = own.slots.find((one) => one.disk === disk);
            if (slot?.state === 'filling') {
              const far = own.workPct === undefined ? '' : ` ${Math.floor(own.workPct)} %`;
              return { state: 'yes', text: 'it is being filled', goesOn: `rebuild${far}` };
            }
            return waitUnless(slot?.state === 'good', slot?.state === 'good' ? 'in sync' : 'no member yet');
          },
        },
        undo: null,
        lockGroups: [`array ${host}:${array}`],
      },
    ],
    parameters: { disk, array },
    because: [
      `${disk}${serial === undefined ? '' : `, serial ${serial}`}: whether it was a member of ${array} mdadm reads from the disk itself`,
    ],
    afterwards: 'the rebuild is followed in the pane; its place stands empty in the others until then',
    undoText: 'none: storage.fail-remove takes it out again, by its own guards',
  });
};

/** Never `--add`: that makes a spare of any disk, over the superblock of another array, and asks nothing. */
export const readdAction: Action<Parameters> = {
  id: 'storage.re-add',
  verb: 're-add',
  title: 'put a former member back into its array',
  subject: 'host',
  danger: 'service',
  users: 'nothing, or slower reads and writes while it is filled',
  parameters,
  prompts: [
    { name: 'disk', label: 'disk (sda)', required: true },
    { name: 'array', label: 'array (md0)', required: true },
  ],
  menu: {
    note: 'mdadm refuses a disk that was no member',
    askTyped: ([subject], { judgement }) =>
      subject && arraysOn(subject.id, judgement)?.arrays.some((one) => whyNoPlace(one) === undefined) === true
        ? 'mdadm refuses a disk that was no member'
        : refusal('3 preconditions', 'no array there works with an empty place'),
  },
  plan: planAdd,
};
