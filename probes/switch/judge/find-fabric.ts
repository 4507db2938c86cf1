import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { count } from '../../../src/text/units.ts';
import { sourceOf } from '../ask/sources.ts';
import { endFrom } from '../links/join.ts';
import { farSubject, farEnd, linkAt, type LinkEnd } from '../links/link.ts';
import { lastFarEnd, linksOf, hasGoneDownToday } from '../links/links.ts';
import { type FabricPort, type FabricReading, isCarrying } from '../platforms/infiniband/fabric.ts';
import { nameOf } from '../verdict/case-of.ts';
import { suspect } from '../verdict/suspects.ts';
import { findShutter } from './shut-by-us.ts';

const finding = findingsOf('switch');

type FabricSource = Source<FabricReading>;

/** A port of a switch of the fabric, and where its cable leads or led. */
interface Wire {
  id: string;
  end: LinkEnd;
  far: LinkEnd;
  port: FabricPort;
  /** The node at the far end. */
  node: string;
  /** That node is not listed as a switch now, and this is a port as hosts have them. */
  isHost: boolean;
}

/** `node0042` of `node0042/1`. */
const nodeOf = (port = ''): string => port.slice(0, port.lastIndexOf('/'));

/** The node of an InfiniBand port, `node0042` of `node0042/1`, is off, boots or was taken out of service: its link goes with it. */
export const isNodeAway = (port: string | undefined, { facts }: Judgement): boolean => {
  const node = { kind: 'node', id: nodeOf(port) } as const;
  return (
    (facts.find('node.rebooting', node) ??
      facts.find('node.off', node) ??
      facts.find('node.drained', node)) !== undefined
  );
};

/** Whether the node of a port, told by this host, is a switch of its fabric; a host's adapter, and what the fabric does not list, is none. */
export const isFabricSwitch = (host: string, port: string, { readings }: Judgement): boolean =>
  readings
    .source<FabricReading>('switch.fabric', host)
    ?.good?.value.ports.some((one) => one.type === 'SW' && nodeOf(one.port) === nodeOf(port)) === true;

/** Whether something else than the fabric was read of a node just now. */
const isAnswering = (node: string, { readings }: Judgement): boolean =>
  readings.listOnHost(node).some(({ state, good }) => state === 'fresh' && good);

/** Ports of switches whose cable is known by now, once for each cable. */
const wiresOf = ({ host, good }: FabricSource, judgement: Judgement): readonly Wire[] => {
  const links = linksOf(judgement.readings, judgement.site);
  const ports = good?.value.ports ?? [];
  const switches = new Set(ports.flatMap(({ type, port }) => (type === 'SW' ? [nodeOf(port)] : [])));
  const seen = new Set<string>();
  return ports.flatMap((port): Wire[] => {
    const id = `${host}:${port.port}`;
    if (port.type !== 'SW' || seen.has(id)) return [];
    const link = linkAt(links, id);
    const then = port.peer || link ? undefined : hasGoneDownToday(id, judgement) && lastFarEnd(id, judgement);
    const far = link
      ? farEnd(link, id)
      : port.peer
        ? endFrom(`${host}:${port.peer.port}`, judgement.site)
        : then
          ? endFrom(then, judgement.site)
          : undefined;
    if (!far) return [];
    seen.add(far.id);
    const node = nodeOf(far.port);
    const isHost = !switches.has(node) && /\/[12]$/.test(far.id);
    return [{ id, end: { id, host, port: port.port }, far, port, node, isHost }];
  });
};

/** Somebody shut it at one of its ends: the other one reads Polling. */
const isShut = ({ id, end, far }: Wire, { good }: FabricSource, judgement: Judgement): boolean =>
  good?.value.ports.some(
    ({ port, link }) => [end.port, far.port].includes(port) && link?.endsWith('/Disabled') === true,
  ) === true || [id, far.id].some((one) => findShutter(one, judgement) !== undefined);

/** Links of the site file, or that were seen up within the last day, and that nobody took down; one finding for all to one node. */
const cutFindings = (source: FabricSource, wires: readonly Wire[], judgement: Judgement): FindingDraft[] => {
  const links = sourceOf(judgement.readings, 'neighbors', source.host)?.good;
  // The links are asked more often: one that came up since the fabric was read stands there already.
  const since = links && links.at > (source.good?.at ?? 0) ? links.value.neighbors : [];
  const isUp = (wire: Wire): boolean =>
    wire.port.peer !== undefined ||
    since.some(({ port }) => port === wire.end.port || port === wire.far.port);
  const down = wires.filter(
    (wire) =>
      !isUp(wire) &&
      !isShut(wire, source, judgement) &&
      !(wire.isHost && isNodeAway(wire.far.port, judgement)),
  );
  const isWhole = (node: string): boolean => wires.every((wire) => wire.node !== node || !isUp(wire));
  const keyOf = ({ id, node }: Wire): string => (isWhole(node) ? node : id);
  return [...Map.groupBy(down, keyOf).values()].flatMap((group): FindingDraft[] => {
    const [first] = group;
    if (!first) return [];
    const { id, end, far, node } = first;
    const subject = { kind: 'port', id } as const;
    const all = group.map((one): Subject => ({ kind: 'port', id: one.id }));
    // A host that nobody asks may be off: then its link is down for that.
    const isHost = group.every((one) => one.isHost) && !isAnswering(node, judgement);
    return [
      finding({
        kind: 'link-down',
        // By whichever end the fabric lists first it is the same finding.
        key: id < far.id ? id : far.id,
        severity: isHost ? 'notice' : 'warning',
        subject,
        ...(all.length > 1 && { members: all }),
        ...farSubject(far),
        summary:
          all.length > 1
            ? `${source.host} to ${node}: ${count(all.length, 'link')} down, none left; is ${node} on?`
            : `${nameOf(end)} to ${nameOf(far)} down`,
        advice:
          'Reseat the cable at both ends, then swap it; where a node lost all of its links, see whether it is on.',
        suspects: [suspect(id, 'down')],
        evidence: group
          .slice(0, 8)
          .map((one) => evidenceFrom(source, `${nameOf(one.end)} reads ${one.port.link ?? 'no link'}`)),
        breaks: [{ what: 'reach', of: all }],
      }),
    ];
  });
};

const isWaiting = ({ peer, link }: FabricPort): boolean =>
  peer !== undefined && /^(?:Initialize|Armed)\//.test(link ?? '');

/** Links that are trained and that no subnet manager has brought up: one finding for a fabric. */
const inactiveFindings = (
  source: FabricSource,
  wires: readonly Wire[],
  judgement: Judgement,
): FindingDraft[] => {
  const [before] = source.before;
  const were = new Set(before?.value.ports.filter(isWaiting).map(({ port }) => port));
  const waiting = wires.filter(
    ({ port, far }) =>
      isWaiting(port) &&
      // Whoever boots is brought up within seconds.
      (before === undefined || were.has(port.port)) &&
      !isNodeAway(far.port, judgement),
  );
  const [first] = waiting;
  if (!first) return [];
  const names = waiting.slice(0, 3).map(({ end }) => end.port ?? '');
  return [
    finding({
      kind: 'link-inactive',
      key: source.host,
      severity: before === undefined ? 'notice' : 'warning',
      subject: { kind: 'host', id: source.host },
      members: waiting.map(({ id }): Subject => ({ kind: 'port', id })),
      summary: `${source.host}: ${count(waiting.length, 'link')} trained, not active: no subnet manager brought up ${names.join(', ')}`,
      advice: 'Check that the subnet manager runs (sminfo), and its log for these ports.',
      suspects: waiting.slice(0, 4).map(({ id }) => suspect(id, 'down')),
      evidence: waiting
        .slice(0, 8)
        .map(({ end, port }) => evidenceFrom(source, `${nameOf(end)} reads ${port.link ?? 'no state'}`)),
    }),
  ];
};

/** A fabric most of whose links run below what both ends could do was set up so. */
const mostDegraded = 0.25;

/** Links that run on fewer lanes or slower than both of their ends could, while the rest of the fabric does not. */
const slowFindings = (source: FabricSource, wires: readonly Wire[]): FindingDraft[] => {
  const carrying = wires.filter(({ port }) => isCarrying(port));
  const slow = carrying.filter(({ port }) => (port.could?.length ?? 0) > 0);
  // Of two links one is not the exception: neither is known to be what was meant.
  if (slow.length > Math.max(1, carrying.length * mostDegraded) || slow.length === carrying.length) return [];
  return slow.map(({ id, end, far, port: { rate = 'less', could = [] } }) => {
    const lanes = could.some((one) => one.endsWith('X'));
    return finding({
      kind: 'link-degraded',
      key: id,
      severity: 'warning',
      subject: { kind: 'port', id },
      ...farSubject(far),
      summary: `${nameOf(end)} to ${nameOf(far)} runs at ${rate} instead of ${could.join(', ')}`,
      advice: `Reseat the cable at both ends, then swap it${lanes ? ': some of its lanes did not come up' : ''}.`,
      suspects: [suspect(id, lanes ? 'lane' : 'speed'), suspect(far.id, 'cable')],
      evidence: [
        evidenceFrom(source, `${nameOf(end)} runs at ${rate}; both ends could do ${could.join(', ')}`),
      ],
    });
  });
};

/** What the subnet manager and the links of InfiniBand fabrics show beside their counters. */
export const fabricFindings = (judgement: Judgement): readonly FindingDraft[] =>
  judgement.readings.sources<FabricReading>('switch.fabric').flatMap((source) => {
    const wires = wiresOf(source, judgement);
    return [
      ...cutFindings(source, wires, judgement),
      ...inactiveFindings(source, wires, judgement),
      ...slowFindings(source, wires),
    ];
  });
