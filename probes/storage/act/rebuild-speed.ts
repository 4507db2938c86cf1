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
import { failGuard, passGuard, refusal, rereads, waitUnless } from '../../../src/kit/guards.ts';
import { planOf } from '../../../src/kit/offers.ts';
import type { SiteView } from '../../../src/model/site.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { ReadArray } from '../readings.ts';
import { argvAsRoot } from '../settings.ts';
import { arrayName, arraysOn, knownArray } from './members.ts';
import { speedRefusals } from './refusals.ts';
import setText from './set-speed.sh';

/** KiB/s; more than this no disk writes. */
const MOST = 20_000_000;

const speed = z.coerce.number().int().min(1).max(MOST);
const parameters = z.object({
  array: arrayName,
  least: speed,
  most: speed,
  minutes: z.coerce.number().int().min(1).max(2880).default(240),
});
type Parameters = z.infer<typeof parameters>;

/** What is written to sysfs: a number, or the kernel's word for the setting of the whole machine. */
const setting = z.string().regex(/^(?:system|\d{1,9})$/);
const wasSchema = z.object({ array: arrayName, least: setting, most: setting });

/** `1000 (system)` or `2000 (local)` as what brings it back (drivers/md/md.c, sync_min_show). */
const settingOf = (text: string | undefined): string | undefined => {
  const [, number = '', word] = /^(\d{1,9}) \((system|local)\)$/.exec(text ?? '') ?? [];
  return word === 'system' ? 'system' : number === '' ? undefined : number;
};

interface Speeds {
  least: string;
  most: string;
}

const speedsOf = ({ speedMin, speedMax }: ReadArray): Speeds | undefined => {
  const [least, most] = [settingOf(speedMin), settingOf(speedMax)];
  return least === undefined || most === undefined ? undefined : { least, most };
};

const setStep = (
  site: SiteView,
  host: string,
  array: string,
  now: Speeds,
  back: readonly string[],
): Step => ({
  host,
  argv: argvAsRoot(site, 'sh', '-s', '--', 'rebuild-speed', array, now.least, now.most, ...back),
  stdin: setText,
  changes: ['echo'],
  deadlineMs: 30_000,
  refusals: speedRefusals,
});

const isSet = (array: ReadArray | undefined, { least, most }: Parameters): boolean =>
  array?.speedMin === `${least} (local)` && array.speedMax === `${most} (local)`;

const runsAs = (host: string, id: string, was: Speeds): Guard => ({
  id: '3 preconditions',
  text: `${id} on ${host} is rebuilt or resynced, and nobody has changed its speed meanwhile`,
  reads: rereads('storage.arrays', host),
  absolute: true,
  check: (live) => {
    const own = knownArray(host, id, live);
    if (!own) return failGuard(`${id} was not read just now`);
    if (own.work === undefined) return failGuard('nothing runs there whose speed could be set');
    const now = speedsOf(own);
    return now?.least === was.least && now.most === was.most
      ? passGuard(`${own.work} runs or waits there`)
      : failGuard('its speed was changed, or not read just now');
  },
});

const targetOf = (subject: Subject, given: Parameters, was: Speeds, site: SiteView): PlanTarget => {
  const { id: host } = subject;
  const { array, least, most, minutes } = given;
  const wanted = { least: String(least), most: String(most) };
  return {
    subject,
    object: array,
    steps: [setStep(site, host, array, wanted, [String(minutes * 60), was.least, was.most])],
    guards: [runsAs(host, array, was)],
    whyAlreadyDone: (live) =>
      isSet(knownArray(host, array, live), given) ? `it is ${least} to ${most} KiB/s already` : undefined,
    verify: {
      text: `the speed of ${array} reads ${least} to ${most} KiB/s`,
      reads: rereads('storage.arrays', host),
      deadlineMs: 30_000,
      check: (live) => {
        const own = knownArray(host, array, live);
        if (own?.speedMin === undefined || own.speedMax === undefined)
          return { state: 'unread', text: `the speed of ${array} was not read` };
        return waitUnless(isSet(own, given), `${own.speedMin} to ${own.speedMax}`);
      },
    },
    undo: [setStep(site, host, array, was, [])],
    was: { array, ...was },
    lockGroups: [`array ${host}:${array}`],
  };
};

const planSpeed = (
  [subject, ...more]: readonly Subject[],
  given: Parameters,
  { judgement, looksBack }: PlanContext,
): Plan | Refusal => {
  if (!subject || more.length > 0) return refusal('5 targets', 'one host at a time');
  const { array, least, most, minutes } = given;
  const own = knownArray(subject.id, array, judgement);
  const was = own && speedsOf(own);
  if (!own || !was)
    return refusal('3 preconditions', `the speed of ${array} on ${subject.id} was not read just now`);
  if (most < least && !looksBack)
    return refusal('3 preconditions', `at most ${most} is less than at least ${least} KiB/s`);
  return planOf(rebuildSpeedAction, {
    title: `Rebuild ${array} on ${subject.id} at ${least} to ${most} KiB/s`,
    targets: [targetOf(subject, given, was, judgement.site)],
    parameters: given,
    because: [
      `now at least ${own.speedMin}, at most ${own.speedMax} KiB/s`,
      'up to the lower number it takes what it needs from others, above it others come first',
    ],
    afterwards: `put back after ${minutes} min by a process of the host, unless somebody sets it otherwise; a reboot forgets it`,
    undoText: 'what was set before: the setting of the whole machine, or the array’s own',
  });
};

const worked = (host: string, judgement: Judgement): ReadArray[] =>
  (arraysOn(host, judgement)?.arrays ?? []).filter(
    (array) => array.work !== undefined && arrayName.safeParse(array.id).success && speedsOf(array),
  );

const numberIn = (text: string | undefined): number => Number(/^\d+/.exec(text ?? '')?.[0] ?? 1);

/** How much of the disks' time a rebuild takes from their users. */
export const rebuildSpeedAction: Action<Parameters> = {
  id: 'storage.rebuild-speed',
  verb: 'set',
  title: 'set the speed of a rebuild',
  subject: 'host',
  danger: 'reversible',
  users:
    'a higher speed takes from their reads and writes, a lower one leaves the array longer without redundancy',
  parameters,
  prompts: [],
  menu: {
    note: ({ targets: [target] }) => `${target?.object ?? ''}: put back by the host itself`,
    tryWith: ([subject], { judgement }) => {
      const arrays = subject ? worked(subject.id, judgement) : [];
      return arrays.length > 0
        ? arrays.map((array) => ({
            array: array.id,
            // What is proposed is what a disk can write beside some work of others.
            least: Math.min(50_000, numberIn(array.speedMax)),
            most: numberIn(array.speedMax),
            minutes: 240,
          }))
        : refusal('3 preconditions', 'no array of md there is rebuilt or resynced');
    },
    prompts: ({ parameters: given }) => {
      const { array, least, most, minutes } = parameters.parse(given);
      return [
        { name: 'array', label: 'array', required: true, initial: array },
        { name: 'least', label: 'at least, KiB/s', required: true, initial: String(least) },
        { name: 'most', label: 'at most, KiB/s', required: true, initial: String(most) },
        { name: 'minutes', label: 'put back after, min', required: true, initial: String(minutes) },
      ];
    },
  },
  plan: planSpeed,
  undoOf: ({ id: host }, was, { judgement }) => {
    const before = wasSchema.safeParse(was);
    return before.success
      ? { steps: [setStep(judgement.site, host, before.data.array, before.data, [])] }
      : refusal('3 preconditions', 'the log does not hold the speed that it had');
  },
};
