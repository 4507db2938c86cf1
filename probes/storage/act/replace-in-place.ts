import * as z from 'zod';
import type {
  Action,
  Plan,
  PlanContext,
  PlanTarget,
  Refusal,
  Verification,
} from '../../../src/model/action.ts';
import type { SiteView } from '../../../src/model/site.ts';
import { refusal, rereads, waitUnless } from '../../../src/kit/guards.ts';
import { planOf } from '../../../src/kit/offers.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { predictedDisks } from '../judge/find-disks.ts';
import type { ReadArray } from '../readings.ts';
import { argvAsRoot } from '../settings.ts';
import { arrayName, arraysOn, diskName, isOut, knownArray } from './members.ts';
import { arrayGuard, hasEmptyPlace, whyNotWorking } from './places.ts';
import { replaceRefusals } from './refusals.ts';

const parameters = z.object({ disk: diskName, spare: diskName });
type Parameters = z.infer<typeof parameters>;

const holdsData = (array: ReadArray, disk: string): boolean =>
  array.slots.some((slot) => slot.disk === disk && slot.state === 'good');

const whyNotReplaced = (array: ReadArray | undefined, { disk, spare }: Parameters): string | undefined => {
  const why = whyNotWorking(array);
  if (why !== undefined || !array) return why;
  if (array.work !== undefined) return `${array.work} runs or waits there`;
  if (array.frozen === true) return 'its work is frozen: the copy would not begin';
  if (hasEmptyPlace(array)) return 'a place of it is empty: its spare belongs there first';
  if (!holdsData(array, disk)) return `${disk} is no member of it in sync`;
  return array.spareDisks?.includes(spare) === true ? undefined : `${spare} is no spare of it`;
};

/** The copy is seen by the rebuild of an array that lacks nothing; at its end the old disk has left its place. */
const verifyCopy = (host: string, id: string, { disk, spare }: Parameters): Verification => ({
  text: `${id} copies ${disk} to ${spare}, or ${spare} has its place`,
  reads: rereads('storage.arrays', host),
  deadlineMs: 60_000,
  check: (live) => {
    const own = knownArray(host, id, live);
    if (!own) return { state: 'unread', text: `${id} was not read` };
    if (holdsData(own, spare)) return { state: 'yes', text: `${spare} has its place` };
    if (own.work === 'rebuild' && holdsData(own, disk)) {
      const far = own.workPct === undefined ? '' : ` ${Math.floor(own.workPct)} %`;
      return { state: 'yes', text: 'it is being copied', goesOn: `copy${far}` };
    }
    return waitUnless(false, 'no copy runs yet');
  },
});

const arrayWith = (host: string, disk: string, judgement: Judgement): ReadArray | undefined =>
  arraysOn(host, judgement)?.arrays.find(
    (array) => arrayName.safeParse(array.id).success && (holdsData(array, disk) || isOutOf(array, disk)),
  );

const isOutOf = (array: ReadArray, disk: string): boolean =>
  array.out?.includes(disk) === true && isOut(array, disk);

const targetOf = (subject: Subject, id: string, given: Parameters, site: SiteView): PlanTarget => {
  const { id: host } = subject;
  const { disk, spare } = given;
  return {
    subject,
    object: disk,
    steps: [
      {
        host,
        argv: argvAsRoot(site, 'mdadm', `/dev/${id}`, '--replace', `/dev/${disk}`, '--with', `/dev/${spare}`),
        deadlineMs: 30_000,
        refusals: replaceRefusals,
      },
    ],
    guards: [
      arrayGuard(host, id, {
        text: `${id} on ${host} lacks no disk, nothing runs there, ${disk} is in sync, and ${spare} waits as its spare`,
        why: (live) => whyNotReplaced(live, given),
        good: 'whole, with its spare',
      }),
    ],
    whyAlreadyDone: (live) => {
      const own = knownArray(host, id, live);
      return own && holdsData(own, spare) && !holdsData(own, disk)
        ? `${spare} has the place of ${disk}`
        : undefined;
    },
    verify: verifyCopy(host, id, given),
    undo: null,
    lockGroups: [`array ${host}:${id}`],
  };
};

const planReplace = (
  [subject, ...more]: readonly Subject[],
  given: Parameters,
  { judgement }: PlanContext,
): Plan | Refusal => {
  if (!subject || more.length > 0) return refusal('5 targets', 'one host at a time');
  const { id: host } = subject;
  const { disk, spare } = given;
  if (!arraysOn(host, judgement))
    return refusal('3 preconditions', `the arrays of ${host} were not read just now`);
  const array = arrayWith(host, disk, judgement);
  if (!array) return refusal('3 preconditions', `${disk} is in no array of md on ${host}`);
  const { id, level } = array;
  return planOf(replaceInPlaceAction, {
    title: `Replace ${disk} by ${spare} in ${id} on ${host}`,
    targets: [targetOf(subject, id, given, judgement.site)],
    parameters: given,
    because: [
      `${id} (${level}) keeps its redundancy: ${disk} is read until ${spare} holds all of it, and what it can't read comes from the others`,
    ],
    afterwards: `the copy is followed in the pane; at its end ${disk} stands as failed: take it out, find it by its serial number and pull it`,
    undoText: 'none: the copy goes on to its end; the old disk stays a member until then',
  });
};

const spareOf = (host: string, disk: string, judgement: Judgement): Parameters[] => {
  const [spare] = arrayWith(host, disk, judgement)?.spareDisks ?? [];
  return spare === undefined ? [] : [{ disk, spare }];
};

/** `mdadm --replace D --with S`: a member that still works gives its place to a spare, and no redundancy is lost meanwhile. */
export const replaceInPlaceAction: Action<Parameters> = {
  id: 'storage.replace-in-place',
  verb: 'replace',
  title: 'replace a disk while it still works',
  subject: 'host',
  danger: 'service',
  users: 'nothing, or slower reads and writes while it is copied',
  parameters,
  prompts: [],
  menu: {
    note: ({ targets: [target], parameters: { spare } }) => `${target?.object ?? ''} by ${String(spare)}`,
    // Disks that are likely to fail first; that of another member is typed in the dialog.
    tryWith: ([subject], { judgement }) => {
      if (!subject) return refusal('5 targets', 'one host at a time');
      const suspects = predictedDisks(judgement)
        .filter(({ host }) => host === subject.id)
        .map(({ disk }) => disk.name);
      const members = (arraysOn(subject.id, judgement)?.arrays ?? []).flatMap(({ slots }) =>
        slots.flatMap(({ disk }) => disk ?? []),
      );
      const pairs = [...suspects, ...members]
        .filter((disk) => diskName.safeParse(disk).success)
        .flatMap((disk) => spareOf(subject.id, disk, judgement));
      return pairs.length > 0
        ? pairs
        : refusal('3 preconditions', 'no array of md there has a spare that waits');
    },
    prompts: ({ parameters: given }, { judgement }) => {
      const { disk, spare } = parameters.parse(given);
      const isSuspect = predictedDisks(judgement).some((one) => one.disk.name === disk);
      return [
        // Of members without a sign of failure none is proposed.
        { name: 'disk', label: 'disk that is replaced', required: true, ...(isSuspect && { initial: disk }) },
        { name: 'spare', label: 'spare', required: true, initial: spare },
      ];
    },
  },
  plan: planReplace,
};
