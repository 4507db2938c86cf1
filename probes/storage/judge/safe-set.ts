import type { DiskArray } from '../arrays.ts';
import { groupsOf, redundancyIn, redundancyOf, type Group } from './groups.ts';

/** A disk that somebody wants to take out: failed, or suspected to fail. */
export interface Candidate {
  disk: string;
  /** How soon it may fail, from what failure studies support: more is sooner. */
  urgency: number;
  /** Serial number and slot are known and belong to no other disk: the neighbour may be the last copy. */
  certain: boolean;
  /** Why it may be in more arrays than are known. */
  doubt?: string;
  /** Known to be in no array. */
  unused?: true;
  /** Drawer or enclosure. */
  place?: string;
}

export interface SafeSite {
  arrays: readonly DiskArray[];
  candidates: readonly Candidate[];
  /** How many disks of one drawer or enclosure may be out at a time, where the site says so. */
  perPlace?: number;
}

/** What to do instead: wait, replace it while it still works, or find out first. */
export type Instead = 'wait' | 'replace in place' | 'never' | 'cannot say';

export interface Choice {
  disk: string;
  why: string;
}

export interface SafeSet {
  /** May be pulled now, all of them. */
  now: readonly Choice[];
  /** The order of the rest. */
  later: readonly (Choice & { instead: Instead })[];
}

interface Refusal {
  why: string;
  instead: Instead;
}

/** Where a disk lies: its array and its slot; no slot where it failed out of the array. */
interface Seat {
  array: DiskArray;
  slot?: number;
}

/** Seats by disk; a disk may have several, by partitions or by arrays that share a drive group. */
const seatsOf = (arrays: readonly DiskArray[]): ReadonlyMap<string, readonly Seat[]> => {
  const seats = arrays.flatMap((array) => [
    ...array.slots.flatMap(({ disk }, slot) => (disk === undefined ? [] : [{ disk, seat: { array, slot } }])),
    ...(array.out ?? []).map((disk) => ({ disk, seat: { array } })),
  ]);
  const byDisk = Map.groupBy(seats, ({ disk }) => disk);
  return new Map([...byDisk].map(([disk, found]) => [disk, found.map(({ seat }) => seat)]));
};

/** Of a group of one disk or of two, working members are never pulled; of others one more must stay to lose. */
const floorOf = ({ tolerance }: Group): number => (tolerance >= 2 ? 1 : tolerance);

const workWords = (array: DiskArray): string =>
  `${array.id}: ${array.work ?? 'rebuild'}${array.workPct === undefined ? '' : ` ${Math.floor(array.workPct)} %`}, wait`;

/** What forbids every disk of an array, whichever it is. */
const arrayRefuses = (array: DiskArray, groups: readonly Group[] | undefined): Refusal | undefined => {
  const cannot = (why: string): Refusal => ({ why: `${array.id}: ${why}`, instead: 'cannot say' });
  if (array.doubt !== undefined) return cannot(array.doubt);
  if (groups === undefined) return cannot('its level or the place of its disks is not known');
  if (array.slots.some(({ state }) => state === 'unknown')) return cannot('the state of a disk is not known');
  if (array.usable === undefined) return cannot('its state is not known');
  if (!array.usable || groups.some((group) => redundancyIn(array, group).left < 0))
    return { why: `${array.id}: lost; what failed may hold the newest copy`, instead: 'never' };
  if (array.work !== undefined || array.slots.some(({ state }) => state === 'filling'))
    return { why: workWords(array), instead: 'wait' };
  return undefined;
};

const groupRefuses = (array: DiskArray, group: Group, slot: number): Refusal | undefined => {
  const { left, tolerance } = redundancyIn(array, group);
  // A disk may hold several slots of one group by its partitions.
  const { disk } = array.slots[slot] ?? {};
  const own = group.slots.map((at) => array.slots[at]).filter((one) => one?.disk === disk);
  const lost = own.filter((one) => one?.state === 'good').length;
  if (lost === 0 || left - lost >= floorOf(group)) return undefined;
  const why = `${array.id}: would leave ${Math.max(0, left - lost)} of ${tolerance}`;
  return { why, instead: tolerance >= 2 ? 'wait' : 'replace in place' };
};

const seatRefuses = (disk: string, seat: Seat, taken: ReadonlySet<string>): Refusal | undefined => {
  const { array, slot } = seat;
  const groups = groupsOf(array);
  const refused = arrayRefuses(array, groups);
  if (refused || groups === undefined) return refused;
  if (slot === undefined && array.slots.some((one) => one.disk === disk))
    return { why: `${array.id}: ${disk} failed out of it, and is a member of it`, instead: 'cannot say' };
  // A disk that failed out of the array may have lain in any of its groups.
  const own = slot === undefined ? groups : groups.filter(({ slots }) => slots.includes(slot));
  const others = own.flatMap(({ slots }) => slots.map((at) => array.slots[at]?.disk));
  const other = [...others, ...(array.out ?? [])].find((one) => one !== undefined && taken.has(one));
  if (other !== undefined) return { why: `${array.id}: after ${other}, one at a time`, instead: 'wait' };
  if (slot === undefined) return undefined;
  return own.map((group) => groupRefuses(array, group, slot)).find((found) => found !== undefined);
};

const isGone = ({ array, slot }: Seat): boolean =>
  slot === undefined || array.slots[slot]?.state === 'missing';

/** Why a candidate may not go now; undefined: it may. */
const refuses = (
  candidate: Candidate,
  seats: readonly Seat[],
  taken: ReadonlySet<string>,
): Refusal | undefined => {
  if (!candidate.certain)
    return {
      why: 'serial number or slot is not certain, and its neighbour may be the last copy',
      instead: 'cannot say',
    };
  if (candidate.doubt !== undefined) return { why: candidate.doubt, instead: 'cannot say' };
  if (seats.length === 0 && candidate.unused !== true)
    return { why: 'not known which array it belongs to', instead: 'cannot say' };
  return seats.map((seat) => seatRefuses(candidate.disk, seat, taken)).find((found) => found !== undefined);
};

const leastLeft = (seats: readonly Seat[]): number =>
  Math.min(...seats.map(({ array }) => redundancyOf(array)?.left ?? Number.POSITIVE_INFINITY));

/** Arrays with least left and a failed disk first, then what fails soonest. */
const inOrder = (site: SafeSite, seats: ReadonlyMap<string, readonly Seat[]>): Candidate[] => {
  const rank = (candidate: Candidate): readonly [number, number, number] => {
    const own = seats.get(candidate.disk) ?? [];
    return [leastLeft(own), own.some(isGone) ? 0 : 1, -candidate.urgency];
  };
  return site.candidates
    .map((candidate) => ({ candidate, rank: rank(candidate) }))
    .toSorted(
      (a, b) =>
        a.rank[0] - b.rank[0] ||
        a.rank[1] - b.rank[1] ||
        a.rank[2] - b.rank[2] ||
        (a.candidate.disk < b.candidate.disk ? -1 : 1),
    )
    .map(({ candidate }) => candidate);
};

const reasonOf = (seats: readonly Seat[]): string => {
  if (seats.length === 0) return 'in no array';
  const words = seats.map((seat) => {
    const found = redundancyOf(seat.array);
    const left =
      found === undefined ? '' : `, ${isGone(seat) ? found.left : found.left - 1} of ${found.tolerance} left`;
    const spare =
      seat.array.spares === 0
        ? ', no spare takes over'
        : seat.array.spares === 1
          ? ', takes the last spare'
          : '';
    return `${seat.array.id}: ${isGone(seat) ? 'out already' : 'still works'}${left}${spare}`;
  });
  return words.join('; ');
};

/**
 * Which disks may be pulled now without any array losing its last redundancy, and the order of the rest with the reason of
 * each. Each choice counts as gone for the next. What is not known is never safe.
 */
export const chooseSafeSet = (site: SafeSite): SafeSet => {
  const seats = seatsOf(site.arrays);
  const twice = new Set(
    site.candidates.map(({ disk }) => disk).filter((disk, at, all) => all.indexOf(disk) !== at),
  );
  const [taken, places] = [new Set<string>(), new Map<string, number>()];
  const [now, later]: [Choice[], (Choice & { instead: Instead })[]] = [[], []];
  for (const candidate of inOrder(site, seats)) {
    const { disk, place } = candidate;
    const own = seats.get(disk) ?? [];
    const out = place === undefined ? 0 : (places.get(place) ?? 0);
    const refused = twice.has(disk)
      ? { why: 'two disks bear this name', instead: 'cannot say' as const }
      : refuses(candidate, own, taken);
    if (refused) later.push({ disk, ...refused });
    else if (site.perPlace !== undefined && place !== undefined && out >= site.perPlace)
      later.push({ disk, why: `${place}: ${out} of it out already`, instead: 'wait' });
    else {
      now.push({ disk, why: reasonOf(own) });
      taken.add(disk);
      if (place !== undefined) places.set(place, out + 1);
    }
  }
  return { now, later };
};
