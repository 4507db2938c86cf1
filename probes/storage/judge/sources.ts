import type { Source } from '../../../src/model/reading.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { ArraysReading, ReadArray } from '../readings.ts';
import { redundancyOf, type Redundancy } from './groups.ts';

/** A reading that tells of now. */
export const freshValue = <T>(source: Source<T> | undefined): T | undefined =>
  source?.state === 'fresh' ? source.good?.value : undefined;

export const hostSubject = (id: string): Subject => ({ kind: 'host', id });

export const arraySources = ({ readings }: Judgement): readonly Source<ArraysReading>[] =>
  readings.sources<ArraysReading>('storage.arrays');

/** An array of a host, with what is left of its redundancy where that is known. */
export interface SeenArray {
  host: string;
  source: Source<ArraysReading>;
  array: ReadArray;
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

export const seenArrays = (judgement: Judgement): SeenArray[] =>
  arraySources(judgement).flatMap((source) =>
    (freshValue(source)?.arrays ?? []).map((array): SeenArray => {
      const redundancy = redundancyOf(array);
      return { host: source.host, source, array, ...(redundancy && { redundancy }) };
    }),
  );

/** The same array in the readings before, the latest first. */
export const arrayBefore = ({ source, array }: SeenArray): { at: number; array: ReadArray }[] =>
  source.before.flatMap(({ at, value }) => {
    const same = value.arrays.find(({ id }) => id === array.id);
    return same ? [{ at, array: same }] : [];
  });

/** Members that are not in sync, by name where there is one. */
export const missingIn = ({ array }: SeenArray): string[] =>
  array.slots.flatMap(({ disk, state }, at) =>
    state === 'good' ? [] : [`slot ${at}${disk === undefined ? '' : ` (${disk})`} ${state}`],
  );
