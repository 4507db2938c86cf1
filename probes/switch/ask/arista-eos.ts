import { commonErrors, commonPager, named, type Platform } from '../platform.ts';

/** `00:02:00`. */
const clock = (seconds: number): string =>
  [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':');

/**
 * Arista EOS: JSON. A session committed with a timer goes back by itself unless `configure session NAME commit` comes in time;
 * `abort` in place of `commit` takes it back at once (EOS manual, Configure Session). Every complaint begins with `% `.
 */
export const aristaEosAsk: Platform = {
  id: 'arista_eos',
  title: 'Arista EOS',
  via: 'cli',
  dialect: {
    prompt: '[A-Za-z0-9][A-Za-z0-9._-]*(?:\\([a-zA-Z0-9/:._-]+\\))*[>#]\\s*$',
    pagerOff: ['terminal length 0'],
    pager: commonPager,
    errors: [...commonErrors, '^% '],
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
    confirmed: {
      unitSeconds: 1,
      shut: (seconds, session) => [
        'enable',
        `configure session ${session}`,
        `interface ${name}`,
        'shutdown',
        `commit timer ${clock(seconds)}`,
      ],
      keep: (session) => ['enable', `configure session ${session} commit`],
      restore: (session) => ['enable', `configure session ${session} abort`],
    },
  }),
  minLinks: ['show running-config section Port-Channel'],
  chassis: () => ['show mlag | json', 'show mlag interfaces | json'],
  commits: ['show configuration sessions detail | json'],
};
