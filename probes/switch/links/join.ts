import type { SiteView } from '../../../src/model/site.ts';
import { splitId } from '../read/port-states.ts';
import type { Neighbor } from '../readings.ts';
import { portById, portByLabel, type PortNames } from './far-port.ts';
import type { Link, LinkEnd } from './link.ts';
import { findMutual, readTold, type NeighborRow, type Told } from './neighbors.ts';

/** Where a row leads, and what speaks against it. */
interface Far {
  host?: string;
  port?: string;
  doubt?: Link['doubt'];
}

/** The far device's own table says that its port leads elsewhere: to another host, or to another port of ours. */
const isDeniedBy = (
  neighborTables: Told,
  peer: string,
  port: string,
  { host, port: own }: NeighborRow,
): boolean => {
  const rows = neighborTables.rowsAt(peer, port).flatMap(({ row }) => {
    const back = neighborTables.hostOf(row);
    return back === undefined ? [] : [{ back, port: portById(neighborTables.names, back, row) }];
  });
  return (
    rows.length > 0 &&
    rows.every(({ back, port: there }) => back !== host || (there !== undefined && there !== own))
  );
};

/** Each device names the other once and no port: then there is one cable between them. */
const onlyCable = (neighborTables: Told, peer: string, one: NeighborRow): string | undefined => {
  const open = (from: string, to: string): readonly NeighborRow[] =>
    neighborTables
      .rowsOf(from)
      .filter(
        ({ row }) =>
          neighborTables.hostOf(row) === to && portById(neighborTables.names, to, row) === undefined,
      );
  const [back, more] = open(peer, one.host);
  return open(one.host, peer).length === 1 && more === undefined ? back?.port : undefined;
};

/**
 * The port that a description names, where no table of its device could say otherwise. A switch's table tells of all its ports; of a host
 * that table is missing whose NIC keeps LLDP to its firmware (Intel's ice, i40e: `fw-lldp-agent`), beside another that tells.
 */
const joinLabelled = (neighborTables: Told, named: string, row: NeighborRow['row']): string | undefined => {
  const meant = portByLabel(neighborTables.names, named, row);
  if (meant === undefined) return undefined;
  const isSwitch = neighborTables.names.site.host(named)?.roles.includes('switch') === true;
  const table = isSwitch ? neighborTables.rowsOf(named) : neighborTables.rowsAt(named, meant);
  return table.length > 0 ? undefined : meant;
};

/**
 * Where the cable of a row leads. What both tables say of each other decides; then the port id that the neighbour announced, unless its own
 * table denies it; then the one row of another device that names this port. A name or a description alone never goes against a table.
 */
const farOf = (neighborTables: Told, one: NeighborRow, partners: ReadonlyMap<string, NeighborRow>): Far => {
  const { row } = one;
  const proven = findMutual(neighborTables, one) ?? partners.get(`${one.host}:${one.port}`);
  const named = neighborTables.hostOf(row);
  const misnamed =
    neighborTables.contradicts(row) || (proven !== undefined && named !== undefined && named !== proven.host);
  if (proven) return { host: proven.host, port: proven.port, ...(misnamed && { doubt: 'name' }) };
  // A description may name the port at its far end as well as its own: only with a table that says the same it tells anything.
  const [claim, more] = neighborTables
    .naming(one.host, one.port)
    .filter((by) => portById(neighborTables.names, one.host, by.row) === one.port);
  if (named === undefined) {
    const denies = claim !== undefined && portById(neighborTables.names, claim.host, row) !== undefined;
    if (claim && more === undefined && !denies) return { host: claim.host, port: claim.port };
    return misnamed || denies ? { doubt: 'name' } : {};
  }
  const port = portById(neighborTables.names, named, row);
  if (port !== undefined) {
    const denied =
      isDeniedBy(neighborTables, named, port, one) || (claim !== undefined && more === undefined);
    return denied ? { host: named, doubt: 'port' } : { host: named, port };
  }
  if (claim && more === undefined)
    return claim.host === named ? { host: named, port: claim.port } : { host: named, doubt: 'name' };
  const only = joinLabelled(neighborTables, named, row) ?? onlyCable(neighborTables, named, one);
  return only === undefined ? { host: named } : { host: named, port: only };
};

/** Links as LLDP tells them, joined at both ends; what LLDP can't say comes from the site file. */
export const joinLinks = (
  rows: readonly NeighborRow[],
  known: PortNames['known'],
  site: SiteView,
  { indexes = new Map(), ownNames = new Map() }: Partial<Pick<PortNames, 'indexes' | 'ownNames'>> = {},
): readonly Link[] => {
  const neighborTables = readTold(rows, { site, known, indexes, ownNames });
  const links = new Map<string, Link>();
  // Proven from the other side: a device that is called by another's name names its neighbour rightly all the same.
  const partners = new Map(
    rows.flatMap((one) => {
      const far = findMutual(neighborTables, one);
      return far ? [[`${far.host}:${far.port}`, one] as const] : [];
    }),
  );
  for (const one of rows) {
    const { host, port, doubt } = farOf(neighborTables, one, partners);
    const far: LinkEnd =
      host !== undefined && port !== undefined
        ? { id: `${host}:${port}`, host, port }
        : { id: farEndText(one.row, doubt, host), ...(host !== undefined && !doubt && { host }) };
    addLink(links, { id: `${one.host}:${one.port}`, host: one.host, port: one.port }, far, 'one end', doubt);
  }
  const taken = new Set([...links.values()].flatMap(({ a, b }) => [a.id, b.id]));
  for (const { from, to } of site.links) {
    const [a, b] = [endFrom(from, site), endFrom(to, site)];
    if (!taken.has(a.id) && !taken.has(b.id)) addLink(links, a, b, 'site file');
  }
  return [...links.values()];
};

/** Adds a cable, or that its other end names it too. */
export const addLink = (
  links: Map<string, Link>,
  one: LinkEnd,
  other: LinkEnd,
  by: Link['by'],
  doubt?: Link['doubt'],
): void => {
  const [a, b] = one.id <= other.id ? [one, other] : [other, one];
  const id = `${a.id}=${b.id}`;
  const before = links.get(id);
  const doubted = doubt ?? before?.doubt;
  links.set(id, { id, a, b, by: before ? 'both ends' : by, ...(doubted && { doubt: doubted }) });
};

/** The far end in the words of the row. A name that is contradicted is not said as if it was the device's. */
const farEndText = (
  { neighbor, chassisId, portText, portDescription }: Neighbor,
  doubt: Link['doubt'],
  peer?: string,
): string => {
  const name = (doubt ? undefined : peer) ?? neighbor ?? chassisId ?? 'unknown device';
  const port = portText ?? portDescription ?? '(port unknown)';
  return doubt === 'name' ? `a device that calls itself ${name}, ${port}` : `${name} ${port}`;
};

/** An end by the id of a port of the site, or by the words for one that is none. */
export const endFrom = (text: string, site: SiteView): LinkEnd => {
  const id = site.resolve('port', text)?.id;
  return id === undefined ? { id: text } : { id, ...splitId(id) };
};
