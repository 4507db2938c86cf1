import type { Readings, Source } from '../../../src/model/reading.ts';
import type {
  ClientReading,
  DfReading,
  Mdt,
  MdsReading,
  MdtImport,
  Osp,
  OssReading,
  OstOnServer,
} from '../readings.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import type { ClientView, MdtView } from './rows.ts';
import { findConnecting } from './connecting.ts';
import { isAtLeast } from '../read/words.ts';

/** Something that a source told, and how good that source is now. */
export interface Recorded<T> {
  value: T;
  host: string;
  /** The source does not answer now: `value` is old. */
  stale: boolean;
  /** UTC ms of the reading. */
  at: number;
}

/** Everything that was read, by target: each map is made in one pass over the readings. */
export interface Views {
  mdts: ReadonlyMap<string, Recorded<{ mdt: Mdt; version?: string }>>;
  /** MDTs that others talk to, read or not. */
  peers: ReadonlySet<string>;
  /** By MDT, then by OST. */
  osps: ReadonlyMap<string, ReadonlyMap<string, Recorded<Osp>>>;
  owners: ReadonlyMap<string, Recorded<OstOnServer>>;
  clients: ReadonlyMap<string, readonly ClientView[]>;
  /** By MDT: what clients and other MDTs, read just now, say of their connection to it. */
  mdtImports: ReadonlyMap<string, readonly MdtView[]>;
  df: ReadonlyMap<string, Recorded<DfReading['targets'][number]>>;
  clientVersion?: string;
}

/** Fresh before old, newer before older: after a failover two servers may hold an answer for one target. */
const isNewer = (one: Recorded<unknown>, other: Recorded<unknown>): boolean =>
  one.stale === other.stale ? one.at > other.at : !one.stale;

const keepBest = <T>(kept: Map<string, Recorded<T>>, name: string, recorded: Recorded<T>): void => {
  const before = kept.get(name);
  if (!before || isNewer(recorded, before)) kept.set(name, recorded);
};

const record = <T>({ host, state, good }: Source, value: T): Recorded<T> => ({
  value,
  host,
  stale: state !== 'fresh',
  at: good?.at ?? 0,
});

export const viewsOf = (readings: Readings): Views => {
  const mdts = new Map<string, Recorded<{ mdt: Mdt; version?: string }>>();
  const peers = new Set<string>();
  const osps = new Map<string, Map<string, Recorded<Osp>>>();
  const owners = new Map<string, Recorded<OstOnServer>>();
  const df = new Map<string, Recorded<DfReading['targets'][number]>>();
  const mdtImports = new Map<string, MdtView[]>();
  const note = (
    { host, state: answers }: Source,
    imports: readonly MdtImport[],
    connecting?: ReadonlySet<string>,
  ): void => {
    if (answers !== 'fresh') return;
    for (const { name, ...rest } of imports) {
      const linked = connecting?.has(name) && { connecting: true as const };
      const view = { host, ...dropUndefined(rest), ...linked };
      mdtImports.set(name, [...(mdtImports.get(name) ?? []), view]);
    }
  };
  for (const source of readings.sources<MdsReading>('lustre.mds')) {
    const {
      version,
      mdts: own = [],
      osps: all = [],
      peers: others = [],
      mdtImports: imports = [],
    } = source.good?.value ?? {};
    for (const mdt of own)
      keepBest(mdts, mdt.name, record(source, { mdt, ...(version !== undefined && { version }) }));
    for (const name of others) peers.add(name);
    note(source, imports);
    for (const osp of all) {
      const ofMdt = osps.get(osp.mdt) ?? new Map<string, Recorded<Osp>>();
      keepBest(ofMdt, osp.ost, record(source, osp));
      osps.set(osp.mdt, ofMdt);
    }
  }
  for (const source of readings.sources<OssReading>('lustre.oss')) {
    for (const name of source.good?.value.peers ?? []) peers.add(name);
    for (const ost of source.good?.value.osts ?? []) keepBest(owners, ost.name, record(source, ost));
  }
  for (const source of readings.sources<ClientReading>('lustre.client')) {
    for (const { name } of source.good?.value.mdts ?? []) peers.add(name);
    note(source, source.good?.value.mdts ?? [], findConnecting(source));
  }
  for (const source of readings.sources<DfReading>('lustre.df'))
    for (const row of source.good?.value.targets ?? [])
      if (row.name !== undefined && row.kbAvail !== undefined) keepBest(df, row.name, record(source, row));
  const { clients, version } = clientsOf(readings);
  return {
    mdts,
    peers,
    osps,
    owners,
    clients,
    mdtImports,
    df,
    ...(version !== undefined && { clientVersion: version }),
  };
};

const clientsOf = (readings: Readings): { clients: Map<string, ClientView[]>; version?: string } => {
  const clients = new Map<string, ClientView[]>();
  let version: string | undefined;
  for (const source of readings.sources<ClientReading>('lustre.client')) {
    const { host, good, state: answers } = source;
    const connecting = findConnecting(source);
    const own = good?.value.version;
    version ??= own;
    const rows = readings.source<DfReading>('lustre.df', host)?.good?.value.targets;
    const byName = new Map(rows?.flatMap((row) => (row.name === undefined ? [] : [[row.name, row]])));
    for (const { name, active, state } of good?.value.osts ?? []) {
      const row = byName.get(name);
      // Since 2.13 no letters means none; before, that df does not show them.
      const none = row?.state === 'ok' && own !== undefined && isAtLeast(own, '2.13') ? '' : undefined;
      const flags = row?.flags ?? none;
      const view: ClientView = {
        host,
        ...(answers !== 'fresh' && { stale: true as const }),
        ...(active !== undefined && { active }),
        ...(state !== undefined && { state }),
        ...(connecting.has(name) && { connecting: true as const }),
        ...(flags !== undefined && { flags }),
        ...(rows && { df: row?.state ?? 'left out' }),
      };
      const seen = clients.get(name);
      if (seen) seen.push(view);
      else clients.set(name, [view]);
    }
  }
  return { clients, ...(version !== undefined && { version }) };
};
