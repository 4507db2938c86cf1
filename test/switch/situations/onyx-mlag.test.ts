import { describe, expect, it } from 'vitest';
import { requireBothChassis } from '../../../probes/switch/act/chassis.ts';
import { targetOf } from '../../../probes/switch/act/parts.ts';
import { switchProbes } from '../../../probes/switch/ask/probes.ts';
import type { Answer } from '../../../src/model/answer.ts';
import { answerOf } from '../../helpers/answer.ts';
import { judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';

const site = siteOf([{ name: 'ox1', roles: ['switch'], platform: 'mellanox_onyx', undoHost: 'ox1' }]);
const spanning = 'show interfaces mlag-port-channel summary | json-print';
const own = 'show interfaces port-channel summary | json-print';

/** The layout of the user manual's example. */
const domain = (peer: string, oper = 'Up'): string => `Admin status: Enabled
Operational status: ${oper}
Reload-delay: 1 sec
System-mac: 00:00:5e:00:01:5d

MLAG IPLs Summary:
ID   Group         Vlan       Operational    Local        Peer        Up Time     Toggle Counter
     Port-Channel  Interface  State          IP address   IP address
----------------------------------------------------------------------------------------------
1    Po1           1          Up             1.1.1.1      1.1.1.2     0 days      5
Peers state Summary:
System-id          State   Hostname
-----------------------------------
F4:52:14:2D:9B:88  Up      <ox1>
F4:52:14:2D:9B:08  ${peer}      ox2
`;
const ipl = JSON.stringify({ '1 Po1(U)': [{ Type: 'LACP', 'Member Ports': 'Eth1/31(P) Eth1/32(P)' }] });
const mlags = (local: string, peer: string): string =>
  JSON.stringify([
    { 'MLAG Port-Channel Flags': 'D-Down, U-Up, P-Partial UP, S-suspended by MLAG' },
    { '1 Mpo12(U)': [{ Type: 'LACP', 'Local Ports (D/P/S/I)': local, 'Peer Ports (D/P/S/I)': peer }] },
  ]);
const hidden = '% Unrecognized command "mlag-port-channel".\nType "show interfaces ?" for help.\n';
const refused = (line: string, text: string): Partial<Answer> => ({
  exitCode: 1,
  stderr: `${line}: ${text.split('\n')[0]}\n`,
});

const world = () => {
  const host = site.host('ox1');
  if (!host) throw new Error('no host');
  const readings = new Sources();
  const ports = ['eth1/9', 'eth1/10', 'eth1/31', 'eth1/32'].map((port) => ({
    port,
    name: port,
    state: 'up',
    counts: {},
  }));
  readings.good('switch.counters', 'ox1', { ports });
  const context = { site, readings, now: start };
  const probeOf = (id: string) => {
    const probe = switchProbes.find((one) => one.id === id);
    if (!probe) throw new Error(`no ${id}`);
    return probe;
  };
  return {
    readings,
    lines: () => {
      const ask = probeOf('switch.lags').ask(host, context);
      return 'lines' in ask ? ask.lines : [];
    },
    put: (id: string, sections: readonly (readonly [string, string])[], more: Partial<Answer> = {}) => {
      const stdout = sections.map(([line, text]) => `--- ${line}\n${text}\n`).join('');
      const { value, notUnderstood = 0 } = probeOf(id).read(answerOf(stdout, more), host, context);
      readings.good(id, 'ox1', value);
      return { value, notUnderstood };
    },
    guard: (port: string) => {
      const judgement = judgementOf({ readings, site });
      const target = targetOf({ kind: 'port', id: `ox1:${port}` }, { judgement, operator: 'ops' });
      if ('guard' in target) throw new Error('no target');
      return requireBothChassis(target, judgement).check(judgement);
    },
  };
};

describe('LAGs over two Onyx', () => {
  it('are read with their local members, and counted at both', () => {
    const ox = world();
    expect(ox.lines()).toEqual([own, spanning]);
    const { value, notUnderstood } = ox.put('switch.lags', [
      [own, ipl],
      [spanning, mlags('Eth1/9(P) Eth1/10(P)', 'Eth1/9(P) Eth1/10(D)')],
    ]);
    expect(notUnderstood).toBe(0);
    expect(value).toMatchObject({
      lags: [{ lag: 'po1' }, { lag: 'mpo12' }],
      members: [
        { member: 'eth1/31' },
        { member: 'eth1/32' },
        { lag: 'mpo12', member: 'eth1/9', active: true },
        { lag: 'mpo12', member: 'eth1/10', active: true },
      ],
    });
    const { value: chassis } = ox.put('switch.chassis', [
      ['show mlag', domain('Up')],
      [spanning, mlags('Eth1/9(P) Eth1/10(P)', 'Eth1/9(P) Eth1/10(D)')],
    ]);
    expect(chassis).toEqual({
      spans: 'listed',
      lags: [{ lag: 'mpo12', peer: { members: 2, active: 1 } }],
      peerLink: 'po1',
    });
    expect(ox.guard('eth1/9')).toMatchObject({
      ok: true,
      text: expect.stringContaining('2 of 4 members of mpo12'),
    });
    expect(ox.guard('eth1/31')).toMatchObject({ ok: true });
  });

  it.each([
    ['the other chassis is down', domain('Down'), 'peers Down'],
    ['the domain is', domain('Up', 'Down'), 'operational status Down'],
  ])('are refused while %s', (_what, text, why) => {
    const ox = world();
    const table = mlags('Eth1/9(P) Eth1/10(P)', 'Eth1/9(P) Eth1/10(P)');
    ox.put('switch.lags', [
      [own, ipl],
      [spanning, table],
    ]);
    ox.put('switch.chassis', [
      ['show mlag', text],
      [spanning, table],
    ]);
    expect(ox.guard('eth1/9')).toMatchObject({ ok: false, text: expect.stringContaining(why) });
  });

  it('are none where MLAG is off: the line is not asked a second time', () => {
    const ox = world();
    ox.put(
      'switch.chassis',
      [
        ['show mlag', hidden],
        [spanning, hidden],
      ],
      refused('show mlag', hidden),
    );
    expect(ox.lines()).toEqual([own]);
    const { value, notUnderstood } = ox.put(
      'switch.lags',
      [
        [own, ipl],
        [spanning, hidden],
      ],
      refused(spanning, hidden),
    );
    expect(value).toMatchObject({ lags: [{ lag: 'po1' }] });
    expect(notUnderstood).toBe(0);
    expect(ox.guard('eth1/31')).toMatchObject({ ok: true, text: 'po1 ends on ox1 alone' });
  });

  it('that may not be looked at are not none', () => {
    const ox = world();
    const denied = '% Permission denied\n';
    expect(() =>
      ox.put(
        'switch.lags',
        [
          [own, ipl],
          [spanning, denied],
        ],
        refused(spanning, denied),
      ),
    ).toThrow('Permission denied');
    expect(() =>
      ox.put(
        'switch.chassis',
        [
          ['show mlag', denied],
          [spanning, denied],
        ],
        refused('show mlag', denied),
      ),
    ).toThrow();
    const unknown = mlags('Eth1/9(P)', '').replace(',"Peer Ports (D/P/S/I)":""', '');
    expect(() =>
      ox.put('switch.chassis', [
        ['show mlag', domain('Up')],
        [spanning, unknown],
      ]),
    ).toThrow('not what was asked for');
  });
});
