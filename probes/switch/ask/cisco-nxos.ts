import { commonErrors, commonPager, named, type Platform } from '../platform.ts';

/** Cisco NX-OS: JSON. Nexus 3000 and 9000 switch cut-through by default. */
export const ciscoNxosAsk: Platform = {
  id: 'cisco_nxos',
  title: 'Cisco NX-OS',
  via: 'cli',
  dialect: {
    prompt: '[A-Za-z0-9][A-Za-z0-9._-]*(?:\\([a-z0-9/:.-]+\\))?[>#]\\s*$',
    pagerOff: ['terminal length 0'],
    pager: commonPager,
    errors: commonErrors,
  },
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
  change: (name) => ({
    shut: ['configure terminal', `interface ${name}`, 'shutdown', 'end'],
    restore: ['configure terminal', `interface ${name}`, 'no shutdown', 'end'],
    // A port that is switched off is `down (Administratively down)`; releases before 6 have no line of the admin state.
    look: {
      lines: [`show interface ${name}`],
      on: `^ *admin state is up|^${name} is up|^${name} is down \\(Link not connected\\)`,
      prompt: '\\(config-if\\) ?# ?',
    },
  }),
};
