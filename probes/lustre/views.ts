import type { Readings, Source } from '../../src/model/reading.ts';
import type { ClientReading, DfReading, Mdt, MdsReading, Osp, OssReading, OstOnServer } from './readings.ts';
import type { ClientView } from './rows.ts';
import { atLeast } from './version.ts';

/** Something that a source told, and how good that source is now. */
export interface Told<T> {
  value: T;
  host: string;
  /** The source does not answer now: `value` is old. */
  stale: boolean;
  /** UTC ms of the reading. */
  at: number;
}

/** Everything that was read, by target: each map is made in one pass over the readings. */
export interface Views {
  mdts: ReadonlyMap<string, Told<{ mdt: Mdt; version?: string }>>;
  /** MDTs that others talk to, read or not. */
  peers: ReadonlySet<string>;
  /** By MDT, then by OST. */
  osps: ReadonlyMap<string, ReadonlyMap<string, Told<Osp>>>;
  owners: ReadonlyMap<string, Told<OstOnServer>>;
  clients: ReadonlyMap<string, readonly ClientView[]>;
  df: ReadonlyMap<string, Told<DfReading['targets'][number]>>;
  clientVersion?: string;
}

/** Fresh before old, newer before older: after a failover two servers may hold an answer for one target. */
const outranks = (one: Told<unknown>, other: Told<unknown>): boolean =>
  one.stale === other.stale ? one.at > other.at : !one.stale;

const keepBest = <T>(known: Map<string, Told<T>>, name: string, told: Told<T>): void => {
  const before = known.get(name);
  if (!before || outranks(told, before)) known.set(name, told);
};

const tell = <T>({ host, state, good }: Source, value: T): Told<T> => ({
  value,
  host,
  stale: state !== 'fresh',
  at: good?.at ?? 0,
});

export const viewsOf = (readings: Readings): Views => {
  const mdts = new Map<string, Told<{ mdt: Mdt; version?: string }>>();
  const peers = new Set<string>();
  const osps = new Map<string, Map<string, Told<Osp>>>();
  const owners = new Map<string, Told<OstOnServer>>();
  const df = new Map<string, Told<DfReading['targets'][number]>>();
  for (const source of readings.sources<MdsReading>('lustre.mds')) {
    const { version, mdts: own = [], osps: all = [], peers: others = [] } = source.good?.value ?? {};
    for (const mdt of own)
      keepBest(mdts, mdt.name, tell(source, { mdt, ...(version !== undefined && { version }) }));
    for (const name of others) peers.add(name);
    for (const osp of all) {
      const known = osps.get(osp.mdt) ?? new Map<string, Told<Osp>>();
      keepBest(known, osp.ost, tell(source, osp));
      osps.set(osp.mdt, known);
    }
  }
  for (const source of readings.sources<OssReading>('lustre.oss'))
    for (const ost of source.good?.value.osts ?? []) keepBest(owners, ost.name, tell(source, ost));
  for (const source of readings.sources<DfReading>('lustre.df'))
    for (const row of source.good?.value.targets ?? [])
      if (row.name !== undefined && row.kbAvail !== undefined) keepBest(df, row.name, tell(source, row));
  const { clients, version } = clientsOf(readings);
  return { mdts, peers, osps, owners, clients, df, ...(version !== undefined && { clientVersion: version }) };
};

const clientsOf = (readings: Readings): { clients: Map<string, ClientView[]>; version?: string } => {
  const clients = new Map<string, ClientView[]>();
  let version: string | undefined;
  for (const { host, good } of readings.sources<ClientReading>('lustre.client')) {
    const own = good?.value.version;
    version ??= own;
    const rows = readings.source<DfReading>('lustre.df', host)?.good?.value.targets;
    const byName = new Map(rows?.flatMap((row) => (row.name === undefined ? [] : [[row.name, row]])));
    for (const { name, active, state } of good?.value.osts ?? []) {
      const row = byName.get(name);
      // Since 2.13 no letters means none; before, that df does not show them.
      const none = row?.state === 'ok' && own !== undefined && atLeast(own, '2.13') ? '' : undefined;
      const flags = row?.flags ?? none;
      const view: ClientView = {
        host,
        ...(active !== undefined && { active }),
        ...(state !== undefined && { state }),
        ...(flags !== undefined && { flags }),
        ...(rows && { df: row?.state ?? 'left out' }),
      };
      const known = clients.get(name);
      if (known) known.push(view);
      else clients.set(name, [view]);
    }
  }
  return { clients, ...(version !== undefined && { version }) };
};
