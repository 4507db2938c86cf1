import type { Reader } from '../../read/parse-capture.ts';
import { put } from '../../read/parse-counts.ts';
import { valueAt, isRecord, textOf, type Json, jsonIn } from '../../read/parse-json.ts';
import { count, text } from '../../read/parse-values.ts';
import { dropAbsent, type PortRow } from '../../read/rows.ts';
import { lldpctlJson, lldpctlText } from '../shared/lldpctl.ts';
import { bondStandings, bonding, isWithoutBonds } from '../shared/linux-bonding.ts';
import { ethtoolSettings, ethtoolAsks } from '../shared/ethtool-settings.ts';
import { linuxWords } from '../../read/link-words.ts';
import type { Platform } from '../contracts.ts';
import { nameOfForm } from '../shared/command-lines.ts';
import {
  ethtoolModule,
  ethtoolStatistics,
  ipLinkAdmin,
  ipLinkJson,
  ipLinkPortLines,
  ipLinkText,
  kernelJson,
  kernelTable,
} from '../shared/linux-nic.ts';
import {
  chassisReadingOf,
  noneSpans,
  type ChassisAnswer,
  type ChassisReading,
} from '../../read/chassis-reading.ts';

/** `grep -rH 'Min links' /proc/net/bonding`. */
const cumulusMinLinks = (text: string): ReadonlyMap<string, number> =>
  new Map(
    [...text.matchAll(/^\/proc\/net\/bonding\/([^:]+):Min links: (\d+)/gm)].map(([, lag = '', min]) => [
      lag,
      Number(min),
    ]),
  );

/** `clagctl -j`. Where the service is not set up bonds are the switch's own. */
const cumulusChassis = ({ stdout, lag }: ChassisAnswer): ChassisReading | undefined => {
  // A service that is configured and does not run is none of these: its bonds still span both.
  if (/^The clagd service is not configured\.?$|clagctl: command not found$/m.test(stdout)) return noneSpans;
  const document = jsonIn(stdout);
  const bonds = valueAt(document, 'clagIntfs');
  if (!isRecord(document) || !isRecord(valueAt(document, 'status'))) return undefined;
  const alive = valueAt(valueAt(document, 'status'), 'peerAlive');
  if (isRecord(bonds) && typeof alive !== 'boolean') return undefined;
  return chassisReadingOf(
    isRecord(bonds) ? Object.keys(bonds).map((name) => ({ lag: lag(name) })) : [],
    undefined,
    alive === false ? 'clagd says that its peer is not alive' : undefined,
  );
};

/** Keys of NVUE's `link.stats`. */
const keys: Readonly<Record<string, string>> = {
  'in-bytes': 'rxBytes',
  'in-pkts': 'rxPackets',
  'in-errors': 'rxErrors',
  'in-drops': 'rxDiscards',
  'out-bytes': 'txBytes',
  'out-pkts': 'txPackets',
  'out-errors': 'txErrors',
  'out-drops': 'txDiscards',
  'carrier-transitions': 'linkTransitions',
};

/** `nv show interface <port> link stats -o json` prints them alone. */
const stats = (one: Json): Json | undefined =>
  valueAt(one, 'link', 'stats') ??
  valueAt(one, 'link', 'counters') ??
  (valueAt(one, 'in-pkts') !== undefined && valueAt(one, 'carrier-transitions') !== undefined
    ? one
    : undefined);

/** A state is a word, or the only key of an object: `{"up": {}}`. */
const word = (value: Json | undefined): string | undefined =>
  text(textOf(value)) ?? (isRecord(value) ? Object.keys(value)[0] : undefined);

/** `nv show interface -o json`: ports by name. One port's own output names no port. */
const nvue: Reader<PortRow> = (capture) => {
  const json = capture.json();
  if (!isRecord(json)) return undefined;
  const alone = stats(json) !== undefined;
  const found = alone
    ? [['', json] as const]
    : Object.entries(json).filter(([, one]) => isRecord(valueAt(one, 'link')));
  if (found.length === 0) return undefined;
  return {
    rows: found.map(([port, one]) => {
      const counts: Record<string, bigint> = {};
      for (const [key, name] of Object.entries(keys))
        put(counts, name, count(textOf(valueAt(stats(one), key))));
      const states = dropAbsent({
        link: word(valueAt(one, 'link', 'oper-status')) ?? word(valueAt(one, 'link', 'state')),
        admin: word(valueAt(one, 'link', 'admin-status')),
      });
      return { ...(port === '' ? {} : { port }), ...states, ...counts } as PortRow;
    }),
  };
};

/** Cumulus Linux: a switch with a Linux shell. A change lasts until the next boot or configuration run. */
export const cumulus: Platform = {
  id: 'cumulus',
  title: 'Cumulus Linux',
  via: 'sh',
  machineReadable: true,
  ask: {
    counters: ['ip -s -s -j link show'],
    neighbors: ['lldpctl -f json'],
    optics: { port: (name) => `ethtool -m ${name}` },
    settings: { port: ethtoolAsks },
    // Which aggregator is active and what LACP says of a member the kernel tells to root alone (bond_procfs.c).
    lags: ["sudo -n grep -rH '' /proc/net/bonding"],
  },
  lagsNeed: "bonds are read from /proc/net/bonding; try there: sudo -n grep -rH '' /proc/net/bonding",
  minLinks: ["grep -rH 'Min links' /proc/net/bonding"],
  chassis: () => ['sudo -n clagctl -j'],
  nameOf: nameOfForm(/^swp\d+(?:s\d+)?$/),
  restore: (name) => [`sudo -n ip link set dev ${name} up`],
  readers: {
    counters: [ipLinkJson, nvue, kernelJson, ethtoolStatistics, ipLinkText, kernelTable],
    lags: [bonding],
    neighbors: [lldpctlJson, lldpctlText],
    optics: [ethtoolModule],
  },
  portLinesIn: ipLinkPortLines,
  adminIn: ipLinkAdmin,
  portSettingsTold: ethtoolSettings,
  linkWords: linuxWords,
  standingsIn: bondStandings,
  hasNoLags: isWithoutBonds,
  minLinksIn: cumulusMinLinks,
  chassisIn: cumulusChassis,
};
