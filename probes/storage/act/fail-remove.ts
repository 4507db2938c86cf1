import * as z from 'zod';
import type { Action, Plan, PlanContext, PlanTarget, Refusal, Step } from '../../../src/model/action.ts';
import { refusal, rereads, waitUnless } from '../../../src/kit/guards.ts';
import { planOf } from '../../../src/kit/offers.ts';
import type { SiteView } from '../../../src/model/site.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { ReadArray } from '../readings.ts';
import { isCertain, safeDisksOf } from '../judge/safe-disks.ts';
import { argvAsRoot } from '../settings.ts';
import {
  arrayName,
  arraysOn,
  diskName,
  hasDisk,
  isOut,
  keepsRedundancy,
  knownArray,
  memberOf,
} from './members.ts';
import { failRefusals, readdRefusals, removeRefusals } from './refusals.ts';

const parameters = z.object({ disk: diskName });
type Parameters = z.infer<typeof parameters>;

const wasSchema = z.object({ array: arrayName, member: z.string().regex(/^[a-z][a-z0-9]{1,30}$/) });

export const readdStep = (site: SiteView, host: string, array: string, member: string): Step => ({
  host,
  argv: argvAsRoot(site, 'mdadm', `/dev/${array}`, '--re-add', `/dev/${member}`),
  deadlineMs: 30_000,
  refusals: readdRefusals,
});

/** The kernel takes no active member out. */
export const removeStep = (site: SiteView, host: string, array: string, member: string): Step => ({
  host,
  argv: argvAsRoot(site, 'mdadm', `/dev/${array}`, '--remove', `/dev/${member}`),
  deadlineMs: 30_000,
  refusals: removeRefusals,
});

const outSteps = (site: SiteView, host: string, array: ReadArray, disk: string, member: string): Step[] => {
  const fail: Step = {
    host,
    argv: argvAsRoot(site, 'mdadm', `/dev/${array.id}`, '--fail', `/dev/${member}`),
    deadlineMs: 30_000,
    refusals: failRefusals,
  };
  return [...(isOut(array, disk) ? [] : [fail]), removeStep(site, host, array.id, member)];
};

const targetOf = (
  subject: Subject,
  disk: string,
  array: ReadArray,
  { judgement: { site }, looksBack }: PlanContext,
): PlanTarget | Refusal => {
  const { id: host } = subject;
  const member = looksBack?.before[1] ?? memberOf(array, disk);
  if (member === undefined)
    return refusal('3 preconditions', `several partitions of ${disk} are in ${array.id}: by hand`);
  return {
    subject,
    object: disk,
    steps: outSteps(site, host, array, disk, member),
    guards: [keepsRedundancy(host, disk)],
    whyAlreadyDone: (live) => {
      const own = knownArray(host, array.id, live);
      return own && !hasDisk(own, disk) ? `${array.id} does not name ${disk}` : undefined;
    },
    verify: {
      text: `${array.id} on ${host} does not name ${disk}`,
      reads: rereads('storage.arrays', host),
      deadlineMs: 60_000,
      check: (live) => {
        const own = knownArray(host, array.id, live);
        if (!own) return { state: 'unread', text: `${array.id} was not read` };
        const gone = !hasDisk(own, disk);
        return waitUnless(gone, gone ? `${array.id} does not name it` : `still in ${array.id}`);
      },
    },
    before: [array.id, member],
    undo: [readdStep(site, host, array.id, member)],
    was: { array: array.id, member },
    lockGroups: [`array ${host}:${array.id}`],
  };
};

const planRemove = (
  [subject, ...more]: readonly Subject[],
  { disk }: Parameters,
  context: PlanContext,
): Plan | Refusal => {
  if (!subject || more.length > 0) return refusal('5 targets', 'one host at a time');
  const reading = arraysOn(subject.id, context.judgement);
  if (!reading) return refusal('3 preconditions', `the arrays of ${subject.id} were not read just now`);
  const own = reading.arrays.filter((array) => hasDisk(array, disk));
  // Of a run that is looked at afterwards the record says which array it was.
  const [array = reading.arrays.find(({ id }) => id === context.looksBack?.before[0])] = own;
  if (!array) return refusal('3 preconditions', `${disk} is in no array of ${subject.id}`);
  if (own.length > 1 || !arrayName.safeParse(array.id).success)
    return refusal('3 preconditions', `${disk} is in ${own.map(({ id }) => id).join(', ')}: by hand`);
  const target = targetOf(subject, disk, array, context);
  if ('refused' in target) return target;
  const serial = reading.disks.find(({ name }) => name === disk)?.serial;
  const isWorking = !isOut(array, disk);
  return planOf(failRemoveAction, {
    title: `Take ${disk} out of ${array.id} on ${subject.id}`,
    targets: [target],
    parameters: { disk },
    because: [
      `${disk}${serial === undefined ? '' : `, serial ${serial}`}: ${isWorking ? 'still works' : 'failed already'} in ${array.id} (${array.level})`,
      ...(isWorking && (array.spares ?? 0) > 0
        ? [`${array.id} has a spare: storage.replace-in-place copies the disk first and keeps its redundancy`]
        : []),
    ],
    afterwards: isCertain(disk, reading)
      ? `find it by its serial number, pull it, and put a new disk into ${array.id}`
      : 'its serial number is not known, or two disks bear it: find out which disk it is before one is pulled',
    undoText:
      're-add: with a bitmap what was written meanwhile is copied; without one mdadm says that it is not possible',
  });
};

/** A member of md, failed or to be replaced. A suspect one is better replaced in place, with a spare at hand. */
export const failRemoveAction: Action<Parameters> = {
  id: 'storage.fail-remove',
  verb: 'remove',
  title: 'take a disk out of its array',
  subject: 'host',
  danger: 'service',
  users: 'nothing; until another disk is filled its array may lose one less',
  parameters,
  prompts: [],
  menu: {
    note: ({ targets }) => `${targets[0]?.object ?? ''}: its array may lose one more afterwards`,
    tryWith: ([subject], { judgement }) => {
      const choices = subject === undefined ? [] : (safeDisksOf(subject.id, judgement)?.now ?? []);
      const disks = choices.map(({ disk }) => disk).filter((disk) => diskName.safeParse(disk).success);
      return disks.length > 0
        ? disks.map((disk) => ({ disk }))
        : refusal('6 redundancy', 'no failed or suspect disk may be taken out now');
    },
    prompts: ({ targets }) => [
      { name: 'disk', label: 'disk', required: true, initial: targets[0]?.object ?? '' },
    ],
  },
  plan: planRemove,
  undoOf: ({ id: host }, was, { judgement }) => {
    const before = wasSchema.safeParse(was);
    return before.success
      ? { steps: [readdStep(judgement.site, host, before.data.array, before.data.member)] }
      : refusal('3 preconditions', 'the log does not hold the array that it was in');
  },
};
