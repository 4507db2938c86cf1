import type { Judgement } from '../../../src/model/system.ts';
import type { ArraysReading } from '../readings.ts';
import { chooseSafeSet, type Candidate, type SafeSet } from './safe-set.ts';
import { arraySources, freshValue } from './sources.ts';

/** Disks of a host that are out already: failed, or failed out of their array. */
const failedIn = ({ arrays }: ArraysReading): string[] => {
  const disks = arrays.flatMap(({ slots, out = [] }) => [
    ...slots.flatMap(({ disk, state }) => (disk !== undefined && state === 'missing' ? [disk] : [])),
    ...out,
  ]);
  return [...new Set(disks)];
};

/** A disk is certain where it has a serial number that no other disk of the host bears. */
const isCertain = (name: string, { disks }: ArraysReading): boolean => {
  const serial = disks.find((disk) => disk.name === name)?.serial;
  return serial !== undefined && disks.filter((disk) => disk.serial === serial).length === 1;
};

/** Which failed disks of a host may be pulled now; undefined where nothing is known of now. */
export const safeDisksOf = (host: string, judgement: Judgement): SafeSet | undefined => {
  const reading = freshValue(arraySources(judgement).find((source) => source.host === host));
  if (!reading) return undefined;
  const candidates = failedIn(reading).map((disk): Candidate => ({
    disk,
    urgency: 0,
    certain: isCertain(disk, reading),
  }));
  return chooseSafeSet({ arrays: reading.arrays, candidates });
};
