import type { Port } from '../readings.ts';
import { linkStateBy, type LinkWords } from '../read/link-words.ts';

/** What is said of one port at one scrape: values by metric, and the labels beside them. */
export interface PortSample {
  labels: Readonly<Record<string, string>>;
  values: ReadonlyMap<string, string>;
  /** Values that the whole device has. */
  device: ReadonlyMap<string, string>;
}

/** What an exporter calls things. */
export interface Exporter {
  /** The probe that its samples are given to. */
  probe: string;
  /** What its hosts are for, and the probes that would ask them for the same. */
  role: string;
  instead: readonly string[];
  /** How people call it. */
  title: string;
  /** Metrics of ports, and those of the whole device. */
  metrics: readonly string[];
  deviceMetrics: readonly string[];
  /** Labels that tell ports apart, the first one alone; all others tell targets apart. */
  portLabels: readonly [key: string, ...more: string[]];
  /** The name of the port as its device prints it. */
  nameOf(sample: PortSample): string | undefined;
  read(sample: PortSample): Omit<Port, 'port' | 'name'>;
}

const countOf = (text: string | undefined): bigint | undefined =>
  text !== undefined && /^\d{1,20}$/.test(text) ? BigInt(text) : undefined;

const numberOf = (text: string | undefined): number | undefined => {
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
};

/** Metrics and what they count. Read of each port at each scrape: no list is made on the way. */
type Names = readonly (readonly [metric: string, name: string])[];

const countsBy = (names: Names, { values }: PortSample): Record<string, bigint> => {
  const counts: Record<string, bigint> = {};
  for (const [metric, name] of names) {
    const value = countOf(values.get(metric));
    if (value !== undefined) counts[name] = value;
  }
  return counts;
};

const packets = {
  In: ['ifHCInUcastPkts', 'ifHCInMulticastPkts', 'ifHCInBroadcastPkts'],
  Out: ['ifHCOutUcastPkts', 'ifHCOutMulticastPkts', 'ifHCOutBroadcastPkts'],
} as const;

/** Unicast, multicast and broadcast together are the frames; without the first they are no count of anything. */
const packetsOf = (way: 'In' | 'Out', { values }: PortSample): bigint | undefined => {
  const [unicast, multicast, broadcast] = packets[way];
  const first = countOf(values.get(unicast));
  if (first === undefined) return undefined;
  return first + (countOf(values.get(multicast)) ?? 0n) + (countOf(values.get(broadcast)) ?? 0n);
};

const present = <T>(name: string, value: T | undefined): Record<string, T> =>
  value === undefined ? {} : { [name]: value };

const ifCounts: Names = Object.entries({
  ifHCInOctets: 'rxBytes',
  ifHCOutOctets: 'txBytes',
  ifInErrors: 'rxErrors',
  ifOutErrors: 'txErrors',
  ifInDiscards: 'rxDiscards',
  ifOutDiscards: 'txDiscards',
});

/** RFC 2863: ifOperStatus, ifAdminStatus. */
const operWords = ['up', 'down', 'testing', 'unknown', 'dormant', 'notPresent', 'lowerLayerDown'];
const adminWords = ['up', 'down', 'testing'];

/** A port that the device itself took down reads as one without light does: which of the two is not told. */
const ifWords: LinkWords = {
  link: {
    up: 'up',
    down: 'down',
    testing: 'down',
    dormant: 'down',
    notPresent: 'down',
    lowerLayerDown: 'down',
  },
  admin: { down: 'off' },
};

const wordOf = (words: readonly string[], text: string | undefined): string | undefined =>
  words[(numberOf(text) ?? 0) - 1];

const stateWords = (
  words: LinkWords,
  link: string | undefined,
  admin: string | undefined,
): Pick<Port, 'link' | 'admin' | 'state'> => {
  const state = linkStateBy(words, { link, admin });
  return { ...present('link', link), ...present('admin', admin), ...(state !== undefined && { state }) };
};

/** The IF-MIB (RFC 2863) as the module if_mib of snmp_exporter names it: the objects' own names, the index and what is looked up as labels. */
export const ifMib: Exporter = {
  probe: 'switch.promcounters',
  role: 'switch',
  instead: ['switch.counters', 'switch.screens'],
  title: "snmp_exporter's if_mib",
  metrics: [
    ...ifCounts.map(([metric]) => metric),
    ...packets.In,
    ...packets.Out,
    'ifOperStatus',
    'ifAdminStatus',
    'ifHighSpeed',
    'ifLastChange',
  ],
  deviceMetrics: ['sysUpTime'],
  portLabels: ['ifIndex', 'ifName', 'ifDescr', 'ifAlias'],
  nameOf: ({ labels }) =>
    [labels['ifName'], labels['ifDescr']].find((name) => name !== undefined && name !== ''),
  read: (sample) => {
    const { labels, values, device } = sample;
    const words = stateWords(
      ifWords,
      wordOf(operWords, values.get('ifOperStatus')),
      wordOf(adminWords, values.get('ifAdminStatus')),
    );
    const speed = numberOf(values.get('ifHighSpeed'));
    const [up, changed] = [device.get('sysUpTime'), values.get('ifLastChange')].map(numberOf);
    // In hundredths of a second; what comes before the last start reads 0 (RFC 2863, ifLastChange).
    const agoS =
      up !== undefined && changed !== undefined && changed > 0 && up >= changed
        ? (up - changed) / 100
        : undefined;
    return {
      ...present('ifIndex', labels['ifIndex'] === undefined ? undefined : [labels['ifIndex']]),
      ...words,
      ...present('description', words.state === 'shut' ? labels['ifAlias'] || undefined : undefined),
      ...present('speedMbps', speed !== undefined && speed > 0 ? speed : undefined),
      ...present('changedAgoS', agoS),
      counts: {
        ...countsBy(ifCounts, sample),
        ...present('rxPackets', packetsOf('In', sample)),
        ...present('txPackets', packetsOf('Out', sample)),
      },
    };
  },
};

const nodeCounts: Names = Object.entries({
  node_network_receive_bytes_total: 'rxBytes',
  node_network_receive_packets_total: 'rxPackets',
  node_network_receive_errs_total: 'rxErrors',
  node_network_receive_drop_total: 'rxDiscards',
  node_network_receive_fifo_total: 'rxFifo',
  node_network_transmit_bytes_total: 'txBytes',
  node_network_transmit_packets_total: 'txPackets',
  node_network_transmit_errs_total: 'txErrors',
  node_network_transmit_drop_total: 'txDiscards',
  node_network_transmit_colls_total: 'txCollisions',
  node_network_transmit_carrier_total: 'lostCarrier',
  node_network_carrier_changes_total: 'linkTransitions',
});

/** sysfs' operstate in lower case, and whether IFF_UP is set, as node_exporter's `node_network_info` has them. */
const nodeWords: LinkWords = {
  link: {
    up: 'up',
    down: 'down',
    lowerlayerdown: 'down',
    notpresent: 'down',
    dormant: 'down',
    testing: 'down',
  },
  admin: { up: 'on', down: 'off' },
};

/**
 * node_exporter's collectors netdev and netclass. `node_network_receive_frame_total` is left out: the kernel sums lengths and overruns in
 * it, too (net/core/net-procfs.c), and would call congestion damage.
 */
export const nodeExporter: Exporter = {
  probe: 'switch.promnics',
  role: 'nic',
  instead: ['switch.nics'],
  title: 'node_exporter',
  metrics: [
    ...nodeCounts.map(([metric]) => metric),
    'node_network_info',
    'node_network_speed_bytes',
    'node_network_mtu_bytes',
  ],
  deviceMetrics: [],
  portLabels: ['device', 'address', 'broadcast', 'duplex', 'ifalias', 'operstate', 'adminstate'],
  nameOf: ({ labels }) => labels['device'],
  read: (sample) => {
    const { labels, values } = sample;
    const speed = numberOf(values.get('node_network_speed_bytes'));
    const mtu = numberOf(values.get('node_network_mtu_bytes'));
    const duplex = labels['duplex'];
    return {
      ...stateWords(nodeWords, labels['operstate'], labels['adminstate']),
      ...(duplex === 'full' || duplex === 'half' ? { duplex } : {}),
      ...present('speedMbps', speed !== undefined && speed > 0 ? (speed * 8) / 1e6 : undefined),
      ...present('mtu', mtu),
      counts: countsBy(nodeCounts, sample),
    };
  },
};

export const exporters: readonly Exporter[] = [ifMib, nodeExporter];
