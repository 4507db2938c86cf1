import { commonErrors, commonPager, type Platform } from '../platform.ts';

/** Mellanox MLNX-OS and Onyx: JSON, every number a string. Switches cut-through by default. */
export const mellanoxOnyxAsk: Platform = {
  id: 'mellanox_onyx',
  title: 'Onyx',
  via: 'cli',
  dialect: {
    prompt: '[A-Za-z0-9._-]+ \\[[^\\]]*\\] (?:\\([^)]*\\) )?[>#]\\s*$',
    pagerOff: ['enable', 'no cli session paging enable'],
    pager: commonPager,
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
  nameOf: (port) => /^eth(\d[\d/]*)$/.exec(port)?.[1]?.replace(/^/, 'ethernet '),
  change: (name) => ({
    shut: ['configure terminal', `interface ${name}`, 'shutdown', 'exit', 'exit'],
    restore: ['configure terminal', `interface ${name}`, 'no shutdown', 'exit', 'exit'],
    look: {
      lines: [`show interfaces ${name}`],
      on: '^ *Admin state *: *Enabled',
      prompt: '\\(config interface ethernet [^)]*\\) ?# ?',
    },
  }),
};
