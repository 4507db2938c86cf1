import type { SiteView } from '../../../src/model/site.ts';
import { splitId } from '../read/port-states.ts';
import { portOf } from '../read/port-states.ts';
import type { Neighbor } from '../readings.ts';
import type { Link, LinkEnd } from './link.ts';

const mac = /^(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}$|^(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}$/i;

/** What a host says of the neighbour at one of its ports. */
export interface NeighborRow {
  host: string;
  port: string;
  row: Neighbor;
}

/**
 * Links as LLDP tells them, joined at both ends. A port id is often a MAC address or an alias (sonic-buildimage #11255,
 * #11008), so the other port is looked for in this order: printed interface, port id, description, then the one row of the
 * neighbour's own table that names us. What LLDP can't say comes from the site file.
 */
export const joinLinks = (
  rows: readonly NeighborRow[],
  knownPorts: ReadonlyMap<string, ReadonlySet<string>>,
  site: SiteView,
): readonly Link[] => {
  const byHost = Map.groupBy(rows, ({ host }) => host);
  const hostOfChassis = chassisNames(rows, site);
  const hostNamed = ({ neighbor, chassisId }: Neighbor): string | undefined =>
    (neighbor === undefined ? undefined : site.resolve('host', neighbor)?.id) ??
    (chassisId === undefined ? undefined : hostOfChassis.get(chassisId.toLowerCase()));

  const portNamed = (peer: string, { host, port, row }: NeighborRow): string | undefined => {
    const known = knownPorts.get(peer);
    const direct = [row.portText, row.portId, row.portDescription]
      .filter((text) => text !== undefined && !mac.test(text))
      .map((text) => portOf(site, peer, text))
      .find((one) => one !== undefined && (known === undefined || known.size === 0 || known.has(one)));
    if (direct !== undefined) return direct;
    const back = (byHost.get(peer) ?? []).filter((other) => hostNamed(other.row) === host);
    const naming = back.filter((other) =>
      [other.row.portText, other.row.portId, other.row.portDescription].some(
        (text) => text !== undefined && portOf(site, host, text) === port,
      ),
    );
    const [only, more] = naming.length > 0 ? naming : back;
    return more === undefined ? only?.port : undefined;
  };

  const links = new Map<string, Link>();
  for (const one of rows) {
    const peer = hostNamed(one.row);
    const port = peer === undefined ? undefined : portNamed(peer, one);
    const far: LinkEnd =
      peer !== undefined && port !== undefined
        ? { id: `${peer}:${port}`, host: peer, port }
        : { id: foreign(one.row, peer), ...(peer !== undefined && { host: peer }) };
    addLink(links, { id: `${one.host}:${one.port}`, host: one.host, port: one.port }, far, 'one end');
  }
  const taken = new Set([...links.values()].flatMap(({ a, b }) => [a.id, b.id]));
  for (const { from, to } of site.links) {
    const [a, b] = [endFrom(from, site), endFrom(to, site)];
    if (!taken.has(a.id) && !taken.has(b.id)) addLink(links, a, b, 'site file');
  }
  return [...links.values()];
};

/** Adds a cable, or that its other end names it too. */
export const addLink = (links: Map<string, Link>, one: LinkEnd, other: LinkEnd, by: Link['by']): void => {
  const [a, b] = one.id <= other.id ? [one, other] : [other, one];
  const id = `${a.id}=${b.id}`;
  links.set(id, { id, a, b, by: links.has(id) ? 'both ends' : by });
};

const foreign = ({ neighbor, chassisId, portText, portDescription }: Neighbor, peer?: string): string =>
  `${peer ?? neighbor ?? chassisId ?? 'unknown device'} ${portText ?? portDescription ?? '(port not told)'}`;

/** An end by the id of a port of the site, or by the words for one that is none. */
export const endFrom = (text: string, site: SiteView): LinkEnd => {
  const id = site.resolve('port', text)?.id;
  return id === undefined ? { id: text } : { id, ...splitId(id) };
};

/** Some devices print only a chassis address; others name the same chassis. */
const chassisNames = (rows: readonly NeighborRow[], site: SiteView): ReadonlyMap<string, string> => {
  const named = rows.flatMap(({ row: { neighbor, chassisId } }) => {
    const host = neighbor === undefined ? undefined : site.resolve('host', neighbor)?.id;
    return host === undefined || chassisId === undefined ? [] : [[chassisId.toLowerCase(), host] as const];
  });
  // An address that several hosts give as theirs tells none of them.
  return new Map(
    [...Map.groupBy(named, ([chassis]) => chassis).values()].flatMap((hosts) =>
      new Set(hosts.map(([, host]) => host)).size === 1 ? hosts : [],
    ),
  );
};
