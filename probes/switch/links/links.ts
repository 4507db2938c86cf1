import { memoPerJudgement, memoPer } from '../../../src/kit/memo.ts';
import type { Point, Reading, Readings } from '../../../src/model/reading.ts';
import type { SiteView } from '../../../src/model/site.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { journal } from '../read/journal.ts';
import { sourceOf, sourcesOf } from '../ask/sources.ts';
import { linkStateOf, platformOf } from '../platforms/index.ts';
import { isDown, type LinkState } from '../read/link-words.ts';
import { splitId } from '../read/port-states.ts';
import type { CountersReading, Neighbor } from '../readings.ts';
import { mayMean, type PortNames } from './far-port.ts';
import { addLink, endFrom, joinLinks } from './join.ts';
import { findHostCalled, type OwnNames } from './own-names.ts';
import { farEnd, linkAt, type Link, type LinkEnd } from './link.ts';
import type { Fact } from '../../../src/model/fact.ts';

/** The ports of devices by these readings of their counters. */
const portNamesOf = (
  counters: readonly Reading<CountersReading>[],
  site: SiteView,
  ownNames: OwnNames,
): PortNames => {
  // A fabric lists only its bad ports: a peer that is not listed is there all the same.
  const listing = counters.filter(({ host }) => !platformOf(site.host(host)?.platform)?.fabric);
  const known = new Map(
    listing.map(({ host, value }) => [host, new Set(value.ports.map(({ port }) => port))]),
  );
  const indexes = new Map(
    listing.map(({ host, value }) => [
      host,
      new Map(value.ports.flatMap(({ port, ifIndex }) => (ifIndex ?? []).map((one) => [one, port] as const))),
    ]),
  );
  return { site, known, indexes, ownNames };
};

/** What the hosts that were asked for their neighbours call themselves. */
export const ownNamesIn = (readings: Readings): OwnNames =>
  new Map(
    sourcesOf(readings, 'neighbors').flatMap(({ host, good }) =>
      good?.value.ownName === undefined ? [] : [[host, good.value.ownName] as const],
    ),
  );

let last: { stamp: readonly unknown[]; links: readonly Link[] } | undefined;

/** The links by the last good readings. The same list as long as the same neighbours are told. */
export const linksOf = (readings: Readings, site: SiteView): readonly Link[] => {
  const neighbors = sourcesOf(readings, 'neighbors').flatMap(({ good }) => good ?? []);
  const counters = sourcesOf(readings, 'counters').flatMap(({ good }) => good ?? []);
  const stamp = [
    site,
    ...neighbors.flatMap(({ host, value }) => [host, value]),
    ...counters.map(({ value }) => value.ports.length),
  ];
  if (last?.stamp.length === stamp.length && last.stamp.every((one, index) => one === stamp[index]))
    return last.links;
  const rows = neighbors.flatMap(({ host, value }) =>
    value.neighbors.map((row) => ({ host, port: row.port, row })),
  );
  const { known, ...names } = portNamesOf(counters, site, ownNamesIn(readings));
  last = { stamp, links: joinLinks(rows, known, site, names) };
  return last.links;
};

/** Where a cable of this port led when LLDP last told. */
export const linkSeries = (portId: string): string => `switch/link/${portId}/far`;

/** A port's link by the device's words. */
export const upSeries = (portId: string): string => `switch/port/${portId}/link`;

/** What a word of that series says, of a port such as `core3:te3/46`. */
export const linkAtTime = (
  portId: string,
  word: unknown,
  { site }: Pick<Judgement, 'site'>,
): LinkState | undefined =>
  linkStateOf(site.host(splitId(portId).host)?.platform ?? '', { link: String(word) });

const dayMs = 86_400_000;

/** How far back a link that is down is remembered. */
const rememberedMs = 7 * dayMs;

/**
 * Where the cable of a port led when it was told last; undefined: nobody remembers. What does not change is written once: a cable that
 * is in place for months was told months ago, so it is the port's last coming or going that must not be long past.
 */
export const lastFarEnd = (portId: string, { history, now }: Pick<Judgement, 'history' | 'now'>) => {
  const lastChange = history.changes(linkSeries(portId), 0).at(-1);
  const movedAt = history.changes(upSeries(portId), 0).at(-1)?.at ?? lastChange?.at ?? 0;
  return typeof lastChange?.value === 'string' && now - movedAt < rememberedMs ? lastChange.value : undefined;
};

/** LLDP was read before the port came up: it can't know of the neighbour yet. */
const isUpSinceLldp = (id: string, host: string, { readings, history }: Judgement): boolean => {
  const read = sourceOf(readings, 'neighbors', host)?.good?.at;
  return read !== undefined && history.changes(upSeries(id), read).some(({ at }) => at > read);
};

/**
 * Whether a port was seen up and left that state within the last day. Other words for a port that is not up (shut, dark, no module) may come and
 * go: that does not make a link of one that has been without light for weeks.
 */
export const hasGoneDownToday = (id: string, judgement: Judgement): boolean => {
  const points = judgement.history.changes(upSeries(id), 0);
  const isUp = (point: Point | undefined): boolean =>
    point !== undefined && linkAtTime(id, point.value, judgement) === 'up';
  const fell = points.findLast((point, index) => !isUp(point) && isUp(points[index - 1]));
  return fell !== undefined && judgement.now - fell.at <= dayMs;
};

/**
 * The links that LLDP tells now, and those of ports that are down, or came up since it was read, as it told them last: a shut port
 * has no neighbour. Where a port that a console shut leads to stands in the journal, for consoles that did not see it up.
 */
export const knownLinks = memoPerJudgement((judgement): readonly Link[] => {
  const { readings, site } = judgement;
  const links = linksOf(readings, site);
  const added = new Map<string, Link>();
  // Only members of LAGs, and what went down today: of the many empty ports of a switch nobody wants to know.
  const members = new Set(
    sourcesOf(readings, 'lags').flatMap(
      ({ host, good }) => good?.value.members.map(({ member }) => `${host}:${member}`) ?? [],
    ),
  );
  for (const { host, good } of sourcesOf(readings, 'counters')) {
    for (const port of good?.value.ports ?? []) {
      const id = `${host}:${port.port}`;
      if (linkAt(links, id)) continue;
      if (!members.has(id) && !(isDown(port) && hasGoneDownToday(id, judgement))) continue;
      if (!isDown(port) && !isUpSinceLldp(id, host, judgement)) continue;
      const far = lastFarEnd(id, judgement);
      if (far === undefined || linkAt(links, far)) continue;
      addLink(added, { id, host, port: port.port }, endFrom(far, site), 'one end');
    }
  }
  for (const { port, far } of journal(judgement)?.shut ?? []) {
    const ends = [endFrom(port, site), endFrom(far ?? '', site)] as const;
    const taken = new Set([...added.values()].flatMap(({ a, b }) => [a.id, b.id]));
    if (ends.some(({ id, port: of }) => of === undefined || linkAt(links, id) || taken.has(id))) continue;
    addLink(added, ends[0], ends[1], 'one end');
  }
  return added.size === 0 ? links : [...links, ...added.values()];
});

/** The other end of the cable at a port, where that is known. */
export const farEndOf = (portId: string, judgement: Judgement): LinkEnd | undefined => {
  const link = linkAt(knownLinks(judgement), portId);
  return link && farEnd(link, portId);
};

/**
 * Whether anybody's LLDP table places a host at this port: its own by the names of the device and the port, or the device's by the host's
 * name. A link wants more than that; whoever only asks where not to act does not.
 */
export const isNamedAt = (host: string, portId: string, { readings, site }: Judgement): boolean => {
  const { host: device, port } = splitId(portId);
  const rowsOf = (of: string): readonly Neighbor[] =>
    sourceOf(readings, 'neighbors', of)?.good?.value.neighbors ?? [];
  const ownNames = ownNamesIn(readings);
  const isOf = (name: string, { neighbor }: Neighbor): boolean => {
    if (neighbor === undefined) return false;
    const called = findHostCalled(neighbor, site, ownNames);
    return (
      site.resolve('host', neighbor)?.id === name || (typeof called === 'object' && called.host === name)
    );
  };
  const counters = sourceOf(readings, 'counters', device)?.good;
  const names = portNamesOf(counters ? [counters] : [], site, ownNames);
  return (
    rowsOf(device).some((row) => row.port === port && isOf(host, row)) ||
    rowsOf(host).some((row) => isOf(device, row) && mayMean(names, device, port, row))
  );
};

/** Whether what LLDP says of the cable at a port contradicts itself, so that nobody knows where it leads. */
export const isFarEndDoubtful = (portId: string, judgement: Judgement): boolean => {
  const link = linkAt(knownLinks(judgement), portId);
  return link?.doubt !== undefined && farEnd(link, portId).port === undefined;
};

/** The links are the same list as long as the same neighbours are told, of the same site. */
const madeOf = memoPer((links: readonly Link[]) => memoPer((site: SiteView) => factsOf(links, site)));

/** Which switch port a host hangs on: ends of links that are no switches; and the links between switches. */
export const facts = ({ readings, site }: Judgement): readonly Fact[] =>
  madeOf(linksOf(readings, site))(site);

const factsOf = (links: readonly Link[], site: SiteView): readonly Fact[] => {
  const isSwitch = ({ host }: LinkEnd): boolean =>
    host !== undefined && (site.host(host)?.roles.includes('switch') ?? false);
  return links.flatMap(({ id, a, b }): Fact[] => {
    if (isSwitch(a) && isSwitch(b))
      return [{ name: 'cable', subject: { kind: 'link', id }, value: { ports: [a.id, b.id] } }];
    const [host, port] = isSwitch(b) ? [a, b] : [b, a];
    if (host.host === undefined || !isSwitch(port) || port.port === undefined) return [];
    return [{ name: 'host.uplink', subject: { kind: 'host', id: host.host }, value: { port: port.id } }];
  });
};
