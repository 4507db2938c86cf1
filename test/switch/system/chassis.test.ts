import { describe, expect, it } from 'vitest';
import { readChassis } from '../../../probes/switch/chassis.ts';
import { shutAction } from '../../../probes/switch/action-shut.ts';
import type { Answer } from '../../../src/model/answer.ts';
import { siteOf } from '../../slurm/world.ts';
import { SwitchWorld } from './world.ts';

const read = (platform: string, stdout: string, over: { exitCode?: number; stderr?: string } = {}) => {
  const site = siteOf([{ name: 'sw1', roles: ['switch'], platform }]);
  const host = site.host('sw1');
  if (!host) throw new Error('no host');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only these fields are looked at
  return readChassis({ stderr: '', exitCode: 0, ...over, stdout } as Answer, host, site).value;
};

const vpc = `Legend:
                (*) - local vPC is down, forwarding via vPC peer-link

vPC domain id                     : 100
Peer status                       : peer adjacency formed ok
Number of vPCs configured         : 2

vPC Peer-link status
---------------------------------------------------------------------
id    Port   Status Active vlans
--    ----   ------ -------------------------------------------------
1     Po7    up     1,100-102

vPC status
----------------------------------------------------------------------------
Id    Port          Status Consistency Reason                Active vlans
--    ------------  ------ ----------- ------                ---------------
10    Po10          up     success     success               100
11    Po11          down*  success     success               -
`;

const none = { spans: 'no', lags: [] };

describe('LAGs over two chassis, as each platform tells of them', () => {
  it.each([
    ['arista_eos', '--- show mlag | json\n{"state": "disabled"}\n--- show mlag interfaces | json\n{}\n', {}],
    [
      'cisco_nxos',
      '--- show feature | include vpc\nvpc     1          disabled\n--- show vpc brief\n% Invalid command at marker.\n',
      { exitCode: 1 },
    ],
    [
      'cisco_nxos',
      '--- show feature | include vpc\nvpc     1          enabled\n--- show vpc brief\nvPC domain id                     : Not configured\n',
      {},
    ],
    ['dell_ftos', '--- show vlt detail\n% Error: Invalid input at "^" marker.\n', { exitCode: 1 }],
    ['dell_os10', '--- show running-configuration vlt\n', {}],
    ['juniper_junos', '--- show interfaces mc-ae | no-more\n', {}],
    ['cumulus', '', { exitCode: 127, stderr: 'sudo: clagctl: command not found' }],
    ['sonic', '\n', {}],
  ])('%s without any', (platform, stdout, over) => {
    expect(read(platform, stdout, over)).toEqual(none);
  });

  it('EOS', () => {
    const domain = '{"state": "active", "negStatus": "connected", "peerLink": "Port-Channel10"}';
    const interfaces =
      '{"interfaces": {"1": {"localInterface": "Port-Channel1", "peerInterface": "Port-Channel3", "status": "active-full"}}}';
    expect(
      read('arista_eos', `--- show mlag | json\n${domain}\n--- show mlag interfaces | json\n${interfaces}\n`),
    ).toEqual({ spans: 'listed', lags: [{ lag: 'po1', peerLag: 'po3' }], peerLink: 'po10' });
  });

  it('NX-OS', () => {
    expect(
      read(
        'cisco_nxos',
        `--- show feature | include vpc\nvpc     1          enabled\n--- show vpc brief\n${vpc}`,
      ),
    ).toEqual({ spans: 'listed', lags: [{ lag: 'po10' }, { lag: 'po11' }], peerLink: 'po7' });
  });

  it('FTOS', () => {
    const table = `Local LAG Id  Peer LAG Id  Local Status  Peer Status  Active VLANs
------------  -----------  ------------  -----------  -------------
10            12           UP            UP           1, 20
100           100          DOWN          UP           30
`;
    expect(read('dell_ftos', table)).toEqual({
      spans: 'listed',
      lags: [
        { lag: 'po10', peerLag: 'po12' },
        { lag: 'po100', peerLag: 'po100' },
      ],
    });
  });

  it('OS10 names its domain first, then counts both units', () => {
    const running = '--- show running-configuration vlt\n!\nvlt-domain 3\n backup destination 10.0.0.2\n';
    expect(read('dell_os10', running)).toEqual({ spans: 'unknown', lags: [], domain: '3' });
    const detail = `--- show vlt 3 vlt-port-detail
vlt-port-channel ID : 53
VLT Unit ID    Port-Channel      Status    Configured ports    Active ports
-------------------------------------------------------------------------------
* 1            port-channel53     up        2                   2
  2            port-channel54     up        2                   1
`;
    expect(read('dell_os10', running + detail)).toEqual({
      spans: 'listed',
      lags: [{ lag: 'po53', peerLag: 'po54', peer: { members: 2, active: 1 } }],
      domain: '3',
    });
  });

  it('Junos, Cumulus, SONiC', () => {
    expect(
      read('juniper_junos', ' Member Link                  : ae1\n Local Status                 : active\n'),
    ).toEqual({
      spans: 'listed',
      lags: [{ lag: 'ae1' }],
    });
    expect(
      read('cumulus', '{"status": {"peerAlive": true}, "clagIntfs": {"bond1": {"clagId": 1}}}'),
    ).toMatchObject({
      spans: 'listed',
      lags: [{ lag: 'bond1' }],
    });
    expect(read('sonic', 'MCLAG_DOMAIN|1\nMCLAG_INTERFACE|1|PortChannel10\n').lags).toEqual([
      { lag: 'po10', peerLag: 'po10' },
    ]);
  });

  it.each([
    ['arista_eos', '--- show mlag | json\n', { exitCode: 1, stderr: '% Authorization denied' }],
    [
      'cisco_nxos',
      '--- show feature | include vpc\n% Permission denied\n',
      { exitCode: 1, stderr: '% Permission denied' },
    ],
    ['dell_ftos', 'VLT Domain Brief\n', {}],
    ['juniper_junos', 'error: permission denied\n', { exitCode: 1, stderr: 'error: permission denied' }],
    ['cumulus', '', { exitCode: 1, stderr: 'sudo: a password is required' }],
    ['sonic', '', { exitCode: 1, stderr: 'could not connect to redis' }],
  ])('%s that does not tell is not taken for a no', (platform, stdout, over) => {
    expect(() => read(platform, stdout, over)).toThrow('second chassis of sw1');
  });
});

describe('a LAG over two chassis', () => {
  const id = 'edge1:eth49';
  const ready = async (): Promise<SwitchWorld> => {
    const world = new SwitchWorld('quiet');
    for (let round = 0; round < 3; round++) await world.poll(10, ['switch.candidate']);
    return world;
  };
  const chassisSays = (world: SwitchWorld, value: object): string => {
    world.readings.good('switch.chassis', 'edge1', value, world.now);
    const live = world.judgement();
    const plan = shutAction.plan([{ kind: 'port', id }], {}, { judgement: live, operator: 'alice' });
    if ('refused' in plan) throw new Error(plan.reason);
    const guard = plan.targets[0]?.guards.find((one) => one.id === '6 both chassis');
    const result = guard?.check(live);
    return `${result?.ok ? 'ok' : 'no'}: ${result?.text}`;
  };

  it('is counted at both, as the device itself counts', async () => {
    const world = await ready();
    const spans = (active: number) => ({
      spans: 'listed',
      lags: [{ lag: 'po1', peer: { members: 2, active } }],
    });
    expect(chassisSays(world, spans(1))).toBe(
      'ok: 2 of 4 members of po1 stay up with the second chassis (limit 2)',
    );
    expect(chassisSays(world, spans(0))).toBe(
      'no: 1 of 4 members of po1 stay up with the second chassis (limit 2)',
    );
  });

  it('is refused when nobody has counted the other chassis, or nobody knows whether there is one', async () => {
    const world = await ready();
    const spans = { spans: 'listed', lags: [{ lag: 'po1' }] };
    expect(chassisSays(world, spans)).toBe('no: po1 spans a second chassis whose members nobody has counted');
    expect(chassisSays(world, { spans: 'unknown', lags: [] })).toMatch(/^no: .*not known yet/);
    world.readings.fail('switch.chassis', 'edge1', { kind: 'command', message: 'edge1: refused' }, world.now);
    const live = world.judgement();
    const offer = shutAction.offer([{ kind: 'port', id }], { judgement: live, operator: 'alice' });
    expect(offer).toEqual({
      available: false,
      reason: 'whether po1 spans a second chassis is not known: edge1: refused',
    });
  });

  it('the far side counts both: what it has more than we is at the other chassis', async () => {
    const world = await ready();
    const lags = {
      lags: [{ lag: 'po1', protocol: 'lacp' }],
      members: ['te1/1', 'te2/1', 'te3/3', 'te4/3'].map((member, index) => ({
        lag: 'po1',
        member,
        active: index < 3,
      })),
    };
    world.readings.good('switch.lags', 'core3', lags, world.now);
    expect(chassisSays(world, { spans: 'listed', lags: [{ lag: 'po1' }] })).toBe(
      'ok: 2 of 4 members of po1 stay up with the second chassis, as core3 counts (limit 2)',
    );
  });
});
