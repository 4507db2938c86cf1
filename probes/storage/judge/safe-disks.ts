import { dropUndefined } from '../../../src/kit/known.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { ArraysReading, ControllersReading } from '../readings.ts';
import { predictedDisks } from './find-disks.ts';
import { chooseSafeSet, type Candidate, type SafeSet } from './safe-set.ts';
import { arraySources, controllerSources, freshValue, unreadParts } from './sources.ts';

/** Disks of a host that are out already: failed, or failed out of their array. */
const failedIn = ({ arrays }: ArraysReading): string[] => {
  const disks = arrays.flatMap(({ slots, out = [] }) => [
    ...slots.flatMap(({ disk, state }) => (disk !== undefined && state === 'missing' ? [disk] : [])),
    ...out,
  ]);
  return [...new Set(disks)];
};

/** A disk is certain where it has a serial number that no other disk of the host bears. */
export const isCertain = (name: string, { disks }: ArraysReading): boolean => {
  const serial = disks.find((disk) => disk.name === name)?.serial;
  return serial !== undefined && disks.filter((disk) => disk.serial === serial).length === 1;
};

/** Mounts and maps that are named. */
const NAMED = 4;

/** What else may hold a disk of the kernel: arrays that were not read, or not with all of their members, and what is in use of it beside them. */
export const doubtOf = (name: string, { unread, disks, arrays }: ArraysReading): string | undefined => {
  const hidden = (['mdstat', 'zpool'] as const).find((part) => unread[part] !== undefined);
  if (hidden !== undefined) return `${unreadParts[hidden]} not known: ${unread[hidden]}`;
  const dark = arrays.find(
    ({ doubt, slots }) => doubt !== undefined && slots.some(({ disk }) => disk === undefined),
  );
  if (dark) return `${dark.id}: ${dark.doubt}, and it may be in that one`;
  const beside = disks.find((disk) => disk.name === name)?.mounts;
  if (beside === undefined) return undefined;
  const [named, more] = [beside.slice(0, NAMED).join(', '), beside.length - NAMED];
  return `${named}${more > 0 ? ` and ${more} more lie` : ' lies'} on it, outside of any array`;
};

/** Disks that their controller expects to fail, and those of its arrays that are out. */
const ofControllers = ({ tools }: ControllersReading): Candidate[] => {
  const suspects = tools.flatMap((tool) => tool.suspects);
  const out = tools
    .flatMap(({ arrays }) => arrays)
    .flatMap(({ slots }) =>
      slots.flatMap(({ disk, state }) => (disk !== undefined && state === 'missing' ? [disk] : [])),
    );
  const names = new Set([...out, ...suspects.map(({ disk }) => disk)]);
  // A controller names the slot itself: its own locate finds it.
  return [...names].map((disk): Candidate => ({
    disk,
    urgency: suspects.some((suspect) => suspect.disk === disk) ? 1 : 0,
    certain: true,
  }));
};

/** Which failed or suspect disks of a host may be pulled now; undefined where nothing is known of now. */
export const safeDisksOf = (host: string, judgement: Judgement): SafeSet | undefined => {
  const reading = freshValue(arraySources(judgement).find((source) => source.host === host));
  const controllers = freshValue(controllerSources(judgement).find((source) => source.host === host));
  if (!reading && !controllers) return undefined;
  const candidateOf = (disk: string, urgency: number): Candidate => ({
    disk,
    urgency,
    certain: reading !== undefined && isCertain(disk, reading),
    ...dropUndefined({ doubt: reading && doubtOf(disk, reading) }),
  });
  const own = reading ? failedIn(reading).map((disk) => candidateOf(disk, 0)) : [];
  const predicted = predictedDisks(judgement)
    .filter((one) => one.host === host && !own.some(({ disk }) => disk === one.disk.name))
    .map(({ disk, signs }) =>
      candidateOf(disk.name, signs.some(({ critical }) => critical === true) ? 2 : 1),
    );
  const arrays = [...(reading?.arrays ?? []), ...(controllers?.tools.flatMap((tool) => tool.arrays) ?? [])];
  return chooseSafeSet({
    arrays,
    candidates: [...own, ...predicted, ...(controllers ? ofControllers(controllers) : [])],
  });
};
