import type { PlatformAsk } from '../contracts.ts';
import { commonErrors, inInterface } from '../shared/command-lines.ts';

const spanning = 'show interfaces mlag-port-channel summary | json-print';

/** Mellanox MLNX-OS and Onyx: JSON, every number a string. Switches cut-through by default. */
export const onyxAsk: PlatformAsk = {
  id: 'mellanox_onyx',
  title: 'Onyx',
  via: 'cli',
  dialect: {
    prompt: '[A-Za-z0-9._-]+ \\[[^\\]]*\\] (?:\\([^)]*\\) )?[>#]\\s*$',
    pagerOff: ['enable', 'no cli session paging enable'],
    errors: commonErrors,
  },
  machineReadable: true,
  cutThrough: true,
  ask: {
    counters: ['show interfaces ethernet | json-print'],
    lags: ['show interfaces port-channel summary | json-print'],
    neighbors: ['show lldp interfaces ethernet remote | json-print'],
    optics: { all: ['show interfaces ethernet transceiver diagnostics'] },
  },
  // MLAG's commands are hidden while `protocol mlag` is off (Onyx user manual, MLAG commands).
  spanningLags: [spanning],
  chassis: () => ['show mlag', spanning],
  nameOf: (port) => /^eth(\d[\d/]*)$/.exec(port)?.[1]?.replace(/^/, 'ethernet '),
  restore: inInterface('no shutdown', 'configure terminal', ['exit', 'exit']),
};
