import type { PlatformAsk } from '../contracts.ts';
import { ciscoDialect, commonErrors, inInterface, named } from '../shared/command-lines.ts';

const privileged = (lines: readonly string[]): readonly string[] => ['enable', ...lines];

/** Arista EOS: JSON. Every complaint begins with `% `. */
export const eosAsk: PlatformAsk = {
  id: 'arista_eos',
  title: 'Arista EOS',
  via: 'cli',
  dialect: {
    ...ciscoDialect('[A-Za-z0-9][A-Za-z0-9._-]*(?:\\([a-zA-Z0-9/:._-]+\\))*[>#]\\s*$'),
    errors: [...commonErrors, '^% '],
  },
  machineReadable: true,
  ask: {
    counters: ['show interfaces | json'],
    lags: ['show port-channel summary'],
    neighbors: ['show lldp neighbors detail | json'],
    optics: { all: ['show interfaces transceiver detail'] },
  },
  minLinks: ['show running-config section Port-Channel'],
  chassis: () => ['show mlag | json', 'show mlag interfaces | json'],
  commits: ['show configuration sessions detail | json'],
  nameOf: named({ eth: 'Ethernet' }),
  restore: (name) => privileged(inInterface('no shutdown', 'configure')(name)),
};
