import type { PlatformAsk } from '../contracts.ts';
import { verbatim } from '../shared/command-lines.ts';
import { ethtoolAsks } from '../shared/ethtool-settings.ts';

/** Cumulus Linux: a switch with a Linux shell. A change lasts until the next boot or configuration run. */
export const cumulusAsk: PlatformAsk = {
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
  nameOf: verbatim(/^swp\d+(?:s\d+)?$/),
  restore: (name) => [`sudo -n ip link set dev ${name} up`],
};
