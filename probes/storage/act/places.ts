import type { Guard } from '../../../src/model/action.ts';
import { failGuard, passGuard, passUnless, rereads } from '../../../src/kit/guards.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { ArraysReading, ReadArray, ReadDisk } from '../readings.ts';
import { redundancyOf } from '../judge/groups.ts';
import { doubtOf } from '../judge/safe-disks.ts';
import { arrayName, arraysOn, diskName, hasDisk, NOT_SEEN } from './members.ts';

/** Why nothing may be done with an array of md that is made of whole disks; undefined: it works and is known. */
export const whyNotWorking = (array: ReadArray | undefined): string | undefined => {
  if (!array) return 'no such array was read just now';
  if (array.doubt !== undefined) return array.doubt;
  if (array.usable !== true) return `it does not work: ${array.word ?? 'its state is not known'}`;
  const left = redundancyOf(array)?.left;
  if (left === undefined) return `level ${array.level} is not known here`;
  if (left < 0) return 'it has lost more disks than it can';
  return array.parts === undefined ? undefined : 'its members are partitions: by hand';
};

export const hasEmptyPlace = ({ slots }: ReadArray): boolean =>
  slots.some(({ state }) => state === 'missing');

export const arrayGuard = (
  host: string,
  id: string,
  {
    text,
    why,
    good,
  }: { text: string; why: (array: ReadArray | undefined) => string | undefined; good: string },
): Guard => ({
  id: '3 array',
  text,
  reads: rereads('storage.arrays', host),
  absolute: true,
  check: (live) => passUnless(why(arraysOn(host, live)?.arrays.find((one) => one.id === id)), good),
});

/** The same disk by another path, or what can't be told from it: what is in use of the one is in use of both. */
const twinOf = ({ name, serial, wwn }: ReadDisk, disks: readonly ReadDisk[]): ReadDisk | undefined =>
  disks.find(
    (one) =>
      one.name !== name &&
      (wwn !== undefined && one.wwn !== undefined
        ? one.wwn === wwn
        : serial !== undefined && one.serial === serial),
  );

/** A disk in use by a pool that no disk of the kernel is known by: a name of the site's own (`/dev/disk/by-vdev`). */
const strangeIn = ({ vdevs = [], beside = [] }: ReadArray, disks: readonly ReadDisk[]): string | undefined =>
  [
    ...vdevs.flatMap(({ disk, state }) => (state === 'ONLINE' || state === 'DEGRADED' ? [disk] : [])),
    ...beside,
  ].find((disk) => disks.every(({ name }) => name !== disk));

const whyNotFree = (disk: string, reading: ArraysReading | undefined): string | undefined => {
  const own = reading?.disks.find(({ name }) => name === disk);
  if (!reading || !own) return NOT_SEEN;
  const { arrays, disks } = reading;
  const other = arrays.find(
    (array) =>
      hasDisk(array, disk) ||
      array.beside?.includes(disk) === true ||
      array.vdevs?.some((vdev) => vdev.disk === disk) === true,
  );
  if (other) return other.beside?.includes(disk) ? `it is in the pool ${other.pool}` : `it is in ${other.id}`;
  const twin = twinOf(own, disks);
  if (twin) return `${twin.name} bears the same number: it may be the same disk`;
  const mayBeOfPool = own.holds !== undefined && own.madeFor === undefined;
  const strange = mayBeOfPool ? arrays.map((one) => strangeIn(one, disks)).find(Boolean) : undefined;
  return strange === undefined
    ? doubtOf(disk, reading)
    : `it holds ${own.holds}, and a pool has ${strange}, which may be this disk`;
};

export const isFree = (host: string, disk: string): Guard => ({
  id: '3 disk',
  text: `${disk} on ${host} is in no array or pool, is no second path to another disk, and nothing of it is in use`,
  reads: rereads('storage.arrays', host),
  absolute: true,
  check: (live) => {
    const why = whyNotFree(disk, arraysOn(host, live));
    return why === undefined ? passGuard('it is free') : failGuard(why);
  },
});

interface Place {
  disk: string;
  array: string;
}

/**
 * Free disks with the arrays that could take them: first the disks that were made for the array, then those that hold nothing; arrays
 * with an empty place first.
 */
export const placesFor = (
  host: string,
  judgement: Judgement,
  fits: (disk: ReadDisk, isFormer: boolean, array: ReadArray) => boolean,
): Place[] => {
  const reading = arraysOn(host, judgement);
  if (!reading) return [];
  const free = reading.disks.filter(
    ({ name }) => diskName.safeParse(name).success && whyNotFree(name, reading) === undefined,
  );
  const ranked = reading.arrays
    .filter((array) => arrayName.safeParse(array.id).success && whyNotWorking(array) === undefined)
    .flatMap((array) => {
      const own = reading.disks.find(({ name }) => hasDisk(array, name))?.madeFor;
      return free.flatMap((disk) => {
        const isFormer = own !== undefined && disk.madeFor === own;
        const rank = (hasEmptyPlace(array) ? 0 : 4) + (isFormer ? 0 : disk.holds === undefined ? 1 : 2);
        return fits(disk, isFormer, array) ? [{ rank, disk: disk.name, array: array.id }] : [];
      });
    });
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ disk, array }) => ({ disk, array }));
};
