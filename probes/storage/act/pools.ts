import * as z from 'zod';
import type { Action, Guard, PlanTarget, Refusal, Step } from '../../../src/model/action.ts';
import { passUnless, refusal, rereads } from '../../../src/kit/guards.ts';
import type { SiteView } from '../../../src/model/site.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { argvAsRoot } from '../settings.ts';
import type { PoolDisk, ReadArray } from '../readings.ts';
import { arraysOn } from './members.ts';
import { zpoolRefusals } from './refusals.ts';

/** A disk of a pool as this system names it: `sda`, or what zpool prints where no disk of the kernel fits. */
export const poolDiskName = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,100}$/, { error: 'a disk as sda, or as zpool status prints it' });

/** zpool-create(8): a letter, then letters, digits and `_-:.`; blanks are left to hands. */
export const poolName = z
  .string()
  .trim()
  .regex(/^[A-Za-z][A-Za-z0-9_.:-]{0,100}$/, { error: 'a pool as tank' });

const guidText = z.string().regex(/^\d{1,20}$/);

/** A disk in the vdev that it belongs to. */
export interface InPool {
  pool: string;
  array: ReadArray;
  vdev: PoolDisk;
  guid: string;
}

/** The disk of a pool, with the guid by which zpool knows it; or why there is none. */
export const findInPool = (host: string, disk: string, judgement: Judgement): InPool | string => {
  const reading = arraysOn(host, judgement);
  if (!reading) return `the arrays of ${host} were not read just now`;
  if (reading.unread['zpool'] !== undefined) return `ZFS pools not known: ${reading.unread['zpool']}`;
  const found = reading.arrays.flatMap((array) =>
    (array.vdevs ?? []).flatMap((vdev) => (vdev.disk === disk ? [{ array, vdev }] : [])),
  );
  const [one] = found;
  if (!one) return `${disk} is in no pool of ${host}`;
  if (found.length > 1) return `${disk} is in several places of pools: by hand`;
  const { array, vdev } = one;
  const guid = guidText.safeParse(vdev.guid);
  if (!guid.success) return `the guid of ${disk} is not known: by hand`;
  const pool = poolName.safeParse(array.pool);
  return pool.success
    ? { pool: pool.data, array, vdev, guid: guid.data }
    : 'the name of its pool is not usual: by hand';
};

export const planInPool = (host: string, disk: string, judgement: Judgement): InPool | Refusal => {
  const found = findInPool(host, disk, judgement);
  return typeof found === 'string' ? refusal('3 preconditions', found) : found;
};

export const zpoolStep = (site: SiteView, host: string, ...words: readonly string[]): Step => ({
  host,
  argv: argvAsRoot(site, 'zpool', ...words),
  deadlineMs: 60_000,
  refusals: zpoolRefusals,
});

/** That the guid still is that disk's, and what else must be so of it. */
export const stillThere = (
  host: string,
  disk: string,
  guid: string,
  text: string,
  why: (found: InPool) => string | undefined,
): Guard => ({
  id: '3 pool',
  text,
  reads: rereads('storage.arrays', host),
  absolute: true,
  check: (live) => {
    const found = findInPool(host, disk, live);
    if (typeof found === 'string') return passUnless(found, '');
    if (found.guid !== guid) return passUnless(`another disk is called ${disk} now`, '');
    return passUnless(why(found), `${found.array.id}: ${disk} ${found.vdev.state}`);
  },
});

/** Of the pool as a whole: zpool does not say which of its vdevs resilvers. */
export const whyPoolBusy = ({ array }: InPool): string | undefined => {
  if (array.doubt !== undefined) return array.doubt;
  if (array.usable !== true) return `the pool does not work: ${array.word ?? 'its state is not known'}`;
  return array.work === undefined ? undefined : `${array.pool ?? ''} resilvers, wait`;
};

/** `3 read, 0 write, 169 checksum errors` */
export const countersText = ({ read, write, cksum }: PoolDisk): string =>
  `${read ?? '?'} read, ${write ?? '?'} write, ${cksum ?? '?'} checksum errors`;

/** Everything of a verification that is read of one disk of a pool. */
export const verifyOf = (
  host: string,
  disk: string,
  text: string,
  check: (found: InPool) => ReturnType<PlanTarget['verify']['check']>,
): PlanTarget['verify'] => ({
  text,
  reads: rereads('storage.arrays', host),
  deadlineMs: 60_000,
  check: (live) => {
    const found = findInPool(host, disk, live);
    return typeof found === 'string' ? { state: 'unread', text: found } : check(found);
  },
});

export const diskParameters = z.object({ disk: poolDiskName });
export type DiskParameters = z.infer<typeof diskParameters>;

export const fits = (
  host: string,
  judgement: Judgement,
  wanted: (found: InPool) => boolean,
): DiskParameters[] =>
  (arraysOn(host, judgement)?.arrays ?? [])
    .flatMap(({ vdevs = [] }) => vdevs.map(({ disk }) => disk))
    .filter((disk) => {
      const found = findInPool(host, disk, judgement);
      return poolDiskName.safeParse(disk).success && typeof found !== 'string' && wanted(found);
    })
    .map((disk) => ({ disk }));

export const menuOf = (
  wanted: (host: string, judgement: Judgement) => DiskParameters[],
  none: string,
): Action<DiskParameters>['menu'] => ({
  note: ({ targets }) => targets[0]?.object ?? '',
  tryWith: ([subject], { judgement }) => {
    const disks = subject === undefined ? [] : wanted(subject.id, judgement);
    return disks.length > 0 ? disks : refusal('3 preconditions', none);
  },
  prompts: ({ targets }) => [
    { name: 'disk', label: 'disk', required: true, initial: targets[0]?.object ?? '' },
  ],
});

export const hasErrors = ({ read = 0, write = 0, cksum = 0 }: PoolDisk): boolean => read + write + cksum > 0;
