import { verbatim, type Platform, type PortChange } from '../platform.ts';

const interfaceName = /^[a-z][a-z0-9._-]{0,14}$/;

/** A host's own NICs. Nothing is shut here: the NIC may carry our own session. */
export const linuxAsk: Platform = {
  id: 'linux',
  title: 'Linux',
  via: 'sh',
  machineReadable: true,
  ask: {
    counters: ['ip -s -s -j link show'],
    neighbors: ['lldpctl -f json'],
    optics: { port: (name) => `ethtool -m ${name}` },
  },
  nameOf: verbatim(interfaceName),
  readingOnly: "a host's own NIC is not shut from here: shut the switch port it is on",
};

/** `UP` among the flags of `ip link`: switched on (IFF_UP of netdevice(7)); `LOWER_UP` is the light. */
export const flagsOf = (name: string): NonNullable<PortChange['look']> => ({
  lines: [`ip link show dev ${name}`],
  on: `^[0-9]+: ${name}(@[^:]*)?: <([^>]*,)?UP[,>]`,
});

/** Cumulus Linux: a switch with a Linux shell. The change lasts until the next boot or configuration run. */
export const cumulusAsk: Platform = {
  ...linuxAsk,
  id: 'cumulus',
  title: 'Cumulus Linux',
  // Which aggregator is active and what LACP says of a member the kernel tells to root alone (bond_procfs.c).
  ask: { ...linuxAsk.ask, lags: ["sudo -n grep -rH '' /proc/net/bonding"] },
  lagsNeed: "bonds are read from /proc/net/bonding; try there: sudo -n grep -rH '' /proc/net/bonding",
  minLinks: ["grep -rH 'Min links' /proc/net/bonding"],
  chassis: () => ['sudo -n clagctl -j'],
  nameOf: verbatim(/^swp\d+(?:s\d+)?$/),
  change: (name) => ({
    shut: [`sudo -n ip link set dev ${name} down`],
    restore: [`sudo -n ip link set dev ${name} up`],
    look: flagsOf(name),
  }),
};
