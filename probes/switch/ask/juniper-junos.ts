import { commonPager, verbatim, type Platform } from '../platform.ts';

/**
 * Junos: XML. `configure exclusive` refuses when somebody else has changes open (Junos CLI
 * guide).
 */
export const juniperJunosAsk: Platform = {
  id: 'juniper_junos',
  title: 'Junos',
  via: 'cli',
  dialect: {
    prompt: '(?:\\{[a-z0-9:]+\\}\\s*)?[A-Za-z0-9._-]+@[A-Za-z0-9._-]+[>#]\\s*$',
    pagerOff: ['set cli screen-length 0', 'set cli screen-width 511'],
    pager: commonPager,
    errors: ['^error:', '^syntax error', 'unknown command', 'missing argument', '^\\s*\\^\\s*$'],
  },
  machineReadable: true,
  ask: {
    counters: ['show interfaces extensive | display xml | no-more'],
    lags: ['show lacp interfaces | display xml | no-more'],
    neighbors: ['show lldp neighbors | display xml | no-more'],
    optics: { all: ['show interfaces diagnostics optics | display xml | no-more'] },
  },
  nameOf: verbatim(/^(?:ge|xe|et)-\d+\/\d+\/\d+(?::\d+)?$/),
  change: (name) => ({
    shut: ['configure exclusive', `set interfaces ${name} disable`, 'commit comment faultline and-quit'],
    restore: [
      'configure exclusive',
      `delete interfaces ${name} disable`,
      'commit comment faultline and-quit',
    ],
    look: `show interfaces ${name} terse | no-more`,
  }),
};
