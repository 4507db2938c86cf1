import type { Readings } from '../../src/model/reading.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { SiteView } from '../../src/model/site.ts';
import type { Judgement } from '../../src/model/system.ts';
import { journal } from './journal.ts';
import { isDown, linkStateOf, type LinkState } from './link-words.ts';
import { portOf } from './read-answers.ts';
import type { Neighbor } from './readings.ts';
import { sourceOf, sourcesOf } from './sources.ts';

/** One end of a cable. Without `host` it is a device that is not in the site file, by what LLDP says of it. */
export interface LinkEnd {
  /** `core3:te3/46`; of a foreign device its own words. */
  id: string;
  host?: string;
  port?: string;
}

/** A cable between two ports. `a` is the end whose id comes first. */
export interface Link {
  /** `core3:te3/46=nfs-sw1:te1/12`. */
  id: string;
  a: LinkEnd;
  b: LinkEnd;
  /** Both ends name each other, one does, or only the site file. */
  by: 'both ends' | 'one end' | 'site file';
}

const mac = /^(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}$|^(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}$/i;

interface Told {
  host: string;
  port: string;
  row: Neighbor;
}

const key = (host: string, port: string): string => `${host}:${port}`;

/**
 * Links as LLDP tells them, joined at both ends. A port id is often a MAC address or an alias (sonic-buildimage #11255,
 * #11008), so the other port is looked for in this order: printed interface, port id, description, then the one row of the
 * neighbour's own table that names us. What LLDP can't say comes from the site file.
 */
export const joinLinks = (
  told: readonly Told[],
  knownPorts: ReadonlyMap<string, ReadonlySet<string>>,
  site: SiteView,
): readonly Link[] => {
  const byHost = Map.groupBy(told, ({ host }) => host);
  const hostOfChassis = chassisNames(told, site);
  const hostNamed = ({ neighbor, chassisId }: Neighbor): string | undefined =>
    (neighbor === undefined ? undefined : site.resolve('host', neighbor)?.id) ??
    (chassisId === undefined ? undefined : hostOfChassis.get(chassisId.toLowerCase()));

  const portNamed = (peer: string, { host, port, row }: Told): string | undefined => {
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
  for (const one of told) {
    const peer = hostNamed(one.row);
    const port = peer === undefined ? undefined : portNamed(peer, one);
    const far: LinkEnd =
      peer !== undefined && port !== undefined
        ? { id: key(peer, port), host: peer, port }
        : { id: foreign(one.row, peer), ...(peer !== undefined && { host: peer }) };
    add(links, { id: key(one.host, one.port), host: one.host, port: one.port }, far, 'one end');
  }
  const taken = new Set([...links.values()].flatMap(({ a, b }) => [a.id, b.id]));
  for (const { from, to } of site.links) {
    const ends = [from, to].map((text) => endFrom(text, site));
    const [a, b] = ends;
    if (a && b && !taken.has(a.id) && !taken.has(b.id)) add(links, a, b, 'site file');
  }
  return [...links.values()];
};

const add = (links: Map<string, Link>, one: LinkEnd, other: LinkEnd, by: Link['by']): void => {
  const [a, b] = one.id <= other.id ? [one, other] : [other, one];
  const id = `${a.id}=${b.id}`;
  links.set(id, { id, a, b, by: links.has(id) ? 'both ends' : by });
};

const foreign = ({ neighbor, chassisId, portText, portDescription }: Neighbor, peer?: string): string =>
  `${peer ?? neighbor ?? chassisId ?? 'unknown device'} ${portText ?? portDescription ?? '(port not told)'}`;

const endFrom = (text: string, site: SiteView): LinkEnd => {
  const id = site.resolve('port', text)?.id;
  if (id === undefined) return { id: text };
  const at = id.indexOf(':');
  return { id, host: id.slice(0, at), port: id.slice(at + 1) };
};

/** Some devices print only a chassis address; others name the same chassis. */
const chassisNames = (told: readonly Told[], site: SiteView): ReadonlyMap<string, string> => {
  const named = told.flatMap(({ row: { neighbor, chassisId } }) => {
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

let last: { stamp: readonly unknown[]; site: SiteView; links: readonly Link[] } | undefined;

/** The links by the last good readings. The same list as long as the same neighbours are told. */
export const linksOf = (readings: Readings, site: SiteView): readonly Link[] => {
  const neighbors = sourcesOf(readings, 'neighbors').flatMap(({ good }) => good ?? []);
  const counters = sourcesOf(readings, 'counters').flatMap(({ good }) => good ?? []);
  const stamp = [
    ...neighbors.flatMap(({ host, value }) => [host, value]),
    ...counters.map((one) => one.value.ports.length),
  ];
  if (
    last &&
    last.site === site &&
    last.stamp.length === stamp.length &&
    last.stamp.every((one, index) => one === stamp[index])
  )
    return last.links;
  const told = neighbors.flatMap(({ host, value }) =>
    value.neighbors.map((row): Told => ({ host, port: row.port, row })),
  );
  // A fabric lists only its bad ports: a peer that is not listed is there all the same.
  const listing = counters.filter(({ host }) => site.host(host)?.platform !== 'infiniband');
  const ports = new Map(
    listing.map(({ host, value }) => [host, new Set(value.ports.map((one) => one.port))]),
  );
  const links = joinLinks(told, ports, site);
  last = { stamp, site, links };
  return links;
};

const indexes = new WeakMap<readonly Link[], ReadonlyMap<string, Link>>();

/** The link that a port is an end of. */
export const linkAt = (links: readonly Link[], portId: string): Link | undefined => {
  let index = indexes.get(links);
  if (!index) {
    index = new Map(links.flatMap((link) => [[link.a.id, link] as const, [link.b.id, link] as const]));
    indexes.set(links, index);
  }
  return index.get(portId);
};

export const farEnd = ({ a, b }: Link, portId: string): LinkEnd => (a.id === portId ? b : a);

/** The far end of a row or finding, for its actions: not that of a device that is not ours. */
export const besideOf = ({ id, port }: LinkEnd): { beside?: readonly Subject[] } =>
  port === undefined ? {} : { beside: [{ kind: 'port', id }] };

/** Where a cable of this port led when LLDP last told. */
export const linkSeries = (portId: string): string => `switch/link/${portId}/far`;

/** A port's link by the device's words. */
export const upSeries = (portId: string): string => `switch/port/${portId}/link`;

/** What a word of that series says, of a port such as `core3:te3/46`. */
export const linkThen = (
  portId: string,
  word: unknown,
  { site }: Pick<Judgement, 'site'>,
): LinkState | undefined =>
  linkStateOf(site.host(portId.slice(0, portId.indexOf(':')))?.platform ?? '', { link: String(word) });

/** How far back a link that is down is remembered. */
const rememberedMs = 7 * 86_400_000;

/**
 * Where the cable of a port led when it was told last; undefined: nobody remembers. What does not change is written once: a cable that
 * is in place for months was told months ago, so it is the port's last coming or going that must not be long past.
 */
export const lastFar = (portId: string, { history, now }: Pick<Judgement, 'history' | 'now'>) => {
  const told = history.changes(linkSeries(portId), 0).at(-1);
  const movedAt = history.changes(upSeries(portId), 0).at(-1)?.at ?? told?.at ?? 0;
  return typeof told?.value === 'string' && now - movedAt < rememberedMs ? told.value : undefined;
};

const known = new WeakMap<Judgement, readonly Link[]>();

/** LLDP was read before the port came up: it can't know of the neighbour yet. */
const cameUpSince = (id: string, host: string, { readings, history }: Judgement): boolean => {
  const read = sourceOf(readings, 'neighbors', host)?.good?.at;
  return read !== undefined && history.changes(upSeries(id), read).some(({ at }) => at > read);
};

/**
 * The links that LLDP tells now, and those of ports that are down, or came up since it was read, as it told them last: a shut port
 * has no neighbour. Where a port that a console shut leads to stands in the journal, for consoles that did not see it up.
 */
export const linksKnown = (judgement: Judgement): readonly Link[] => {
  const found = known.get(judgement);
  if (found) return found;
  const { readings, site } = judgement;
  const links = linksOf(readings, site);
  const added = new Map<string, Link>();
  // Only members of LAGs: of the many empty ports of a switch nobody wants to know.
  const members = new Set(
    sourcesOf(readings, 'lags').flatMap(
      ({ host, good }) => good?.value.members.map(({ member }) => key(host, member)) ?? [],
    ),
  );
  for (const { host, good } of sourcesOf(readings, 'counters')) {
    for (const port of good?.value.ports ?? []) {
      const id = key(host, port.port);
      if (!members.has(id) || linkAt(links, id)) continue;
      if (!isDown(port) && !cameUpSince(id, host, judgement)) continue;
      const far = lastFar(id, judgement);
      if (far === undefined || linkAt(links, far)) continue;
      add(added, { id, host, port: port.port }, endFrom(far, site), 'one end');
    }
  }
  for (const { port, far } of journal(judgement)?.shut ?? []) {
    const ends = [endFrom(port, site), endFrom(far ?? '', site)] as const;
    const taken = new Set([...added.values()].flatMap(({ a, b }) => [a.id, b.id]));
    if (ends.some(({ id, port: of }) => of === undefined || linkAt(links, id) || taken.has(id))) continue;
    add(added, ends[0], ends[1], 'one end');
  }
  const all = added.size === 0 ? links : [...links, ...added.values()];
  known.set(judgement, all);
  return all;
};
