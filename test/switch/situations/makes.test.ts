import { describe, expect, it } from 'vitest';
import { parseClearedAgo } from '../../../probes/switch/read/link-changes.ts';
import { readCounters } from '../../../probes/switch/read/read-answers.ts';
import { readLags } from '../../../probes/switch/read/read-lags.ts';
import { answerOf } from '../../helpers/answer.ts';
import { siteOf } from '../../helpers/judging.ts';

const host = (platform: string) => {
  const site = siteOf([{ name: 'sw', roles: ['switch'], platform }]);
  const found = site.host('sw');
  if (!found) throw new Error('no host');
  return { found, site };
};

describe('what makes print beside their usual captures', () => {
  it('Onyx: ports of the other chassis of an MLAG are no members here', () => {
    const { found, site } = host('mellanox_onyx');
    const text = `MLAG Port-Channel Summary:
------------------------------------------------------------------------------
Group Port-Channel   Type       Local Ports            Peer Ports
                                (D/P/S/I)              (D/P/S/I)
------------------------------------------------------------------------------
1     Mpo11(U)       LACP       Eth1/11(P)             Eth1/11(P)
2     Mpo12(P)       LACP       Eth1/12(P) Eth1/14(D)  Eth1/12(D)
`;
    const { members } = readLags(answerOf(text), found, site).value;
    expect(members.map(({ lag, member, active }) => [lag, member, active])).toEqual([
      ['mpo11', 'eth1/11', true],
      ['mpo12', 'eth1/12', true],
      ['mpo12', 'eth1/14', false],
    ]);
  });

  it('FastIron: settings, changes and reasons of ports whose name begins with their speed', () => {
    const { found, site } = host('brocade_fastiron');
    const port = (words: string, since: string): string => `${words}
  Port ${since}
  Configured speed 10Gbit, actual 10Gbit, configured duplex fdx, actual fdx
  MTU 10200 bytes, encapsulation ethernet
  1000 packets input, 64000 bytes, 0 no buffer
  0 input errors, 0 CRC, 0 frame, 0 ignored
  2000 packets output, 128000 bytes, 0 underruns
`;
    const text =
      port('10GigabitEthernet1/2/3 is ERR-DISABLED (loop), line protocol is down', 'down for 1 day(s)') +
      port('10GigabitEthernet1/2/4 is up, line protocol is up', 'up for 2 day(s) 3 hour(s)');
    const [down, up] = readCounters(answerOf(text), found, site).value.ports;
    expect(down).toMatchObject({ state: 'down', takenDown: 'ERR-DISABLED (loop)', changedAgoS: 86_400 });
    expect(up).toMatchObject({ state: 'up', mtu: 10_200, duplex: 'full', changedAgoS: 183_600 });
    expect(up?.takenDown).toBeUndefined();
  });

  it.each([
    ['2026-01-02 03:04:05 UTC (00:00:12 ago)', 12],
    ['2026-01-02 03:04:05 UTC (3w2d ago)', 1_987_200],
    ['Never', undefined],
    ['never', undefined],
  ])('counters last cleared: %s', (text, seconds) => {
    expect(parseClearedAgo(text)).toBe(seconds);
  });
});
