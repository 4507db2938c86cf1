import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { ArraysReading, ControllersReading, ReadArray } from '../readings.ts';
import { redundancyOf, type Redundancy } from './groups.ts';
import { belowWords, heldByArray, placesOn } from './places.ts';

/** A reading that tells of now. */
export const freshValue = <T>(source: Source<T> | undefined): T | undefined =>
  source?.state === 'fresh' ? source.good?.value : undefined;

export const hostSubject = (id: string): Subject => ({ kind: 'host', id });

/** Parts of an answer that may be unread, in words. */
export const unreadParts: Readonly<Record<string, string>> = {
  mdstat: 'arrays of md',
  zpool: 'ZFS pools',
  paths: 'multipath',
  smart: 'health of some disks',
  slots: 'slots of enclosures',
  enclosures: 'power supplies and fans of enclosures',
  disks: 'names and serial numbers of disks',
  writes: 'how much disks write',
};

export const arraySources = ({ readings }: Judgement): readonly Source<ArraysReading>[] =>
  readings.sources<ArraysReading>('storage.arrays');

/** An array of a host, with what is left of its redundancy where that is known. */
export interface SeenArray {
  host: string;
  source: Source;
  array: ReadArray;
  /** The same array in the readings before, the latest first. */
  earlier: readonly { at: number; array: ReadArray }[];
  redundancy?: Redundancy;
  /** What is known to lie on it: targets of file systems, bricks. */
  held: readonly Subject[];
}

/** `oss1: md6 on /mnt/ost3`, `oss1: md6 below scratch-OST0003` */
export const nameOf = ({ host, array, held }: Pick<SeenArray, 'host' | 'array' | 'held'>): string =>
  `${host}: ${array.id}${belowWords(held) || (array.mount === undefined ? '' : ` on ${array.mount}`)}`;

/** What goes without its data when this is lost: what is known to lie there, else whatever the host holds. */
export const hitBy = (host: string, held: readonly Subject[]): readonly Subject[] =>
  held.length > 0 ? held : [hostSubject(host)];

/** Nothing can be said of its redundancy. */
export const isUncertain = ({ array, redundancy }: SeenArray): boolean =>
  redundancy === undefined ||
  array.doubt !== undefined ||
  array.slots.some(({ state }) => state === 'unknown');

const seenIn = <T>(
  source: Source<T>,
  arraysOf: (value: T) => readonly ReadArray[],
  heldBy: (array: ReadArray, value: T) => readonly Subject[] = () => [],
): SeenArray[] => {
  const value = freshValue(source);
  if (value === undefined) return [];
  return arraysOf(value).map((array): SeenArray => {
    const redundancy = redundancyOf(array);
    const earlier = source.before.flatMap((reading) => {
      const same = arraysOf(reading.value).find(({ id }) => id === array.id);
      return same ? [{ at: reading.at, array: same }] : [];
    });
    const held = heldBy(array, value);
    return { host: source.host, source, array, earlier, held, ...(redundancy && { redundancy }) };
  });
};

export const controllerSources = ({ readings }: Judgement): readonly Source<ControllersReading>[] =>
  readings.sources<ControllersReading>('storage.controllers');

/** Arrays of the kernel, of pools and of controllers. */
export const seenArrays = (judgement: Judgement): SeenArray[] => [
  ...arraySources(judgement).flatMap((source) => {
    const places = placesOn(source.host, judgement.facts);
    return seenIn(
      source,
      ({ arrays }) => arrays,
      (array, value) => heldByArray(array, places, value),
    );
  }),
  ...controllerSources(judgement).flatMap((source) =>
    seenIn(source, ({ tools }) => tools.flatMap(({ arrays }) => arrays)),
  ),
];

/** Members that are not in sync, by name where there is one. */
export const listMissing = ({ array }: SeenArray): string[] =>
  array.slots.flatMap(({ disk, state }, at) =>
    state === 'good' ? [] : [`slot ${at}${disk === undefined ? '' : ` (${disk})`} ${state}`],
  );

/** Actions on the host of an array: md alone is acted on from here. */
export const mdRemedies = (
  { host, array }: SeenArray,
  ...actions: readonly string[]
): FindingDraft['remedies'] =>
  /^md[A-Za-z0-9_]+$/.test(array.id)
    ? actions.map((action) => ({ action, subjects: [hostSubject(host)] }))
    : [];
