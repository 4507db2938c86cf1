import type { Reading, Readings, Source } from '../../src/model/reading.ts';
import type { Judgement } from '../../src/model/system.ts';
import { type Allocation, allocationOf } from './allocation.ts';
import { type Qos, qosOf } from './qos.ts';
import type { ClientReading, DfReading, Mdt, MdsReading, Osp, OssReading, OstOnServer } from './readings.ts';

/** An MDT with the host that answered for it. */
export interface MdtRow {
  name: string;
  fs: string;
  host?: string;
  /** Undefined: known of, but nobody answered for it. */
  mdt?: Mdt;
  version?: string;
  stale: boolean;
  qos: Qos;
}

/** One OST as one MDT sees it, with the verdict. */
export interface OnMdt {
  mdt: string;
  osp?: Osp;
  stale: boolean;
  allocation: Allocation;
}

/** One OST, the three views joined. */
export interface OstRow {
  /** `scratch-OST001e`. */
  name: string;
  fs: string;
  /** `1e`: without the padding. */
  short: string;
  index: number;
  oss?: string;
  own?: OstOnServer;
  /** The OSS does not answer now: `own` is old. */
  ownStale: boolean;
  mdts: readonly OnMdt[];
  clients: readonly { host: string; active?: boolean; state?: string; flags?: string; df?: string }[];
  degraded: boolean;
  readOnly: boolean;
  noCreate: boolean;
  kbTotal?: number;
  kbAvail?: number;
  /** Share used, 0..1, as `lfs df` counts it: without the reserve. */
  used?: number;
}

export interface FileSystem {
  name: string;
  version?: string;
  osts: readonly OstRow[];
  mdts: readonly MdtRow[];
  /** OSTs that the MDTs count and nobody named. */
  unnamed: number;
}

export interface Lustre {
  systems: readonly FileSystem[];
  byOst: ReadonlyMap<string, OstRow>;
}

const parts = /^(.+)-((?:OST|MDT)([0-9a-f]{4,}))$/i;
export const fsOf = (target: string): string => parts.exec(target)?.[1] ?? target;
const shortOf = (target: string): string =>
  (parts.exec(target)?.[3] ?? target).replace(/^0+(?=[0-9a-f]{2})/i, '');
const indexOf = (target: string): number => Number.parseInt(parts.exec(target)?.[3] ?? '', 16);

const cache = new WeakMap<Readings, { key: readonly (Reading | undefined | string)[]; value: Lustre }>();
const probes = ['lustre.mds', 'lustre.oss', 'lustre.client', 'lustre.df'];

/** All file systems. Computed once for each set of readings. */
export const lustreOf = ({ readings }: Pick<Judgement, 'readings'>): Lustre => {
  const key = probes.flatMap((probe) => readings.sources(probe).flatMap(({ good, state }) => [good, state]));
  const known = cache.get(readings);
  if (known && known.key.length === key.length && known.key.every((one, at) => one === key[at]))
    return known.value;
  const value = join(readings);
  cache.set(readings, { key, value });
  return value;
};

const isOld = (source: Source): boolean => source.state !== 'fresh';

interface Views {
  mds: readonly Source<MdsReading>[];
  oss: readonly Source<OssReading>[];
  clients: readonly Source<ClientReading>[];
  df: readonly Source<DfReading>[];
}

const join = (readings: Readings): Lustre => {
  const views: Views = {
    mds: readings.sources('lustre.mds'),
    oss: readings.sources('lustre.oss'),
    clients: readings.sources('lustre.client'),
    df: readings.sources('lustre.df'),
  };
  const names = new Set<string>();
  for (const { good } of views.mds) for (const { ost } of good?.value.osps ?? []) names.add(ost);
  for (const { good } of views.oss) for (const { name } of good?.value.osts ?? []) names.add(name);
  for (const { good } of views.clients) for (const { name } of good?.value.osts ?? []) names.add(name);
  const mdtNames = new Set<string>();
  for (const { good } of views.mds) {
    for (const { name } of good?.value.mdts ?? []) mdtNames.add(name);
    for (const name of good?.value.peers ?? []) mdtNames.add(name);
  }
  const systems = [...new Set([...names, ...mdtNames].map(fsOf))]
    .sort()
    .map((name) =>
      fileSystem(
        name,
        [...names].filter((one) => fsOf(one) === name).sort(byIndex),
        [...mdtNames].filter((one) => fsOf(one) === name).sort(),
        views,
      ),
    );
  return { systems, byOst: new Map(systems.flatMap(({ osts }) => osts.map((ost) => [ost.name, ost]))) };
};

const byIndex = (a: string, b: string): number => indexOf(a) - indexOf(b);

const fileSystem = (
  name: string,
  names: readonly string[],
  mdtNames: readonly string[],
  views: Views,
): FileSystem => {
  const usage = new Map(names.map((ost) => [ost, usageOf(ost, views)]));
  const owners = ownersOf(views);
  const osps = ospsOf(views);
  const clients = clientsOf(views);
  const clientVersion = views.clients.find(({ good }) => good?.value.version !== undefined)?.good?.value
    .version;
  const mdts = mdtNames.map((mdt): MdtRow => {
    const source = best(views.mds.filter(({ good }) => good?.value.mdts.some((one) => one.name === mdt)));
    const read = source?.good?.value;
    const found = read?.mdts.find((one) => one.name === mdt);
    const version = read?.version;
    const avail = names.flatMap((ost) => {
      const osp = osps.get(mdt)?.get(ost)?.osp;
      const free = osp?.kbAvail ?? usage.get(ost)?.kbAvail;
      return osp?.active === false || free === undefined ? [] : [free];
    });
    return {
      name: mdt,
      fs: name,
      ...(source && { host: source.host }),
      ...(found && { mdt: found }),
      ...(version !== undefined && { version }),
      stale: source === undefined || isOld(source),
      qos: qosOf({ version, thresholdPct: found?.thresholdPct, avail }),
    };
  });
  const osts = names.map((ost): OstRow => {
    const owner = owners.get(ost);
    const own = owner?.ost;
    const seen = clients.get(ost) ?? [];
    const flags = seen.map((one) => one.flags ?? '').join('');
    // What the OSS says itself outranks what a client saw of it.
    const degraded = own?.degraded ?? flags.includes('D');
    const readOnly = own?.readOnly ?? flags.includes('R');
    const noCreate = own?.noCreate ?? own?.noPrecreate ?? flags.includes('N');
    const { kbTotal, kbAvail, kbUsed } = usage.get(ost) ?? {};
    const used =
      kbUsed !== undefined && kbAvail !== undefined && kbUsed + kbAvail > 0
        ? kbUsed / (kbUsed + kbAvail)
        : undefined;
    return {
      name: ost,
      fs: name,
      short: shortOf(ost),
      index: indexOf(ost),
      ...(owner && { oss: owner.host, own: owner.ost }),
      ownStale: owner?.stale ?? true,
      mdts: mdts.map((mdt): OnMdt => {
        const view = osps.get(mdt.name)?.get(ost);
        const osp = view?.osp;
        const { active, maxCreateCount, prealloc, state } = osp ?? {};
        const allocation = allocationOf({
          version: mdt.version,
          active,
          maxCreateCount,
          prealloc,
          state,
          degraded,
          noCreate,
          readOnly: readOnly || flags.includes('R'),
          qos: mdt.qos,
        });
        return { mdt: mdt.name, ...(osp && { osp }), stale: view?.stale ?? true, allocation };
      }),
      clients: seen,
      degraded,
      readOnly: readOnly || flags.includes('R'),
      noCreate,
      ...(kbTotal !== undefined && { kbTotal }),
      ...(kbAvail !== undefined && { kbAvail }),
      ...(used !== undefined && { used }),
    };
  });
  const counted = Math.max(0, ...mdts.map(({ mdt }) => mdt?.numobd ?? 0));
  const version = mdts.find((one) => one.version !== undefined)?.version ?? clientVersion;
  return {
    name,
    ...(version !== undefined && { version }),
    osts,
    mdts,
    unnamed: Math.max(0, counted - names.length),
  };
};

/** Fresh before old, newer before older: after a failover two servers may hold an answer for one target. */
const best = <T>(sources: readonly Source<T>[]): Source<T> | undefined =>
  sources.toSorted((a, b) => Number(isOld(a)) - Number(isOld(b)) || (b.good?.at ?? 0) - (a.good?.at ?? 0))[0];

const ownersOf = ({ oss }: Views): Map<string, { host: string; ost: OstOnServer; stale: boolean }> => {
  const owners = new Map<string, { host: string; ost: OstOnServer; stale: boolean; at: number }>();
  for (const source of oss) {
    for (const ost of source.good?.value.osts ?? []) {
      const before = owners.get(ost.name);
      const one = { host: source.host, ost, stale: isOld(source), at: source.good?.at ?? 0 };
      if (!before || (before.stale && !one.stale) || (before.stale === one.stale && before.at < one.at))
        owners.set(ost.name, one);
    }
  }
  return owners;
};

const ospsOf = ({ mds }: Views): Map<string, Map<string, { osp: Osp; stale: boolean; at: number }>> => {
  const byMdt = new Map<string, Map<string, { osp: Osp; stale: boolean; at: number }>>();
  for (const source of mds) {
    const at = source.good?.at ?? 0;
    const stale = isOld(source);
    for (const osp of source.good?.value.osps ?? []) {
      const known = byMdt.get(osp.mdt) ?? new Map<string, { osp: Osp; stale: boolean; at: number }>();
      const before = known.get(osp.ost);
      if (!before || (before.stale && !stale) || (before.stale === stale && before.at < at))
        known.set(osp.ost, { osp, stale, at });
      byMdt.set(osp.mdt, known);
    }
  }
  return byMdt;
};

type ClientView = OstRow['clients'][number];

const clientsOf = ({ clients, df }: Views): Map<string, ClientView[]> => {
  const byOst = new Map<string, ClientView[]>();
  const dfs = new Map(df.map((one) => [one.host, one]));
  for (const { host, good } of clients) {
    const rows = dfs.get(host)?.good?.value.targets;
    for (const { name, active, state } of good?.value.osts ?? []) {
      const row = rows?.find((one) => one.name === name);
      const view: ClientView = {
        host,
        ...(active !== undefined && { active }),
        ...(state !== undefined && { state }),
        ...(row?.flags !== undefined && { flags: row.flags }),
        ...(rows && { df: row?.state ?? 'left out' }),
      };
      byOst.set(name, [...(byOst.get(name) ?? []), view]);
    }
  }
  return byOst;
};

interface Usage {
  kbTotal?: number | undefined;
  kbAvail?: number | undefined;
  kbUsed?: number | undefined;
}

/** From the OSS itself, else a client's df, else the MDS's copy. */
const usageOf = (ost: string, { oss, df, mds }: Views): Usage => {
  for (const { good } of oss) {
    const own = good?.value.osts.find((one) => one.name === ost);
    if (own?.kbTotal !== undefined && own.kbFree !== undefined && own.kbAvail !== undefined)
      return { kbTotal: own.kbTotal, kbAvail: own.kbAvail, kbUsed: own.kbTotal - own.kbFree };
  }
  for (const { good } of df) {
    const row = good?.value.targets.find((one) => one.name === ost && one.kbAvail !== undefined);
    if (row) return { kbTotal: row.kbTotal, kbAvail: row.kbAvail, kbUsed: row.kbUsed };
  }
  for (const { good } of mds) {
    const osp = good?.value.osps.find((one) => one.ost === ost && one.kbAvail !== undefined);
    if (osp?.kbTotal !== undefined && osp.kbFree !== undefined)
      return { kbTotal: osp.kbTotal, kbAvail: osp.kbAvail, kbUsed: osp.kbTotal - osp.kbFree };
  }
  return {};
};
