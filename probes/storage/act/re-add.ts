import * as z from 'zod';
import type { Action, Plan, PlanContext, Refusal, Verification } from '../../../src/model/action.ts';
import { refusal, rereads, waitUnless } from '../../../src/kit/guards.ts';
import { planOf } from '../../../src/kit/offers.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { ReadArray } from '../readings.ts';
import { readdStep } from './fail-remove.ts';
import { arrayName, arraysOn, diskName, knownArray } from './members.ts';
import { arrayGuard, hasEmptyPlace, isFree, placesFor, whyNotWorking } from './places.ts';

const parameters = z.object({ disk: diskName, array: arrayName });
type Parameters = z.infer<typeof parameters>;

const whyNoPlace = (array: ReadArray | undefined): string | undefined =>
  whyNotWorking(array) ??
  (array?.work !== undefined
    ? `${array.work} runs or waits there`
    : array && hasEmptyPlace(array)
      ? undefined
      : 'no place of it is empty');

/** A disk that has a place in an array, whether it is filled yet or not. */
export const isTaken = (array: ReadArray | undefined, disk: string): boolean =>
  array?.slots.some((one) => one.disk === disk && (one.state === 'good' || one.state === 'filling')) === true;

/** That an array has taken a disk; `asSpare`: to wait as its spare is good enough. */
export const verifyTaken = (host: string, id: string, disk: string, asSpare: boolean): Verification => ({
  text: `${disk} is a ${asSpare ? 'member or spare' : 'member'} of ${id}`,
  reads: rereads('storage.arrays', host),
  deadlineMs: 60_000,
  check: (live) => {
    const own = knownArray(host, id, live);
    if (!own) return { state: 'unread', text: `${id} was not read` };
    const state = own.slots.find((one) => one.disk === disk)?.state;
    if (state === 'filling') {
      const far = own.workPct === undefined ? '' : ` ${Math.floor(own.workPct)} %`;
      return { state: 'yes', text: 'it is being filled', goesOn: `rebuild${far}` };
    }
    if (state === 'good') return { state: 'yes', text: 'in sync' };
    const waits = asSpare && own.spareDisks?.includes(disk) === true;
    return waitUnless(waits, waits ? 'a spare' : 'no member yet');
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
        guards: [
          arrayGuard(host, array, {
            text: `${array} on ${host} works, has an empty place, and nothing is being filled`,
            why: whyNoPlace,
            good: 'a place is empty',
          }),
          isFree(host, disk),
        ],
        whyAlreadyDone: (live) =>
          isTaken(knownArray(host, array, live), disk) ? `${disk} is in ${array}` : undefined,
        verify: verifyTaken(host, array, disk, false),
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

/** Never `--add`, which makes a spare of any disk: storage.add-disk does that, with guards of its own. */
export const readdAction: Action<Parameters> = {
  id: 'storage.re-add',
  verb: 're-add',
  title: 'put a former member back into its array',
  subject: 'host',
  danger: 'service',
  users: 'nothing, or slower reads and writes while it is filled',
  parameters,
  prompts: [],
  menu: {
    note: ({ targets: [target] }) => `${target?.object ?? ''}: mdadm refuses a disk that was no member`,
    tryWith: ([subject], { judgement }) => {
      // Without udev nobody knows what a disk was made for: then any that is free may be it.
      const places = subject
        ? placesFor(
            subject.id,
            judgement,
            ({ holds }, isFormer, array) => hasEmptyPlace(array) && (isFormer || holds === undefined),
          )
        : [];
      return places.length > 0
        ? places
        : refusal(
            '3 preconditions',
            'no array there works with an empty place and a free disk that may be its own',
          );
    },
    prompts: ({ parameters: given }) => {
      const { disk, array } = parameters.parse(given);
      return [
        { name: 'disk', label: 'disk', required: true, initial: disk },
        { name: 'array', label: 'array', required: true, initial: array },
      ];
    },
  },
  plan: planAdd,
};
