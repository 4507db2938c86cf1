import { platformOf } from '../platforms/index.ts';
import type { Neighbor } from '../readings.ts';
import { portById, portByLabel, type PortNames } from './far-port.ts';
import { findHostCalled } from './own-names.ts';

/** What a host says of the neighbour at one of its ports. */
export interface NeighborRow {
  host: string;
  port: string;
  row: Neighbor;
}

/** All that LLDP says, in both directions. */
export interface Told {
  names: PortNames;
  /** The host that a row means: by its chassis where a link proved whose that is, else by its name. */
  hostOf(row: Neighbor): string | undefined;
  /** A row's name is that of one host, and its chassis is another's or nobody's. */
  contradicts(row: Neighbor): boolean;
  /** Rows at a port, and rows of others that name it. */
  rowsAt(host: string, port: string): readonly NeighborRow[];
  naming(host: string, port: string): readonly NeighborRow[];
  rowsOf(host: string): readonly NeighborRow[];
}

/** Bare digits of an address: makes print one in three ways. */
const chassisKey = (text: string): string => text.toLowerCase().replace(/[.:-]/g, '');

const key = (host: string, port: string): string => `${host}:${port}`;

/** Whose each chassis is, by the links of `farOf`; null: several hosts seem to have it, so it tells of none. */
const chassisOwners = (
  rows: readonly NeighborRow[],
  farOf: (one: NeighborRow) => NeighborRow | undefined,
): ReadonlyMap<string, string | null> => {
  const owners = new Map<string, string | null>();
  for (const one of rows) {
    const { chassisId } = one.row;
    const far = chassisId === undefined ? undefined : farOf(one);
    if (chassisId === undefined || !far) continue;
    const id = chassisKey(chassisId);
    const known = owners.get(id);
    owners.set(id, known === undefined || known === far.host ? far.host : null);
  }
  return owners;
};

/** The row of another host that names this port, and whose port this row means: both tables say the same, whatever the names are. */
export const findMutual = (told: Told, { host, port, row }: NeighborRow): NeighborRow | undefined => {
  const found = told
    .naming(host, port)
    .filter(
      (one) =>
        portById(told.names, one.host, row) === one.port ||
        portByLabel(told.names, one.host, row) === one.port,
    );
  const named = told.hostOf(row);
  const [only, more] = found.length > 1 ? found.filter((one) => one.host === named) : found;
  return more === undefined ? only : undefined;
};

const toldBy = (rows: readonly NeighborRow[], names: PortNames, hostOf: Told['hostOf']): Told => {
  const byHost = Map.groupBy(rows, ({ host }) => host);
  const byPort = Map.groupBy(rows, ({ host, port }) => key(host, port));
  const claims = new Map<string, NeighborRow[]>();
  for (const one of rows) {
    const peer = hostOf(one.row);
    const port =
      peer === undefined ? undefined : (portById(names, peer, one.row) ?? portByLabel(names, peer, one.row));
    if (peer === undefined || port === undefined || (peer === one.host && port === one.port)) continue;
    const list = claims.get(key(peer, port));
    if (list) list.push(one);
    else claims.set(key(peer, port), [one]);
  }
  return {
    names,
    hostOf,
    contradicts: () => false,
    rowsAt: (host, port) => byPort.get(key(host, port)) ?? [],
    naming: (host, port) => claims.get(key(host, port)) ?? [],
    rowsOf: (host) => byHost.get(host) ?? [],
  };
};

/**
 * Rows whose name tells of no host: the device is its own neighbour by it, so one of the two is another than its name in the site file
 * says; or by what hosts call themselves that name is not the one's who has it. Not so where one cable joins two ports of a device: each of
 * them names the other.
 */
const selfNamed = (rows: readonly NeighborRow[], names: PortNames): ReadonlySet<Neighbor> => {
  // A fabric is told of by one host: all of its ports are rows of that one.
  const isFabric = (host: string): boolean =>
    platformOf(names.site.host(host)?.platform)?.fabric !== undefined;
  const own = rows.filter(({ host, row }) => {
    if (isFabric(host) || row.neighbor === undefined) return false;
    const called = findHostCalled(row.neighbor, names.site, names.ownNames);
    return called === 'doubtful' || called?.host === host;
  });
  const leadsTo = new Map(own.map((one) => [key(one.host, one.port), portById(names, one.host, one.row)]));
  return new Set(
    own.flatMap(({ host, port, row }) => {
      const far = portById(names, host, row);
      const isLoop = far !== undefined && far !== port && leadsTo.get(key(host, far)) === port;
      return isLoop ? [] : [row];
    }),
  );
};

/** Names first; what both tables prove by them tells whose each chassis is, and that goes before a name. */
export const readTold = (rows: readonly NeighborRow[], names: PortNames): Told => {
  const { site } = names;
  const selves = selfNamed(rows, names);
  const byName = (row: Neighbor): string | undefined => {
    if (row.neighbor === undefined || selves.has(row)) return undefined;
    const called = findHostCalled(row.neighbor, site, names.ownNames);
    return typeof called === 'object' ? called.host : undefined;
  };
  const first = toldBy(rows, names, byName);
  const proven = chassisOwners(rows, (one) => findMutual(first, one));
  const namedOnly = chassisOwners(rows, ({ row, ...rest }) => {
    const host = byName(row);
    return host === undefined ? undefined : { ...rest, host, row };
  });
  const owners = new Set(proven.values());
  const ownerOf = ({ chassisId }: Neighbor): string | null | undefined =>
    chassisId === undefined ? undefined : proven.get(chassisKey(chassisId));
  const contradicts = (row: Neighbor): boolean => {
    if (selves.has(row)) return true;
    const [named, owner] = [byName(row), ownerOf(row)];
    if (named === undefined || row.chassisId === undefined || owner === named || owner === null) return false;
    if (owner !== undefined) return true;
    // A host has an address for each of its cards; a switch announces one, unless its make announces that of each port.
    const host = site.host(named);
    const hasOne = host?.roles.includes('switch') === true && !platformOf(host.platform)?.chassisPerPort;
    return hasOne && owners.has(named);
  };
  const hostOf = (row: Neighbor): string | undefined => {
    const owner = ownerOf(row);
    if (owner) return owner;
    if (contradicts(row)) return undefined;
    const alone = row.chassisId === undefined ? undefined : namedOnly.get(chassisKey(row.chassisId));
    return byName(row) ?? alone ?? undefined;
  };
  return { ...toldBy(rows, names, hostOf), contradicts };
};
