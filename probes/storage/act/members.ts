import * as z from 'zod';
import type { Guard } from '../../../src/model/action.ts';
import { failGuard, passGuard, rereads } from '../../../src/kit/guards.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { controllerDisk } from '../enclosures.ts';
import type { ArraysReading, ReadArray } from '../readings.ts';
import { doubtOf } from '../judge/safe-disks.ts';
import { chooseSafeSet } from '../judge/safe-set.ts';
import { freshValue } from '../judge/sources.ts';

/** A disk as the kernel names it. */
export const diskName = z
  .string()
  .trim()
  .regex(/^(?:sd[a-z]{1,4}|vd[a-z]{1,3}|nvme\d{1,4}n\d{1,4})$/, { error: 'a disk as sda or nvme0n1' });

/** A disk of the kernel, or of a controller. */
export const anyDisk = z
  .string()
  .trim()
  .refine((text) => diskName.safeParse(text).success || controllerDisk(text) !== undefined, {
    error: 'a disk as sda or nvme0n1, or of a controller as "c0 32:5"',
  });

export const arrayName = z
  .string()
  .trim()
  .regex(/^md[A-Za-z0-9_]{1,30}$/, { error: 'an array as md0' });

export const arraysOn = (host: string, judgement: Judgement): ArraysReading | undefined =>
  freshValue(judgement.readings.source<ArraysReading>('storage.arrays', host));

/** An array as it is now; undefined where it was not read, or its tables contradict each other. */
export const knownArray = (host: string, id: string, judgement: Judgement): ReadArray | undefined => {
  const own = arraysOn(host, judgement)?.arrays.find((one) => one.id === id);
  return own?.doubt === undefined ? own : undefined;
};

export const hasDisk = ({ slots, out = [], spareDisks = [] }: ReadArray, disk: string): boolean =>
  slots.some((slot) => slot.disk === disk) || out.includes(disk) || spareDisks.includes(disk);

/** The device by which an array knows a disk: itself or its one partition there; undefined where there are several. */
export const memberOf = ({ parts = [] }: ReadArray, disk: string): string | undefined => {
  const own = parts.filter((part) => part.disk === disk);
  return own.length > 1 ? undefined : (own[0]?.member ?? disk);
};

/** It failed out of the array already. */
export const isOut = ({ slots, out = [] }: ReadArray, disk: string): boolean =>
  out.includes(disk) || slots.every((slot) => slot.disk !== disk || slot.state === 'missing');

/** It left the system, or lsblk said nothing: `/dev/sdc` is nothing then that mdadm could take out. */
export const NOT_SEEN = 'no such disk was read just now';

/**
 * mdadm breaks an array and says "busy" afterwards, so that this is looked at before it runs: by the choice of the next safe disks,
 * from a reading of now, with no other disk beside.
 */
export const keepsRedundancy = (host: string, disk: string): Guard => ({
  id: '6 redundancy',
  text: `every array of ${host} with ${disk} in it may still lose one more afterwards`,
  reads: rereads('storage.arrays', host),
  absolute: true,
  check: (live) => {
    const reading = arraysOn(host, live);
    if (!reading) return failGuard('the arrays were not read just now');
    if (!reading.disks.some(({ name }) => name === disk)) return failGuard(NOT_SEEN);
    const { now, later } = chooseSafeSet({
      arrays: reading.arrays,
      candidates: [{ disk, urgency: 0, certain: true, ...dropUndefined({ doubt: doubtOf(disk, reading) }) }],
    });
    const [good, bad] = [now[0], later[0]];
    return good ? passGuard(good.why) : failGuard(bad ? `${bad.why} (${bad.instead})` : 'not known');
  },
});
