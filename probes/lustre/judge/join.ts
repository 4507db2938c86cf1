import type { Judgement } from '../../../src/model/system.ts';
import { memoPerJudgement } from '../../../src/kit/memo.ts';
import { allocationOf, qosOf } from './allocation.ts';
import { fsOf, indexOf, shortIndex } from './names.ts';
import type { ClientView, FileSystem, Lustre, MdtRow, OnMdt, OstRow } from './rows.ts';
import { filesOf, mdtUsage, shareUsed, type Usage, usageOf } from './usage.ts';
import { type Views, viewsOf } from './views.ts';

const probes = ['lustre.mds', 'lustre.oss', 'lustre.client', 'lustre.df'];

/** All file systems: joined anew when one of the readings is another, or good no more. */
export const lustreOf = memoPerJudgement(
  ({ readings }) => join(viewsOf(readings)),
  ({ readings }) =>
    probes.flatMap((probe) => readings.sources(probe).flatMap(({ good, state }) => [good, state])),
);

/** An MDT of any file system by its name. */
export const mdtOf = (name: string, judgement: Judgement): MdtRow | undefined =>
  lustreOf(judgement)
    .systems.flatMap(({ mdts }) => mdts)
    .find((mdt) => mdt.name === name);

const join = (views: Views): Lustre => {
  const { mdts, peers, osps, owners, clients } = views;
  const osts = new Set([
    ...owners.keys(),
    ...clients.keys(),
    ...[...osps.values()].flatMap((one) => [...one.keys()]),
  ]);
  const ostsOf = Map.groupBy(osts, fsOf);
  const mdtsOf = Map.groupBy(new Set([...mdts.keys(), ...peers]), fsOf);
  const served = new Set([...owners.keys(), ...mdts.keys()].map(fsOf));
  const systems = [...new Set([...ostsOf.keys(), ...mdtsOf.keys()])].sort().map((fs) => ({
    ...fileSystem(
      fs,
      (ostsOf.get(fs) ?? []).toSorted((a, b) => indexOf(a) - indexOf(b)),
      (mdtsOf.get(fs) ?? []).toSorted(),
      views,
    ),
    served: served.size === 0 || served.has(fs),
  }));
  return {
    systems,
    byOst: new Map(systems.flatMap(({ osts: all }) => all.map((ost) => [ost.name, ost]))),
  };
};

const fileSystem = (
  fs: string,
  names: readonly string[],
  mdtNames: readonly string[],
  views: Views,
): Omit<FileSystem, 'served'> => {
  const usage = new Map(names.map((ost) => [ost, usageOf(ost, views)]));
  const mdts = mdtNames.map((name) => mdtRow(name, fs, usage, views));
  const mounted = mountedOn(fs, views);
  const osts = names.map((name) => ostRow(name, fs, { mdts, mounted }, usage.get(name) ?? {}, views));
  const counted = Math.max(0, ...mdts.map(({ mdt }) => mdt?.numobd ?? 0));
  const version = mdts.find((one) => one.version !== undefined)?.version ?? views.clientVersion;
  return {
    name: fs,
    ...(version !== undefined && { version }),
    osts,
    mdts,
    clients: mounted,
    unnamed: Math.max(0, counted - names.length),
  };
};

/** Clients that list something of the file system and answer now. */
const mountedOn = (fs: string, { clients, mdtImports }: Views): string[] => {
  const hosts = new Set<string>();
  for (const [name, seen] of clients)
    if (fsOf(name) === fs) for (const { host, stale } of seen) if (!stale) hosts.add(host);
  for (const [name, seen] of mdtImports)
    if (fsOf(name) === fs) for (const { host, from } of seen) if (from === undefined) hosts.add(host);
  return [...hosts].sort();
};

const mdtRow = (name: string, fs: string, usage: ReadonlyMap<string, Usage>, views: Views): MdtRow => {
  const mdtView = views.mdts.get(name);
  const { mdt, version } = mdtView?.value ?? {};
  const imports = views.osps.get(name);
  const avail = [...usage].flatMap(([ost, { kbAvail }]) => {
    const osp = imports?.get(ost)?.value;
    // What an MDT does not know its allocator does not weigh.
    const isKnown = osp !== undefined || imports === undefined;
    const free = osp?.kbAvail ?? kbAvail;
    return osp?.active === false || !isKnown || free === undefined ? [] : [free];
  });
  return {
    name,
    fs,
    ...(mdtView && { host: mdtView.host }),
    ...(mdt && { mdt }),
    ...(version !== undefined && { version }),
    stale: mdtView?.stale ?? true,
    qos: qosOf({ thresholdPct: mdt?.thresholdPct, avail }),
    imports: views.mdtImports.get(name) ?? [],
    usage: mdtUsage(name, views),
    ...lettersOf(views.df.get(name)),
  };
};

const lettersOf = (seen: ReturnType<Views['df']['get']>): Pick<MdtRow, 'letters'> =>
  seen?.value.flags && !seen.stale ? { letters: { flags: seen.value.flags, host: seen.host } } : {};

const ostRow = (
  name: string,
  fs: string,
  { mdts, mounted }: { mdts: readonly MdtRow[]; mounted: readonly string[] },
  { kbTotal, kbAvail, kbUsed, stale }: Usage,
  views: Views,
): OstRow => {
  const owner = views.owners.get(name);
  const own = owner?.value;
  const clients = views.clients.get(name) ?? [];
  const flags = clients.some((one) => one.flags !== undefined)
    ? clients.map((one) => one.flags ?? '').join('')
    : undefined;
  // What the OSS says itself outranks what a client saw of it; df shows letters only where there are some.
  const degraded = own?.degraded ?? flags?.includes('D');
  const readOnly = own?.readOnly === true || (flags?.includes('R') ?? false);
  const noCreate = own?.noCreate ?? own?.noPrecreate ?? flags?.includes('N') ?? false;
  const used = shareUsed(kbUsed, kbAvail);
  const seen = mdts.map((mdt): OnMdt => {
    const view = views.osps.get(mdt.name)?.get(name);
    const { active, maxCreateCount, prealloc, state } = view?.value ?? {};
    const allocation = allocationOf({
      version: mdt.version,
      active,
      maxCreateCount,
      prealloc,
      state,
      degraded,
      noCreate,
      readOnly,
      qos: mdt.qos,
    });
    return { mdt: mdt.name, ...(view && { osp: view.value }), stale: view?.stale ?? true, allocation };
  });
  return {
    name,
    fs,
    short: shortIndex(name),
    index: indexOf(name),
    ...(owner && { oss: owner.host, own: owner.value }),
    ownStale: owner?.stale ?? true,
    mdts: seen,
    clients,
    ...(degraded !== undefined && { degraded }),
    readOnly,
    noCreate,
    ...(kbTotal !== undefined && { kbTotal }),
    ...(kbAvail !== undefined && { kbAvail }),
    usageStale: stale === true,
    ...(used !== undefined && { used }),
    ...filesOf(name, owner, flags, views),
    retired: isRetired(seen, clients, mounted),
  };
};

/**
 * Inactive wherever it is known: on all MDTs, and on all clients that still list it (`lctl del_ost`, 2.16, takes it off their
 * list). Where an MDT or no client was read nobody can say so.
 */
const isRetired = (
  held: readonly OnMdt[],
  views: readonly ClientView[],
  clients: readonly string[],
): boolean =>
  held.length > 0 &&
  held.every(({ osp, stale }) => !stale && osp?.active === false) &&
  clients.length > 0 &&
  views.every(({ stale, active }) => stale === true || active === false);
