import { commonErrors, commonPager, named, numberOf, type Platform } from '../platform.ts';

/** Dell Force10 FTOS and OS9: screens of text, often without exec channels. */
export const dellFtosAsk: Platform = {
  id: 'dell_ftos',
  title: 'Dell FTOS',
  via: 'cli',
  dialect: {
    prompt: '[A-Za-z0-9][A-Za-z0-9._-]*(?:\\([a-z0-9/:-]+\\))?[>#]\\s*$',
    pagerOff: ['terminal length 0'],
    pager: commonPager,
    errors: commonErrors,
  },
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
  change: (name) => ({
    shut: ['configure', `interface ${name}`, 'shutdown', 'end'],
    restore: ['configure', `interface ${name}`, 'no shutdown', 'end'],
    // Some releases print `is down` of a port that is switched off and of one without light; the configuration tells them apart.
    look: {
      lines: [`show interfaces ${name}`, `show running-config interface ${name}`],
      on: `[^0-9/]${numberOf(name)} is up|^ +no shutdown *$`,
      prompt: '\\(conf-if-[^)]*\\) ?# ?',
    },
  }),
};
