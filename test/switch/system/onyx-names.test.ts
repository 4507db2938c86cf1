import { describe, expect, it } from 'vitest';
import { readCounters } from '../../../probes/switch/read/read-answers.ts';
import { readOptics } from '../../../probes/switch/read/read-optics.ts';
import { answerOf } from '../../helpers/answer.ts';
import { siteOf } from '../../helpers/judging.ts';

const host = { name: 'spine2', roles: ['switch'], platform: 'mellanox_onyx' };
const site = siteOf([host as never]);
const counters = (stdout: string) => readCounters(answerOf(stdout), host as never, site).value.ports;
const optics = (stdout: string) => readOptics(answerOf(stdout), host as never, site, undefined).value.lanes;

describe('names of Onyx', () => {
  const said = { 'Operational state': 'Up', 'Admin state': 'Enabled', Rx: [{ packets: '5' }] };

  it('a member of a LAG names it behind its own name, in a document and on a screen', () => {
    const screen =
      'Eth1/11 (Po21):\n  Admin state : Enabled\n  Operational state : Up\n  Rx:\n    5 packets\nEth1/12:\n  Admin state : Enabled\n  Operational state : Up\n';
    for (const stdout of [JSON.stringify({ 'Eth1/11 (Po21)': [said], 'Eth1/12': [said] }), screen])
      expect(counters(stdout).map(({ port, memberOf }) => [port, memberOf])).toEqual([
        ['eth1/11', 'po21'],
        ['eth1/12', undefined],
      ]);
  });

  it('a module is told by its number alone', () => {
    const lanes = optics(
      'Port 1/11 transceiver diagnostic data:\n  Ch1 Rx Power : 0.6 mW / -2.0 dBm\n  Ch2 Rx Power : 0.001 mW / -30.0 dBm\n',
    );
    expect(lanes.map(({ port, lane, rxDbm }) => [port, lane, rxDbm])).toEqual([
      ['eth1/11', 1, -2],
      ['eth1/11', 2, -30],
    ]);
  });

  it('copper tells nothing, and that is an answer', () => {
    const lanes = optics('Port 1/12 transceiver diagnostic data:\n  Diagnostic data is not supported\n');
    expect(lanes).toEqual([{ port: 'eth1/12' }]);
    expect(() => optics('1/12\n  nothing of that\n')).toThrow('does not print optics so');
  });
});
