import { commonErrors, commonPager, named, type Platform } from '../platform.ts';

/** Arista EOS: JSON. */
export const aristaEosAsk: Platform = {
  id: 'arista_eos',
  title: 'Arista EOS',
  via: 'cli',
  dialect: {
    prompt: '[A-Za-z0-9][A-Za-z0-9._-]*(?:\\([a-zA-Z0-9/:._-]+\\))*[>#]\\s*$',
    pagerOff: ['terminal length 0'],
    pager: commonPager,
    errors: commonErrors,
  },
  machineReadable: true,
  ask: {
    counters: ['show interfaces | json'],
    lags: ['show port-channel summary'],
    neighbors: ['show lldp neighbors detail | json'],
    optics: { all: ['show interfaces transceiver detail'] },
  },
  nameOf: named({ eth: 'Ethernet' }),
  change: (name) => ({
    shut: ['enable', 'configure', `interface ${name}`, 'shutdown', 'end'],
    restore: ['enable', 'configure', `interface ${name}`, 'no shutdown', 'end'],
  }),
};
