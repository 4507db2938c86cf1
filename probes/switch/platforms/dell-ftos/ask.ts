import type { PlatformAsk } from '../contracts.ts';
import { ciscoDialect, inInterface, named } from '../shared/command-lines.ts';

/** Dell Force10 FTOS and OS9: screens of text, often without exec channels. */
export const ftosAsk: PlatformAsk = {
  id: 'dell_ftos',
  title: 'Dell FTOS',
  via: 'cli',
  dialect: ciscoDialect('[A-Za-z0-9][A-Za-z0-9._-]*(?:\\([a-z0-9/:-]+\\))?[>#]\\s*$'),
  machineReadable: false,
  ask: {
    counters: ['show interfaces'],
    lags: ['show interfaces port-channel brief'],
    neighbors: ['show lldp neighbors detail'],
    optics: { port: (name) => `show interfaces ${name} transceiver` },
  },
  minLinks: [
    'show interfaces port-channel',
    'show running-config | grep "interface Port-channel|minimum-links"',
  ],
  chassis: () => ['show vlt detail'],
  nameOf: named({
    te: 'tengigabitethernet ',
    gi: 'gigabitethernet ',
    fo: 'fortyGigE ',
    twe: 'twentyFiveGigE ',
    hu: 'hundredGigE ',
  }),
  restore: inInterface('no shutdown', 'configure'),
};
