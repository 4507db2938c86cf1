import { dropUndefined } from '../../../src/kit/known.ts';
import type { Layout, Slot, Work } from '../arrays.ts';
import type { ReadArray } from '../readings.ts';
import type { MdArray } from './parse-mdstat.ts';
import type { MdSysArray, MdSysMember } from './parse-mdsys.ts';

/** Levels by the kernel's words (md(4)). */
const layouts: Readonly<Record<string, Layout>> = {
  raid0: { kind: 'stripe' },
  linear: { kind: 'stripe' },
  raid1: { kind: 'mirror' },
  raid4: { kind: 'parity', tolerance: 1 },
  raid5: { kind: 'parity', tolerance: 1 },
  raid6: { kind: 'parity', tolerance: 2 },
};

const layoutOf = ({ level, nearCopies, farCopies }: MdArray): Layout => {
  if (level === 'raid10' && (nearCopies !== undefined || farCopies !== undefined))
    return { kind: 'copies', near: nearCopies ?? 1, far: farCopies ?? 1 };
  return layouts[level ?? ''] ?? { kind: 'unknown', word: level ?? 'no level' };
};

/** States in which an array takes reads (kernel, Documentation/admin-guide/md.rst). */
const working: ReadonlySet<string> = new Set([
  'clean',
  'active',
  'write-pending',
  'active-idle',
  'readonly',
  'read-auto',
]);
const dead: ReadonlySet<string> = new Set(['broken', 'inactive', 'clear', 'suspended']);

const usableOf = (md: MdArray, state: string | undefined): boolean | undefined => {
  if (md.broken === true || !md.active || (state !== undefined && dead.has(state))) return false;
  return state !== undefined && working.has(state) ? true : undefined;
};

const works: Readonly<Record<string, Work | 'none'>> = {
  recovery: 'rebuild',
  resync: 'resync',
  repair: 'resync',
  reshape: 'reshape',
  // A check reads, and takes nothing of the redundancy.
  check: 'none',
};

const wordsIn = ({ state = '' }: MdSysMember): readonly string[] => state.split(',');

/** One place by what sysfs says of its member and what stands at its place in the pattern of mdstat. */
const slotOf = (
  members: readonly MdSysMember[],
  letter: string | undefined,
  pulled: ReadonlySet<string>,
): { slot: Slot; contradicts: boolean } => {
  const good = members.find((member) => wordsIn(member).includes('in_sync'));
  const member = good ?? members[0];
  if (!member) return { slot: { state: 'missing' }, contradicts: letter === 'U' };
  const disk = member.name;
  if (pulled.has(disk) || wordsIn(member).includes('faulty'))
    return { slot: { disk, state: 'missing' }, contradicts: false };
  if (!good) return { slot: { disk, state: 'filling' }, contradicts: letter === 'U' };
  return { slot: { disk, state: 'good' }, contradicts: letter === '_' };
};

type Slots = Pick<ReadArray, 'slots' | 'spares' | 'spareDisks' | 'out' | 'doubt' | 'pulled'>;

const slotsOf = (md: MdArray, sys: MdSysArray | undefined, pulled: ReadonlySet<string>): Slots => {
  const count = sys?.raidDisks ?? md.expected ?? md.disks.length;
  const found = Array.from({ length: Math.min(count, 4096) }, (_slot, at) =>
    slotOf(sys?.disks.filter(({ slot }) => slot === at) ?? [], md.pattern?.[at], pulled),
  );
  const out = sys?.disks.filter((member) => member.slot === undefined && wordsIn(member).includes('faulty'));
  const spares = sys?.disks.filter(
    (member) => member.slot === undefined && wordsIn(member).includes('spare'),
  );
  const gone = md.disks.map(({ name }) => name).filter((name) => pulled.has(name));
  const missing = new Set(found.map(({ slot }) => (slot.state === 'missing' ? slot.disk : undefined)));
  const doubt = !sys
    ? 'not in sysfs'
    : sys.disks.some(({ state }) => state === undefined)
      ? 'the state of a member is not known'
      : found.some(({ contradicts }) => contradicts)
        ? 'mdstat and sysfs contradict each other'
        : undefined;
  return {
    slots: found.map(({ slot }) => slot),
    ...dropUndefined({ doubt }),
    ...(spares && { spares: spares.length }),
    ...(spares && spares.length > 0 && { spareDisks: spares.map(({ name }) => name) }),
    ...(out && out.length > 0 && { out: out.map(({ name }) => name) }),
    ...(gone.some((name) => missing.has(name)) && { pulled: gone }),
  };
};

const workOf = (
  { sync }: MdArray,
  sys: MdSysArray | undefined,
): Pick<ReadArray, 'work' | 'workPct' | 'workDone' | 'workTotal' | 'waits' | 'frozen'> => {
  const frozen = sys?.syncAction === 'frozen' ? { frozen: true as const } : {};
  const work = sync === undefined ? undefined : (works[sync.action] ?? 'unknown');
  if (sync === undefined || work === undefined || work === 'none') return frozen;
  if ('state' in sync) return { ...frozen, work, waits: sync.state };
  return { ...frozen, work, workPct: sync.pct, workDone: sync.done, workTotal: sync.total };
};

/** A container of external metadata (IMSM, DDF) holds no data itself: the arrays in it do. */
const isContainer = ({ active, metadata }: MdArray): boolean =>
  !active && metadata?.startsWith('external:') === true;

/** The arrays of md as slots: mdstat and sysfs have to say the same. `pulled`: disks by array that are no longer there. */
export const mdArrays = (
  stat: readonly MdArray[],
  sys: readonly MdSysArray[],
  pulled: ReadonlyMap<string, ReadonlySet<string>>,
): ReadArray[] =>
  stat
    .filter((md) => !isContainer(md))
    .map((md): ReadArray => {
      const own = sys.find(({ name }) => name === md.name);
      const usable = usableOf(md, own?.arrayState);
      const word = usable === true ? undefined : (own?.arrayState ?? (md.active ? undefined : 'inactive'));
      return {
        id: md.name,
        level: md.level ?? own?.level ?? '?',
        layout: layoutOf(md),
        ...slotsOf(md, own, pulled.get(md.name) ?? new Set()),
        ...workOf(md, own),
        // `read-auto` takes the first write.
        ...(own?.arrayState === 'readonly' && { readOnly: true as const }),
        ...dropUndefined({ usable, word, speedMin: own?.syncSpeedMin, speedMax: own?.syncSpeedMax }),
      };
    });
