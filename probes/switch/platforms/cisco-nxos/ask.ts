import type { PlatformAsk } from '../contracts.ts';
import { ciscoDialect, inInterface, named } from '../shared/command-lines.ts';

/** Cisco NX-OS: JSON. Nexus 3000 and 9000 switch cut-through by default. */
export const nxosAsk: PlatformAsk = {
  id: 'cisco_nxos',
  title: 'Cisco NX-OS',
  via: 'cli',
  dialect: ciscoDialect('[A-Za-z0-9][A-Za-z0-9._-]*(?:\\([a-z0-9/:.-]+\\))?[>#]\\s*$'),
  machineReadable: true,
  cutThrough: true,
  ask: {
    counters: ['show interface | json'],
    lags: ['show port-channel summary'],
    neighbors: ['show lldp neighbors detail'],
    optics: { all: ['show interface transceiver details | json'] },
  },
  minLinks: ['show running-config | include "^interface port-channel|min-links"'],
  chassis: () => ['show feature | include vpc', 'show vpc brief'],
  nameOf: named({ eth: 'Ethernet' }),
  restore: inInterface('no shutdown'),
};
