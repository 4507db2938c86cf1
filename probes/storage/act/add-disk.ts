import * as z from 'zod';
import type { Action, Guard, Plan, PlanContext, Refusal, Step } from '../../../src/model/action.ts';
import { failGuard, passGuard, refusal, rereads } from '../../../src/kit/guards.ts';
import { planOf } from '../../../src/kit/offers.ts';
import type { SiteView } from '../../../src/model/site.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { ReadArray, ReadDisk } from '../readings.ts';
import { argvAsRoot } from '../settings.ts';
import addText from './add-disk.sh';
import { removeStep } from './fail-remove.ts';
import { arrayName, arraysOn, diskName, knownArray } from './members.ts';
import { arrayGuard, hasEmptyPlace, isFree, placesFor, whyNotWorking } from './places.ts';
import { isTaken, verifyTaken } from './re-add.ts';
import { addRefusals } from './refusals.ts';

const parameters = z.object({
  disk: diskName,
  array: arrayName,
  /** Typed where the disk holds anything, which is lost. */
  serial: z
    .string()
    .trim()
    .max(80)
    .regex(/^[A-Za-z0-9 ._/:-]*$/, { error: 'a serial number' })
    .optional(),
});
type Parameters = z.infer<typeof parameters>;

const wasSchema = z.object({ array: arrayName, disk: diskName });

const addStep = (site: SiteView, host: string, { array, disk }: Parameters, isTyped: boolean): Step => ({
  host,
  argv: argvAsRoot(site, 'sh', '-s', '--', `/dev/${array}`, `/dev/${disk}`, isTyped ? 'typed' : '-'),
  stdin: addText,
  changes: ['mdadm'],
  deadlineMs: 60_000,
  refusals: addRefusals,
});

const whyNotAdded = (array: ReadArray | undefined): string | undefined => {
  const why = whyNotWorking(array);
  if (why !== undefined || !array) return why;
  if (array.layout.kind === 'stripe') return `${array.level} takes neither members nor spares`;
  return array.work === 'reshape' || array.work === 'unknown'
    ? `${array.work} runs or waits there`
    : undefined;
};

/** What becomes of it. md fills one place after the other. */
const useWords = (disk: string, array: ReadArray | undefined): string => {
  if (array === undefined || !hasEmptyPlace(array))
    return `no place of ${array?.id ?? 'it'} is empty: ${disk} waits as its spare`;
  const begins = array.work === undefined && array.frozen !== true;
  return `a place of ${array.id} is empty: ${disk} is filled ${begins ? 'at once' : 'when what runs or is held up there is over'}`;
};

/** What a disk holds is lost, and mdadm asks nothing: so its serial number is typed. */
const whyNotTyped = (own: ReadDisk | undefined, serial: string | undefined): string | undefined => {
  if (serial === undefined || serial === '')
    return own?.holds === undefined
      ? undefined
      : `it holds ${own.holds}, which is lost: type its serial number to add it all the same`;
  if (own?.serial === undefined) return 'it has no serial number that could be typed: by hand';
  return own.serial === serial
    ? undefined
    : 'the serial number that was typed is that of no disk of this name';
};

const contentGuard = (host: string, { disk, serial }: Parameters): Guard => ({
  id: '4 content',
  text:
    serial === undefined || serial === ''
      ? `${disk} holds nothing, by udev now and by wipefs in the moment before mdadm runs`
      : `the serial number that was typed is that of ${disk}: what it holds is lost`,
  reads: rereads('storage.arrays', host),
  absolute: true,
  check: (live) => {
    const own = arraysOn(host, live)?.disks.find(({ name }) => name === disk);
    const why = own ? whyNotTyped(own, serial) : 'its serial number was not read just now';
    return why === undefined ? passGuard(serial ? 'typed' : 'it holds nothing') : failGuard(why);
  },
});

const planAdd = (
  [subject, ...more]: readonly Subject[],
  given: Parameters,
  { judgement }: PlanContext,
): Plan | Refusal => {
  if (!subject || more.length > 0) return refusal('5 targets', 'one host at a time');
  const { id: host } = subject;
  const { disk, array, serial = '' } = given;
  const reading = arraysOn(host, judgement);
  if (!reading) return refusal('3 preconditions', `the arrays of ${host} were not read just now`);
  const own = reading.disks.find(({ name }) => name === disk);
  const to = reading.arrays.find(({ id }) => id === array);
  const isFilled = to !== undefined && hasEmptyPlace(to);
  return planOf(addDiskAction, {
    title: `Add ${disk} to ${array} on ${host}`,
    ...(serial !== '' && { danger: 'access' as const }),
    targets: [
      {
        subject,
        object: disk,
        steps: [addStep(judgement.site, host, given, serial !== '')],
        guards: [
          arrayGuard(host, array, {
            text: `${array} on ${host} works, is known, and is not being reshaped`,
            why: whyNotAdded,
            good: 'it works',
          }),
          isFree(host, disk),
          contentGuard(host, given),
        ],
        whyAlreadyDone: (live) => {
          const now = knownArray(host, array, live);
          return isTaken(now, disk) || now?.spareDisks?.includes(disk) === true
            ? `${disk} is in ${array}`
            : undefined;
        },
        verify: verifyTaken(host, array, disk, true),
        undo: isFilled ? null : [removeStep(judgement.site, host, array, disk)],
        was: { array, disk },
        lockGroups: [`array ${host}:${array}`],
      },
    ],
    parameters: { disk, array, ...(serial !== '' && { serial }) },
    because: [
      `${disk}${own?.serial === undefined ? '' : `, serial ${own.serial}`}: ${own?.holds === undefined ? 'holds nothing, as far as udev knows' : `holds ${own.holds}, which is lost`}`,
      useWords(disk, to),
    ],
    afterwards: isFilled
      ? 'the rebuild is followed in the pane'
      : 'the next disk that fails is replaced by it',
    undoText: isFilled
      ? 'none: storage.fail-remove takes it out again, by its own guards'
      : 'the spare is taken out again, as long as it waits; what it held before is gone',
  });
};

/** `mdadm --add`: makes a member or spare of any disk, over whatever it holds. */
export const addDiskAction: Action<Parameters> = {
  id: 'storage.add-disk',
  verb: 'add',
  title: 'add a disk to an array',
  subject: 'host',
  danger: 'service',
  users: 'nothing, or slower reads and writes while it is filled',
  parameters,
  prompts: [],
  menu: {
    note: ({ targets: [target], parameters: { array } }) => `${target?.object ?? ''} to ${String(array)}`,
    tryWith: ([subject], { judgement }) => {
      const places = subject ? placesFor(subject.id, judgement, ({ holds }) => holds === undefined) : [];
      return places.length > 0
        ? places
        : refusal('3 preconditions', 'no array there works and has a free disk beside it that holds nothing');
    },
    prompts: ({ parameters: given }) => {
      const { disk, array } = parameters.parse(given);
      return [
        { name: 'disk', label: 'disk', required: true, initial: disk },
        { name: 'array', label: 'array', required: true, initial: array },
        { name: 'serial', label: 'its serial number, where it holds anything', required: false },
      ];
    },
  },
  plan: planAdd,
  undoOf: ({ id: host }, was, { judgement }) => {
    const before = wasSchema.safeParse(was);
    return before.success
      ? { steps: [removeStep(judgement.site, host, before.data.array, before.data.disk)] }
      : refusal('3 preconditions', 'the log does not hold the array that it was added to');
  },
};
