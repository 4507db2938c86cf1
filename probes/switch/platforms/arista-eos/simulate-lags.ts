import { isUp, type SimNetwork, type SimPair, type SimPort } from '../../simulate/network.ts';

/** A chassis address of its own for every device, as LLDP tells it. */
export const chassisOf = (host: string): string => {
  let sum = 0;
  for (const char of host) sum = (sum * 31 + char.charCodeAt(0)) % 0x1000000;
  const digits = sum.toString(16).padStart(6, '0');
  return `001c.73${digits.slice(0, 2)}.${digits.slice(2)}`;
};

interface Sides {
  pair: SimPair;
  peer: string;
  /** Over the LAG between the two: without it neither knows what the other does. */
  seen: boolean;
}

const sidesOf = (host: string, network: SimNetwork): Sides | undefined => {
  const { pair } = network;
  const [one, other] = pair?.hosts ?? [];
  if (!pair || !one || !other || (host !== one && host !== other)) return undefined;
  const seen = isAnyUp(membersOf(host, pair.peerLink, network), network);
  return { pair, peer: host === one ? other : one, seen };
};

const membersOf = (host: string, lag: number, network: SimNetwork): SimPort[] =>
  [...network.ports.values()].filter((port) => port.host === host && port.lag === lag);

const isAnyUp = (ports: readonly SimPort[], network: SimNetwork): boolean =>
  ports.some((port) => isUp(network, port));

/** Members that the other switch has in the same LAG, as long as it is seen. */
const peerMembers = (host: string, lag: number, network: SimNetwork): SimPort[] => {
  const sides = sidesOf(host, network);
  return sides?.seen && sides.pair.spanning.includes(lag)
    ? membersOf(sides.peer, lag, network).filter((port) => isUp(network, port))
    : [];
};

/** `show mlag`. */
export const mlag = (host: string, network: SimNetwork): object => {
  const sides = sidesOf(host, network);
  if (!sides) return { state: 'disabled' };
  const { pair, peer, seen } = sides;
  return {
    domainId: 'leafs',
    localInterface: 'Vlan4094',
    peerAddress: peer === pair.hosts[0] ? '10.255.0.1' : '10.255.0.2',
    peerLink: `Port-Channel${pair.peerLink}`,
    peerLinkStatus: seen ? 'up' : 'down',
    localIntfStatus: seen ? 'up' : 'down',
    negStatus: seen ? 'connected' : 'connecting',
    state: seen ? 'active' : 'inactive',
  };
};

/** `show mlag interfaces`. */
export const mlagInterfaces = (host: string, network: SimNetwork): object => {
  const sides = sidesOf(host, network);
  if (!sides) return { interfaces: {} };
  const { pair, peer, seen } = sides;
  const entries = pair.spanning.map((lag) => {
    const here = isAnyUp(membersOf(host, lag, network), network);
    const there = seen && isAnyUp(membersOf(peer, lag, network), network);
    const value = {
      localInterface: `Port-Channel${lag}`,
      localInterfaceStatus: here ? 'up' : 'down',
      ...(seen && { peerInterface: `Port-Channel${lag}`, peerInterfaceStatus: there ? 'up' : 'down' }),
      status: !seen ? 'inactive' : here && there ? 'active-full' : 'active-partial',
    };
    return [String(lag), value] as const;
  });
  return { interfaces: Object.fromEntries(entries) };
};

/** Of `show running-config section`: whole sections in which the word stands. */
export const lagConfiguration = (ports: readonly SimPort[]): string =>
  [...new Set(ports.flatMap(({ lag }) => lag ?? []))]
    .map((lag) => `interface Port-Channel${lag}\n   switchport mode trunk\n`)
    .join('');

export const shortName = ({ name }: SimPort): string => name.replace('Ethernet', 'Et');

export const summary = (ports: readonly SimPort[], network: SimNetwork): string => {
  const lags = [...Map.groupBy(ports, ({ lag }) => lag)].flatMap(([lag, members]) =>
    lag === undefined ? [] : [{ lag, members }],
  );
  const row = ({ lag, members }: (typeof lags)[number]): string => {
    const up = members.some((port) => isUp(network, port)) ? 'U' : 'D';
    const own = members.map((port) => `${shortName(port)}(${isUp(network, port) ? 'PG+' : 'D'})`);
    const there = peerMembers(members[0]?.host ?? '', lag, network).map((port) => `P${shortName(port)}(P)`);
    return `   ${`Po${lag}(${up})`.padEnd(18)} LACP(a)         ${[...own, ...there].join(' ')}`;
  };
  return [
    '                 Flags',
    '-------------------------- ----------------------------- -------------------------',
    '   a - LACP Active            p - LACP Passive           * - static fallback',
    '   F - Fallback enabled       f - Fallback configured    ^ - individual fallback',
    '   U - In Use                 D - Down',
    '   + - In-Sync                - - Out-of-Sync            i - incompatible with agg',
    '   P - bundled in Po          s - suspended              G - Aggregable',
    '   I - Individual             S - ShortTimeout           w - wait for agg',
    '',
    `Number of channels in use: ${lags.length}`,
    `Number of aggregators: ${lags.length}`,
    '',
    '   Port-Channel       Protocol     Ports',
    '------------------ --------------- --------------------------------',
    ...lags.map(row),
    '',
  ].join('\n');
};
