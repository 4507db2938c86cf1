import type { Platform } from '../contracts.ts';
import { nameOfForm } from '../shared/command-lines.ts';
import { ethtoolAsks, ethtoolSettings } from '../shared/ethtool-settings.ts';
import { bondStandings, bonding } from '../shared/linux-bonding.ts';
import {
  ethtoolModule,
  ethtoolStatistics,
  ipLinkAdmin,
  ipLinkJson,
  ipLinkPortLines,
  ipLinkText,
  kernelTable,
} from '../shared/linux-nic.ts';
import { lldpctlJson, lldpctlText } from '../shared/lldpctl.ts';
import { linuxWords } from '../../read/link-words.ts';

/** A host's own NICs. Nothing is shut here: the NIC may carry our own session. */
export const linux: Platform = {
  id: 'linux',
  title: 'Linux',
  via: 'sh',
  machineReadable: true,
  ask: {
    counters: ['ip -s -s -j link show'],
    neighbors: ['lldpctl -f json'],
    optics: { port: (name) => `ethtool -m ${name}` },
    settings: { port: ethtoolAsks },
  },
  nameOf: nameOfForm(/^[a-z][a-z0-9._-]{0,14}$/),
  readingOnly: "a host's own NIC is not shut from here: shut the switch port it is on",
  readers: {
    counters: [ipLinkJson, ethtoolStatistics, ipLinkText, kernelTable],
    lags: [bonding],
    neighbors: [lldpctlJson, lldpctlText],
    optics: [ethtoolModule],
  },
  portLinesIn: ipLinkPortLines,
  adminIn: ipLinkAdmin,
  portSettingsTold: ethtoolSettings,
  linkWords: linuxWords,
  standingsIn: bondStandings,
};
