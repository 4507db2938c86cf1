import { dropUndefined } from '../../../src/kit/known.ts';
import type { Layout, Slot } from '../arrays.ts';
import type { PoolDisk, ReadArray } from '../readings.ts';
import type { Pool, Vdev } from './zpool-tree.ts';

/** `raidz2-0`, `draid2:4d:9c:1s-0`, `mirror-1`; a disk of its own stands for itself (zpoolconcepts(7)). */
const layoutOf = (name: string, hasChildren: boolean): Layout => {
  const raidz = /^raidz([123])?-\d/.exec(name);
  const draid = /^draid([123])?:/.exec(name);
  if (raidz) return { kind: 'parity', tolerance: Number(raidz[1] ?? 1) };
  if (draid) return { kind: 'declustered', tolerance: Number(draid[1] ?? 1) };
  if (/^mirror-\d/.test(name)) return { kind: 'mirror' };
  return hasChildren ? { kind: 'unknown', word: name } : { kind: 'stripe' };
};

const GONE: ReadonlySet<string> = new Set(['FAULTED', 'OFFLINE', 'UNAVAIL', 'REMOVED']);

const leafState = ({ state = '', note = '' }: Vdev): Slot['state'] => {
  if (state === 'ONLINE') return /resilver/.test(note) ? 'filling' : 'good';
  return GONE.has(state) ? 'missing' : 'unknown';
};

/** A spare of dRAID is spread over the other disks. */
const isSpread = (name: string): boolean => /^draid\d?-\d/.test(name);

interface Place {
  slot: Slot;
  /** Failed disks beside one that took over. */
  out: readonly string[];
}

/** The last part of a path without its partition: the disk's own name. */
const diskName = (name: string): string => name.split('/').at(-1) ?? name;

/** A child of a vdev: a disk, or `spare-2` and `replacing-0` with the disks that share one place. */
const placeOf = (child: Vdev, below: readonly Vdev[], resilvers: boolean): Place => {
  if (below.length === 0) return { slot: { disk: diskName(child.name), state: leafState(child) }, out: [] };
  const [first, ...others] = below;
  // What took over is empty until the resilver has ended: from the first second it is ONLINE.
  const filled = others.find((one) => leafState(one) === 'good' && !resilvers);
  const good = first && leafState(first) === 'good' ? first : filled;
  const shown = good ?? first;
  const disk = shown && !isSpread(shown.name) ? diskName(shown.name) : undefined;
  const state: Slot['state'] = good
    ? 'good'
    : below.some((one) => leafState(one) === 'good')
      ? 'filling'
      : 'missing';
  const out = below
    .filter((one) => one !== shown && leafState(one) === 'missing')
    .map(({ name }) => diskName(name));
  return { slot: { state, ...(disk !== undefined && { disk }) }, out };
};

const poolUsable = ({ state = '' }: Pool): boolean | undefined => {
  if (state === 'ONLINE' || state === 'DEGRADED') return true;
  return state === 'SUSPENDED' || GONE.has(state) ? false : undefined;
};

/** Disks at the ends of the tree below a vdev, or itself. */
const leavesOf = (top: Vdev, childrenOf: (vdev: Vdev) => Vdev[]): Vdev[] => {
  const children = childrenOf(top);
  return children.length === 0 ? [top] : children.flatMap((child) => leavesOf(child, childrenOf));
};

const poolDisk = (vdev: Vdev, guids: ReadonlyMap<Vdev, string>): PoolDisk => ({
  disk: diskName(vdev.name),
  state: vdev.state ?? '?',
  ...dropUndefined({ guid: guids.get(vdev), read: vdev.read, write: vdev.write, cksum: vdev.cksum }),
});

const GUID = /^\d{1,20}$/;

/** The same trees once with names and once with guids: only where both are of one shape and in one state does each row fit the other. */
const guidsOf = (pools: readonly Pool[], named: readonly Pool[]): ReadonlyMap<Vdev, string> => {
  const pairs = pools.flatMap((pool): [Vdev, string][] => {
    const other = named.find(({ name }) => name === pool.name);
    const fits =
      other?.vdevs.length === pool.vdevs.length &&
      pool.vdevs.every(
        ({ state, class: kind }, at) => state === other.vdevs[at]?.state && kind === other.vdevs[at]?.class,
      );
    return fits
      ? pool.vdevs.flatMap((vdev, at): [Vdev, string][] => {
          const guid = other.vdevs[at]?.name ?? '';
          return GUID.test(guid) ? [[vdev, guid]] : [];
        })
      : [];
  });
  return new Map(pairs);
};

/** Classes without which the pool is gone: special and dedup hold the only copy of what they hold. */
const KEPT: ReadonlySet<Vdev['class']> = new Set(['data', 'special', 'dedup']);

/** Disks of logs, caches and spares: the pool can do without them, and they are not free all the same. */
const besideIn = ({ vdevs }: Pool): string[] =>
  vdevs
    .filter(
      ({ name, class: kind }) =>
        !KEPT.has(kind) && !isSpread(name) && vdevs.every((one) => one.parent !== name || one.class !== kind),
    )
    .map(({ name }) => diskName(name));

/** Logs and caches that are gone. A log that is a mirror works as long as one copy does. */
const lostBeside = ({ name: pool, vdevs }: Pool): NonNullable<ReadArray['lostBeside']> =>
  (['log', 'cache'] as const).flatMap((what) => {
    const own = vdevs.filter((vdev) => vdev.class === what);
    const tops = own.filter(({ parent }) => parent === undefined || parent === pool);
    return tops.flatMap((top) => {
      const copies = own.filter(({ parent }) => parent === top.name);
      const leaves = copies.length === 0 ? [top] : copies;
      const left = leaves.filter(({ state = '' }) => !GONE.has(state)).length;
      return leaves
        .filter(({ state = '' }) => GONE.has(state))
        .map(({ name, state = '?' }) => ({ what, disk: diskName(name), state, left }));
    });
  });

/** The top-level vdevs of a pool, each an array of its own: the pool is gone with its weakest. `named`: the same by guids. */
export const zfsArrays = (pools: readonly Pool[], named: readonly Pool[] = []): ReadArray[] => {
  const guids = guidsOf(pools, named);
  return pools.flatMap((pool) => {
    const resilvers =
      pool.scan?.function === 'resilver' &&
      (pool.scan.state === 'inProgress' || pool.scan.state === 'paused');
    const usable = poolUsable(pool);
    const beside = besideIn(pool);
    const gone = lostBeside(pool);
    const spares = pool.vdevs.filter((vdev) => vdev.class === 'spare' && vdev.state === 'AVAIL').length;
    const childrenOf = ({ name, class: kind }: Vdev): Vdev[] =>
      pool.vdevs.filter((vdev) => vdev.parent === name && vdev.class === kind);
    const tops = pool.vdevs.filter(
      ({ class: kind, parent, name }) =>
        KEPT.has(kind) &&
        (kind === 'data' ? parent === pool.name : parent === undefined) &&
        !name.startsWith('indirect-'),
    );
    return tops.map((top, at): ReadArray => {
      const children = childrenOf(top);
      const places =
        children.length === 0
          ? [placeOf(top, [], resilvers)]
          : children.map((child) => placeOf(child, childrenOf(child), resilvers));
      const out = places.flatMap((place) => place.out);
      return {
        pool: pool.name,
        vdevs: leavesOf(top, childrenOf).map((vdev) => poolDisk(vdev, guids)),
        id: `${pool.name}/${diskName(top.name)}`,
        level: diskName(top.name),
        layout: layoutOf(top.name, children.length > 0),
        slots: places.map(({ slot }) => slot),
        spares,
        ...(out.length > 0 && { out }),
        ...(beside.length > 0 && { beside }),
        ...(at === 0 && gone.length > 0 && { lostBeside: gone }),
        // The pool does not say which of its vdevs resilvers.
        ...(resilvers && { work: 'rebuild' as const, ...dropUndefined({ workPct: pool.scan?.pct }) }),
        ...dropUndefined({ usable, word: usable === true ? undefined : pool.state }),
      };
    });
  });
};
