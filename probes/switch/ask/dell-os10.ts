import { commonErrors, commonPager, type Platform } from '../platform.ts';

/** Dell OS10: XML, several documents in one answer. */
export const dellOs10Ask: Platform = {
  id: 'dell_os10',
  title: 'Dell OS10',
  via: 'cli',
  dialect: {
    prompt: '[A-Za-z0-9][A-Za-z0-9._-]*(?:\\([a-z0-9/:.-]+\\))?[>#]\\s*$',
    pagerOff: ['terminal length 0'],
    pager: commonPager,
    errors: commonErrors,
  },
  machineReadable: true,
  ask: {
    counters: ['show interface | display-xml'],
    lags: ['show port-channel summary'],
    neighbors: ['show lldp neighbors | display-xml'],
  },
  minLinks: ['show interface port-channel'],
  chassis: (domain) => [
    'show running-configuration vlt',
    ...(domain === undefined ? [] : [`show vlt ${domain} vlt-port-detail`]),
  ],
  nameOf: (port) => /^eth(\d[\d/:]*)$/.exec(port)?.[1]?.replace(/^/, 'ethernet '),
  change: (name) => ({
    shut: ['configure terminal', `interface ${name}`, 'shutdown', 'end'],
    restore: ['configure terminal', `interface ${name}`, 'no shutdown', 'end'],
    look: {
      lines: [`show interface ${name}`, `show running-configuration interface ${name}`],
      on: `^${name} is up|^ +no shutdown *$`,
      prompt: '\\(conf-if-[^)]*\\) ?# ?',
    },
  }),
};
