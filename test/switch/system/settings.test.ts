import { expect, test } from 'vitest';
import { switches } from '../../../probes/switch/index.ts';
import { parseSite } from '../../../src/site/parse.ts';

const knowledge = { systems: [switches], roles: [] };
const read = (section: string) => () =>
  parseSite(
    `site: x\nhosts:\n  - {names: a, roles: [switch], platform: dell_ftos}\nswitch: ${section}\n`,
    'x',
    knowledge,
  );

test.each([
  ['{lag: {keep: 150%}}', 'switch.lag.keep must be a share of at most 100%, like 50%'],
  ['{hold: 5}', 'switch.hold is 5; it must be at least 60'],
  ['{matrix: {count: 900}}', 'switch.matrix.count is 900; it must be at most 200'],
  [
    '{matrix: {servers: [{name: a, address: 10.0.0.300}]}}',
    'servers[0].address is no IP address: four numbers of at most 255 each',
  ],
  [
    '{matrix: {servers: [{name: a, address: -f}]}}',
    'servers[0].address must be a host name or an IP address',
  ],
  [
    '{matrix: {servers: [{name: a, address: 10.0.0.1}, {name: a, address: 10.0.0.2}]}}',
    'servers[1].name is "a" a second time; each address needs a name of its own',
  ],
  [
    '{matrix: {servers: [{name: nfs, address: 10.0.0.1, host: nfs1}]}}',
    'x:4:66: there is no host "nfs1"; name a host of this site',
  ],
])('%s', (section, wanted) => {
  expect(read(section)).toThrow(wanted);
});

test('a host that has an address of the matrix is one of the site, in either case', () => {
  expect(read('{matrix: {servers: [{name: nfs, address: 10.0.0.1, host: A}]}}')).not.toThrow();
});
