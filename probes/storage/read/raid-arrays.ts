import { dropUndefined } from '../../../src/kit/known.ts';
import type { Layout, Slot } from '../arrays.ts';
import type { ReadArray } from '../readings.ts';
import type { RaidArray, RaidDisk, RaidReport } from './raid.ts';

export type RaidTool = 'storcli' | 'megacli' | 'ssacli' | 'arcconf';

/** RAID levels by their figures, as all makers write them; spans are told by the slots. */
const layouts: Readonly<Record<string, Layout>> = {
  '0': { kind: 'stripe' },
  '1': { kind: 'mirror' },
  '5': { kind: 'parity', tolerance: 1 },
  '6': { kind: 'parity', tolerance: 2 },
  '00': { kind: 'spans', of: 'stripe', tolerance: 0 },
  '10': { kind: 'spans', of: 'mirror', tolerance: 1 },
  '1+0': { kind: 'spans', of: 'mirror', tolerance: 1 },
  '50': { kind: 'spans', of: 'parity', tolerance: 1 },
  '60': { kind: 'spans', of: 'parity', tolerance: 2 },
};

/** MegaCli writes `Primary-5, Secondary-0, RAID Level Qualifier-3`: more than one span makes 50 of it. */
const figuresOf = ({ level = '', spans = 1 }: RaidArray): string => {
  const primary = /^Primary-(\d)/.exec(level)?.[1];
  if (primary !== undefined) return spans > 1 ? `${primary}0` : primary;
  return /^(?:RAID ?)?(1\+0|\d{1,2})\b/.exec(level)?.[1] ?? '';
};

const layoutOf = (array: RaidArray): Layout =>
  layouts[figuresOf(array)] ?? { kind: 'unknown', word: array.level ?? 'no level' };

/** MegaCli's words are figures of its firmware; others stand as they are. */
const levelOf = (array: RaidArray): string => {
  const level = array.level ?? '?';
  return level.startsWith('Primary-') && layouts[figuresOf(array)] ? `RAID${figuresOf(array)}` : level;
};

/** What the tools call a member that holds its data, one that does not, and one that is being filled. */
const states: readonly (readonly [form: RegExp, state: Slot['state']])[] = [
  [/^(?:Onln|Online\b|OK$|Predictive Failure|Present)/, 'good'],
  [/^(?:Rbld|Rebuild)/, 'filling'],
  [/^(?:Offln|Offline|UBad|Failed|Msng|Missing|Inconsistent)/i, 'missing'],
];

const stateOf = (word: string | undefined): Slot['state'] =>
  states.find(([form]) => form.test(word ?? ''))?.[1] ?? 'unknown';

const works =
  /^(?:Optl|Pdgd|Dgrd|Rec|Optimal|Partially Degraded|Degraded|OK|Okay|Interim Recovery Mode|Recovering|Ready for|Impacted|Suboptimal)/;
const stopped = /^(?:OfLn|Offline|Failed)/;

const usableOf = (word: string | undefined): boolean | undefined => {
  if (word === undefined) return undefined;
  return works.test(word) ? true : stopped.test(word) ? false : undefined;
};

const isWhole = (word: string | undefined): boolean => /^(?:Optl|Optimal|OK|Okay)$/.test(word ?? '');

export const diskKey = ({ controller, id }: Pick<RaidDisk, 'controller' | 'id'>): string =>
  `c${controller} ${id}`;

/** Spares are listed with their array, and hold nothing of it. */
const isMember = ({ driveType, state }: RaidDisk): boolean =>
  !/spare/i.test(driveType ?? '') && !/^(?:DHS|GHS|Hotspare)/.test(state ?? '');

/** Disks of an array: by drive group where its id names one, by virtual drive, or by the letter of an HPE array. */
const membersOf = (tool: RaidTool, array: RaidArray, { disks = [] }: RaidReport): RaidDisk[] => {
  const group = tool === 'ssacli' ? array.group : /^(.+)\//.exec(array.id)?.[1];
  return disks.filter(
    (disk) =>
      disk.controller === array.controller &&
      isMember(disk) &&
      (tool === 'megacli' ? disk.virtualDrive === array.id : disk.array === group && group !== undefined),
  );
};

/** HPE names the halves of its mirrors: the n-th disk of the one has its copy on the n-th of the other. */
const spanOf = (disk: RaidDisk, members: readonly RaidDisk[]): number | undefined => {
  if (disk.mirrorGroup !== undefined)
    return members.filter(({ mirrorGroup }) => mirrorGroup === disk.mirrorGroup).indexOf(disk);
  return disk.span ?? disk.parityGroup;
};

const slotsOf = (tool: RaidTool, array: RaidArray, report: RaidReport): Slot[] => {
  if (array.segments)
    return array.segments.map(({ serial, where, state, group }) => ({
      state: stateOf(state),
      ...dropUndefined({ disk: serial ?? where, span: group }),
    }));
  const members = membersOf(tool, array, report);
  const listed = members.map((disk): Slot => ({
    disk: diskKey(disk),
    state: stateOf(disk.state === 'Conf' ? disk.status : disk.state),
    ...dropUndefined({ span: spanOf(disk, members) }),
  }));
  return [...listed, ...(array.emptyAt ?? []).map((span): Slot => ({ state: 'missing', span }))];
};

/** An array that calls itself whole while a disk of it is out, or the other way round: the worst of them counts, and nobody can say. */
const doubtOf = (array: RaidArray, slots: readonly Slot[]): string | undefined => {
  const bad = slots.filter(({ state }) => state === 'missing' || state === 'filling').length;
  if (slots.length === 0) return 'its disks are not listed';
  if (
    array.drives !== undefined &&
    array.drives > 0 &&
    slots.length !== array.drives &&
    (array.spans ?? 1) === 1
  )
    return `${slots.length} of ${array.drives} disks are listed`;
  if (isWhole(array.state) && array.groupState !== undefined && !isWhole(array.groupState))
    return `it says ${array.state ?? ''}, and its array ${array.groupState}`;
  if (isWhole(array.state) && bad > 0) return `it says ${array.state ?? ''}, and ${bad} of its disks do not`;
  if (!isWhole(array.state) && bad === 0 && usableOf(array.state) === true)
    return `it says ${array.state ?? ''}, and each of its disks is in order`;
  return undefined;
};

/** The arrays of RAID controllers as slots. */
export const raidArrays = (tool: RaidTool, report: RaidReport): ReadArray[] =>
  (report.arrays ?? [])
    // A cache on SSDs is listed among them, and has no level.
    .filter(({ level }) => level !== undefined)
    .map((array): ReadArray => {
      const slots = slotsOf(tool, array, report);
      const usable = usableOf(array.state);
      return {
        id: `c${array.controller}/${array.id}${array.name === undefined ? '' : ` ${array.name}`}`,
        level: levelOf(array),
        layout: layoutOf(array),
        slots,
        ...(slots.some(({ state }) => state === 'filling') && { work: 'rebuild' as const }),
        ...dropUndefined({
          usable,
          word: usable === true ? undefined : array.state,
          doubt: doubtOf(array, slots),
        }),
      };
    });
