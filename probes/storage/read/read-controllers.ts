import { dropUndefined } from '../../../src/kit/known.ts';
import { findPart, findSection, sectionsOf, type Section } from '../../../src/kit/sections.ts';
import type { Answer } from '../../../src/model/answer.ts';
import { NotThisFormat, ParseError } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import type { ControllersReading, RaidToolReading } from '../readings.ts';
import { parseArcconf } from './parse-arcconf.ts';
import { parseMegacli } from './parse-megacli.ts';
import { parseSsacli } from './parse-ssacli.ts';
import { parseStorcli } from './parse-storcli.ts';
import { raidArrays, type RaidTool } from './raid-arrays.ts';
import { batteriesOf, cachesOf, foreignOf, numbersOf, suspectsOf } from './raid-caches.ts';
import type { RaidDisk, RaidReport } from './raid.ts';

const readers: Readonly<Record<string, readonly [RaidTool, (input: ParseInput) => RaidReport]>> = {
  storcli: ['storcli', parseStorcli],
  perccli: ['storcli', parseStorcli],
  megacli: ['megacli', parseMegacli],
  ssacli: ['ssacli', parseSsacli],
  arcconf: ['arcconf', parseArcconf],
};

/** Why a part says nothing; undefined: it was read. */
const read = (
  sections: readonly Section[],
  word: string,
  parse: (input: ParseInput) => RaidReport,
): RaidReport | string => {
  if (findSection(sections, `${word}-busy`))
    return 'one that was started before still runs: none was started';
  if (findSection(sections, `${word}-absent`)) return 'not installed';
  const part = findPart(sections, word);
  if (!part) return 'its answer is not whole';
  if (part.code === 137) return 'no answer within 60 s';
  try {
    return parse({ stdout: part.text, exitCode: part.code });
  } catch (error) {
    if (error instanceof NotThisFormat || error instanceof ParseError) return error.message;
    throw error;
  }
};

const empty = { arrays: [], caches: [], batteries: [], suspects: [] };

const isTwice = (ids: readonly string[]): boolean => new Set(ids).size !== ids.length;

/** Two controllers that bear one number, which show in their arrays where a tool lists no controllers: of neither is it known which disks are its own. */
const isNumberTwice = ({ controllers = [], arrays = [] }: RaidReport): boolean =>
  isTwice(controllers.map(({ id }) => String(id))) ||
  isTwice(arrays.map(({ controller, id }) => `${controller} ${id}`));

/** A failure with all tables complete is common: it only counts where nothing came, of all controllers or of one. */
const failuresOf = ({
  arrays = [],
  disks = [],
  controllers = [],
  error,
  unread = [],
}: RaidReport): string[] =>
  error && arrays.length + disks.length + controllers.length === 0 ? [error.message] : unread;

/** Why MegaCli says nothing of batteries, which it lists apart; a controller without one says so, and that is no failure. */
const batteryFailures = (read: RaidReport | string): string[] => {
  if (typeof read === 'string') return [`batteries: ${read}`];
  const { error, batteries = [] } = read;
  return error && error.kind !== 'notFound' && batteries.length === 0 ? [`batteries: ${error.message}`] : [];
};

/** arcconf is asked for the first controller, and says how many there are. */
const othersOf = (sections: readonly Section[]): string[] => {
  const found = Number(
    /^Controllers found: (\d{1,3})$/m.exec(findPart(sections, 'arcconf')?.text ?? '')?.[1],
  );
  return found > 1 ? [`it is asked for the first of ${found} controllers`] : [];
};

/**
 * The same disks with what storcli says of each: numbers, and whether it expects them to fail. It is asked apart, and says of a controller
 * without enclosures that it found none: what it does not say is not known then.
 */
const withDetails = (
  short: RaidReport,
  details: RaidReport | string | undefined,
): { report: RaidReport; failure: string[] } => {
  if (details === undefined) return { report: short, failure: [] };
  if (typeof details === 'string') return { report: short, failure: [`disks: ${details}`] };
  const keyOf = ({ controller, id }: RaidDisk): string => `${controller} ${id}`;
  const known = new Map((details.disks ?? []).map((disk) => [keyOf(disk), disk]));
  const disks = short.disks?.map((disk) => ({ ...known.get(keyOf(disk)), ...disk }));
  return { report: { ...short, ...(disks && { disks }) }, failure: [] };
};

/** Where the tool lies, as it was called. */
const programOf = (sections: readonly Section[], name: string): string | undefined =>
  /^[\w./-]{1,100}$/.exec(findSection(sections, `${name}-program`)?.rest ?? '')?.[0];

const toolOf = (sections: readonly Section[], name: string): RaidToolReading[] => {
  const [tool, parse] = readers[name] ?? [];
  const asked = ['', '-busy', '-absent'].some((end) => findSection(sections, `${name}${end}`) !== undefined);
  if (tool === undefined || parse === undefined || !asked) return [];
  const short = read(sections, name, parse);
  if (typeof short === 'string') return [{ tool: name, ...empty, failure: short }];
  // An answer of before there was such a question says nothing of it.
  const isDetailed = ['', '-busy'].some((end) => findSection(sections, `${name}-disks${end}`) !== undefined);
  const { report, failure: diskFailure } = withDetails(
    short,
    isDetailed ? read(sections, `${name}-disks`, parse) : undefined,
  );
  const battery = name === 'megacli' ? read(sections, 'megacli-battery', parse) : undefined;
  const failure = [
    ...failuresOf(report),
    ...diskFailure,
    ...(battery === undefined ? [] : batteryFailures(battery)),
    ...(name === 'arcconf' ? othersOf(sections) : []),
  ];
  const whole = typeof battery === 'object' ? { ...report, batteries: battery.batteries ?? [] } : report;
  const doubt = isNumberTwice(whole)
    ? 'two controllers bear one number'
    : whole.duplicateKeys === undefined
      ? undefined
      : `the tool printed ${whole.duplicateKeys[0] ?? 'a key'} twice`;
  const numbers = doubt === undefined ? numbersOf(whole) : [];
  const foreign = foreignOf(whole);
  return [
    {
      tool: name,
      ...dropUndefined({ program: programOf(sections, name) }),
      arrays: raidArrays(tool, whole).map((array) => (doubt === undefined ? array : { ...array, doubt })),
      caches: cachesOf(whole),
      batteries: batteriesOf(whole),
      suspects: suspectsOf(whole),
      ...(numbers.length > 0 && { numbers }),
      ...(foreign.length > 0 && { foreign }),
      ...(failure.length > 0 && { failure: failure.join('; ') }),
      ...(failure.length > 0 && failure.length === diskFailure.length && { onlyNumbers: true }),
    },
  ];
};

/** Reads what the command lines of RAID controllers printed. */
export const readControllers = (answer: Answer): { value: ControllersReading } => {
  const sections = sectionsOf(answer, 'asking RAID controllers');
  return { value: { tools: Object.keys(readers).flatMap((name) => toolOf(sections, name)) } };
};
