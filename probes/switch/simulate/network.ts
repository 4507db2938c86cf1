/** One port of a simulated device or NIC; counters grow with time by their rates. */
export interface SimPort {
  host: string;
  /** As the platform writes it: `TenGigabitEthernet 3/46`, `Ethernet1`, `xe-0/0/0`, `eth0`. */
  name: string;
  /** Number of its LAG. */
  lag?: number;
  speedMbps: number;
  adminUp: boolean;
  /** Of each counter: its value when it was last settled, and its rate per second. */
  values: Record<CounterName, number>;
  rates: Record<CounterName, number>;
  settledAt: number;
  /** dBm. */
  tx: number;
  rx: number;
}

export const counterNames = ['rxPackets', 'rxBytes', 'rxCrc', 'txPackets', 'txBytes'] as const;
export type CounterName = (typeof counterNames)[number];

/** A cable; `badToB`: share of the frames sent by A that B receives damaged. */
export interface SimCable {
  a: SimPort;
  b: SimPort;
  badToA: number;
  badToB: number;
}

/** Two switches that are one to whoever hangs at both: their LAGs of these numbers are one each. */
export interface SimPair {
  hosts: readonly [string, string];
  peerLink: number;
  spanning: readonly number[];
}

export interface SimNetwork {
  ports: Map<string, SimPort>;
  cables: SimCable[];
  pair?: SimPair;
  startedAt: number;
}

/** `core3:te3/46`, whatever spelling: the key of a port. */
export const portKey = (host: string, name: string): string =>
  `${host}:${name
    .toLowerCase()
    .replace(/\s+/g, '')
    .replace(/^(?:tengigabitethernet|tengig|ten)(?=\d)/, 'te')}`;

/** Mean bytes of a frame on these links: mostly jumbo. */
const frameBytes = 9000;

interface Ends {
  a: readonly [host: string, name: string, lag?: number];
  b: readonly [host: string, name: string, lag?: number];
  /** Frames per second each way. */
  pps: number;
  speedMbps?: number;
}

/** FTOS numbers: member N of Po98 at both stacks. */
const coreMembers = ['1/46', '1/48', '2/46', '2/48', '3/46', '3/48', '4/46', '4/48'];

const te = (place: string): string => `TenGigabitEthernet ${place}`;

const cabling: readonly Ends[] = [
  ...coreMembers.map((place, index): Ends => ({
    a: ['core3', te(place), 98],
    b: ['nfs-sw1', te(`1/${8 + index}`), 98],
    pps: index === 4 ? 21_000 : 18_000 + index * 350,
  })),
  { a: ['nfs-sw1', te('1/1')], b: ['nfs1', 'eth0'], pps: 60_000 },
  { a: ['nfs-sw1', te('1/2')], b: ['nfs2', 'eth0'], pps: 58_000 },
  { a: ['core3', te('1/1'), 1], b: ['edge1', 'Ethernet49', 1], pps: 9_000 },
  { a: ['core3', te('2/1'), 1], b: ['edge1', 'Ethernet50', 1], pps: 9_300 },
  { a: ['core3', te('3/1'), 2], b: ['agg1', 'xe-0/0/0', 0], pps: 11_000 },
  { a: ['core3', te('4/1'), 2], b: ['agg1', 'xe-0/0/1', 0], pps: 11_400 },
  { a: ['core3', te('1/3'), 3], b: ['leaf1', 'Ethernet49', 49], pps: 7_000 },
  { a: ['core3', te('2/3'), 3], b: ['leaf2', 'Ethernet49', 49], pps: 7_200 },
  ...[47, 48].map((port): Ends => ({
    a: ['leaf1', `Ethernet${port}`, 1000],
    b: ['leaf2', `Ethernet${port}`, 1000],
    pps: 1_500,
  })),
  // A filer that nobody logs in to: only the two switches know how many of its links are up.
  ...['leaf1', 'leaf2'].flatMap((leaf, index) =>
    [1, 2].map((port): Ends => ({
      a: [leaf, `Ethernet${port}`, 10],
      b: ['filer1', `e0${'abcd'[2 * index + port - 1]}`],
      pps: 5_000 + 100 * port,
    })),
  ),
  ...[1, 2, 3, 4].map((node): Ends => ({
    a: ['edge1', `Ethernet${node}`],
    b: [`node${node}`, 'eth0'],
    pps: 4_000 + node * 100,
  })),
];

/** The network as it was cabled: nothing damaged. Counters look like forty weeks of work. */
export const buildNetwork = (now: number): SimNetwork => {
  const ports = new Map<string, SimPort>();
  const port = ([host, name, lag]: Ends['a'], { pps, speedMbps = 10_000 }: Ends): SimPort => {
    const rates = {
      rxPackets: pps,
      rxBytes: pps * frameBytes,
      rxCrc: 0,
      txPackets: pps,
      txBytes: pps * frameBytes,
    };
    const made: SimPort = {
      host,
      name,
      ...(lag !== undefined && { lag }),
      speedMbps,
      adminUp: true,
      values: {
        rxPackets: 17_200_000_000 + pps,
        rxBytes: 35_813_681_434_965,
        rxCrc: 0,
        txPackets: 16_100_000_000 + pps,
        txBytes: 21_990_000_000_000,
      },
      rates,
      settledAt: now,
      tx: -2.5,
      rx: -2.9,
    };
    ports.set(portKey(host, name), made);
    return made;
  };
  const cables = cabling.map((ends): SimCable => ({
    a: port(ends.a, ends),
    b: port(ends.b, ends),
    badToA: 0,
    badToB: 0,
  }));
  const pair: SimPair = { hosts: ['leaf1', 'leaf2'], peerLink: 1000, spanning: [10, 49] };
  return { ports, cables, pair, startedAt: now };
};

export const cableOf = (network: SimNetwork, port: SimPort): SimCable | undefined =>
  network.cables.find(({ a, b }) => a === port || b === port);

export const peerOf = (network: SimNetwork, port: SimPort): SimPort | undefined => {
  const cable = cableOf(network, port);
  return cable && (cable.a === port ? cable.b : cable.a);
};

/** Up when both ends are switched on. */
export const isUp = (network: SimNetwork, port: SimPort): boolean =>
  port.adminUp && (peerOf(network, port)?.adminUp ?? false);

/** Brings a port's counters up to now by the rates that held so far. */
const settle = (port: SimPort, now: number): void => {
  const seconds = Math.max(0, (now - port.settledAt) / 1000);
  for (const name of counterNames) port.values[name] += port.rates[name] * seconds;
  port.settledAt = now;
};

/** The values of now. */
export const countersAt = (port: SimPort, now: number): Record<CounterName, bigint> => {
  const seconds = Math.max(0, (now - port.settledAt) / 1000);
  const entries = counterNames.map((name) => [
    name,
    BigInt(Math.floor(port.values[name] + port.rates[name] * seconds)),
  ]);
  return Object.fromEntries(entries) as Record<CounterName, bigint>;
};

/** Makes the rates fit what is cabled, switched on and damaged; the traffic of a LAG goes over those of its members that are up. */
export const reroute = (network: SimNetwork, now: number): void => {
  for (const port of network.ports.values()) settle(port, now);
  for (const ends of cabling) {
    const port = network.ports.get(portKey(ends.a[0], ends.a[1]));
    const cable = port && cableOf(network, port);
    if (!cable) continue;
    const lag = ends.a[2];
    const members =
      lag === undefined ? [ends] : cabling.filter((one) => one.a[0] === ends.a[0] && one.a[2] === lag);
    const up = members.filter((one) => {
      const member = network.ports.get(portKey(one.a[0], one.a[1]));
      return member !== undefined && isUp(network, member);
    });
    const moved = members.filter((one) => !up.includes(one)).reduce((sum, one) => sum + one.pps, 0);
    const pps = isUp(network, cable.a) ? ends.pps + moved / Math.max(1, up.length) : 0;
    carry(cable.a, pps, cable.badToA);
    carry(cable.b, pps, cable.badToB);
  }
};

const carry = (port: SimPort, pps: number, bad: number): void => {
  port.rates = {
    rxPackets: pps,
    rxBytes: pps * frameBytes,
    rxCrc: pps * bad,
    txPackets: pps,
    txBytes: pps * frameBytes,
  };
};

/** Turns a port of the network on or off, and with it the ways of its frames. */
export const putIn =
  (network: (now: number) => SimNetwork) =>
  (port: SimPort, up: boolean, now: number): void => {
    port.adminUp = up;
    reroute(network(now), now);
  };
