import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { ArraysReading, ControllersReading, ReadArray } from '../readings.ts';
import { redundancyOf, type Redundancy } from './groups.ts';

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
}

/** `oss1: md6 on /mnt/ost3` */
export const nameOf = ({ host, array }: Pick<SeenArray, 'host' | 'array'>): string =>
  `${host}: ${array.id}${array.mount === undefined ? '' : ` on ${array.mount}`}`;

/** Nothing can be said of its redundancy. */
export const isUncertain = ({ array, redundancy }: SeenArray): boolean =>
  redundancy === undefined ||
  array.doubt !== undefined ||
  array.slots.some(({ state }) => state === 'unknown');

const seenIn = <T>(source: Source<T>, arraysOf: (value: T) => readonly ReadArray[]): SeenArray[] => {
  const value = freshValue(source);
  return (value === undefined ? [] : arraysOf(value)).map((array): SeenArray => {
    const redundancy = redundancyOf(array);
    const earlier = source.before.flatMap((reading) => {
      const same = arraysOf(reading.value).find(({ id }) => id === array.id);
      return same ? [{ at: reading.at, array: same }] : [];
    });
    return { host: source.host, source, array, earlier, ...(redundancy && { redundancy }) };
  });
};

export const controllerSources = ({ readings }: Judgement): readonly Source<ControllersReading>[] =>
  readings.sources<ControllersReading>('storage.controllers');

/** Arrays of the kernel, of pools and of controllers. */
export const seenArrays = (judgement: Judgement): SeenArray[] => [
  ...arraySources(judgement).flatMap((source) => seenIn(source, ({ arrays }) => arrays)),
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
