import { commonErrors, commonPager, named, type Platform } from '../platform.ts';

/**
 * Arista EOS: JSON. `configure session` with `commit timer` undoes by itself what is not committed again
 * (EOS user manual, Configure Session).
 */
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
  change: (name, holdSeconds) => {
    const timer = [Math.floor(holdSeconds / 3600), Math.floor(holdSeconds / 60) % 60, holdSeconds % 60]
      .map((part) => String(part).padStart(2, '0'))
      .join(':');
    return {
      shut: [
        'enable',
        'configure session faultline',
        `interface ${name}`,
        'shutdown',
        `commit timer ${timer}`,
      ],
      restore: ['enable', 'configure', `interface ${name}`, 'no shutdown', 'end'],
      confirm: ['enable', 'configure session faultline commit'],
      undo: 'device',
    };
  },
};
