import type { PlatformAsk } from '../contracts.ts';
import { ciscoDialect, inInterface } from '../shared/command-lines.ts';

/** Dell OS10: XML, several documents in one answer. */
export const os10Ask: PlatformAsk = {
  id: 'dell_os10',
  title: 'Dell OS10',
  via: 'cli',
  dialect: ciscoDialect('[A-Za-z0-9][A-Za-z0-9._-]*(?:\\([a-z0-9/:.-]+\\))?[>#]\\s*$'),
  machineReadable: true,
  ask: {
    counters: ['show interface | display-xml'],
    lags: ['show port-channel summary'],
    neighbors: ['show lldp neighbors | display-xml'],
  },
  minLinks: ['show interface port-channel'],
  chassis: (domain) => [
    'show running-configuration vlt',
    ...(domain === undefined ? [] : [`show vlt ${domain} vlt-port-detail`]),
  ],
  nameOf: (port) => /^eth(\d[\d/:]*)$/.exec(port)?.[1]?.replace(/^/, 'ethernet '),
  restore: inInterface('no shutdown'),
};
