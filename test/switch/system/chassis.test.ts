import { describe, expect, it } from 'vitest';
import { readChassis } from '../../../probes/switch/read/read-lags.ts';
import { shutAction } from '../../../probes/switch/act/shut.ts';
import { answerOf } from '../../helpers/answer.ts';
import { siteOf } from '../../helpers/judging.ts';
import { SwitchWorld } from './world.ts';
import { offerOf } from '../../../src/remedy/offer.ts';

const read = (platform: string, stdout: string, over: { exitCode?: number; stderr?: string } = {}) => {
  const site = siteOf([{ name: 'sw1', roles: ['switch'], platform }]);
  const host = site.host('sw1');
  if (!host) throw new Error('no host');
  return readChassis(answerOf(stdout, over), host, site).value;
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
        { lag: 'po10', peerLag: 'po12', doubt: 'show vlt detail does not say' },
        { lag: 'po100', peerLag: 'po100', doubt: 'show vlt detail does not say' },
      ],
    });
    expect(() => read('dell_ftos', table.replace('DOWN', 'DEGRADED'))).toThrow('not what was asked for');
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

  it('Junos', () => {
    const group = (name: string, status: string, state: string): string =>
      ` Member Link                  : ${name}\n Current State Machine's State: mcae active state\n Local Status                 : active\n Local State                  : up\n Peer Status                  : ${status}\n Peer State                   : ${state}\n     Logical Interface        : ${name}.0\n     Local State              : up\n     Peer State               : up\n`;
    expect(read('juniper_junos', group('ae1', 'active', 'up') + group('ae2', 'unknown', 'N/A')).lags).toEqual(
      [{ lag: 'ae1' }, { lag: 'ae2', lost: 'peer status unknown, peer state N/A' }],
    );
    const silent = ' Member Link                  : ae1\n Local Status                 : active\n';
    expect(read('juniper_junos', silent).lags).toEqual([
      { lag: 'ae1', doubt: 'show interfaces mc-ae does not say' },
    ]);
    expect(() => read('juniper_junos', ' Member Link                  : ???\n')).toThrow(
      'not what was asked for',
    );
  });

  it('Cumulus, SONiC', () => {
    expect(
      read('cumulus', '{"status": {"peerAlive": true}, "clagIntfs": {"bond1": {"clagId": 1}}}'),
    ).toMatchObject({
      spans: 'listed',
      lags: [{ lag: 'bond1' }],
    });
    expect(read('sonic', 'MCLAG_DOMAIN|1\nMCLAG_INTERFACE|1|PortChannel10\n').lags).toEqual([
      { lag: 'po10', peerLag: 'po10', doubt: 'its configuration does not say' },
    ]);
  });

  it.each([
    [
      'arista_eos',
      '--- show mlag | json\n{"state": "inactive", "negStatus": "connecting", "peerLinkStatus": "down", "peerLink": "Port-Channel10"}\n--- show mlag interfaces | json\n{"interfaces": {"1": {"localInterface": "Port-Channel1", "status": "inactive"}}}\n',
      'state inactive, negotiation connecting, peer-link down',
    ],
    [
      'cisco_nxos',
      `--- show feature | include vpc\nvpc     1          enabled\n--- show vpc brief\n${vpc.replace('peer adjacency formed ok', 'peer link is down')}`,
      'peer status: peer link is down',
    ],
    [
      'cumulus',
      '{"status": {"peerAlive": false}, "clagIntfs": {"bond1": {"clagId": 1}}}',
      'clagd says that its peer is not alive',
    ],
  ])('%s that does not see the other chassis says so', (platform, stdout, lost) => {
    expect(read(platform, stdout)).toMatchObject({ spans: 'listed', lost });
  });

  it('OS10: a unit that is not listed was not counted', () => {
    const alone = `--- show running-configuration vlt\nvlt-domain 3\n--- show vlt 3 vlt-port-detail
vlt-port-channel ID : 53
VLT Unit ID    Port-Channel      Status    Configured ports    Active ports
-------------------------------------------------------------------------------
* 1            port-channel53     up        2                   2
`;
    expect(read('dell_os10', alone).lags).toEqual([{ lag: 'po53', lost: 'its unit is not listed' }]);
  });

  it.each([
    ['arista_eos', '--- show mlag | json\n', { exitCode: 1, stderr: '% Authorization denied' }],
    [
      'cisco_nxos',
      '--- show feature | include vpc\n% Permission denied\n',
      { exitCode: 1, stderr: '% Permission denied' },
    ],
    [
      'cisco_nxos',
      `--- show feature | include vpc\nvpc     1          enabled\n--- show vpc brief\n${vpc.replace(/Peer status.*\n/, '')}`,
      {},
    ],
    ['cumulus', '{"clagIntfs": {"bond1": {"clagId": 1}}}', {}],
    ['dell_ftos', 'VLT Domain Brief\n', {}],
    [
      'arista_eos',
      '--- show mlag | json\n{"state": "active"}\n--- show mlag interfaces | json\n{"interfaces": {"1": {"status": "active-full"}}}\n',
      {},
    ],
    [
      'cisco_nxos',
      `--- show feature | include vpc\nvpc     1          enabled\n--- show vpc brief\n${vpc.replace('Po11          down*', 'Po11          failed')}`,
      {},
    ],
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
      'no: 1 of 4 members of po1 would stay up with the second chassis (limit 2)',
    );
  });

  it('is refused while its own device does not say that it sees the other one, whoever has counted', async () => {
    const world = await ready();
    const counted = { lag: 'po1', peer: { members: 2, active: 2 } };
    expect(chassisSays(world, { spans: 'listed', lags: [counted] })).toMatch(/^ok: /);
    const unsaid = { spans: 'listed', lags: [{ ...counted, doubt: 'show vlt detail does not say' }] };
    expect(chassisSays(world, unsaid)).toBe(
      'no: po1 spans a second chassis, and whether edge1 sees it is not known: show vlt detail does not say',
    );
    const lost = { spans: 'listed', lags: [{ ...counted, lost: 'peer state down' }] };
    expect(chassisSays(world, lost)).toBe(
      'no: po1 spans a second chassis that edge1 does not see: peer state down',
    );
  });

  it('is refused when nobody has counted the other chassis, or nobody knows whether there is one', async () => {
    const world = await ready();
    const spans = { spans: 'listed', lags: [{ lag: 'po1' }] };
    expect(chassisSays(world, spans)).toBe('no: po1 spans a second chassis whose members nobody has counted');
    expect(chassisSays(world, { spans: 'unknown', lags: [] })).toMatch(/^no: .*not known yet/);
    world.readings.fail('switch.chassis', 'edge1', { kind: 'command', message: 'edge1: refused' }, world.now);
    const live = world.judgement();
    const offer = offerOf(shutAction, [{ kind: 'port', id }], { judgement: live, operator: 'alice' });
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

describe('two EOS switches that are one by MLAG, a filer at both', () => {
  const id = 'leaf1:eth1';
  const peerLink = ['leaf1:ethernet47', 'leaf1:ethernet48'];
  const ready = async (): Promise<SwitchWorld> => {
    const world = new SwitchWorld('quiet');
    for (let round = 0; round < 3; round++) await world.poll();
    return world;
  };
  const shut = async (world: SwitchWorld, ports: readonly string[]): Promise<void> => {
    for (const name of ports) {
      const port = world.simulator.network?.ports.get(name);
      if (!port) throw new Error(`no ${name}`);
      port.adminUp = false;
    }
    // Which LAGs span both is asked every ten minutes, and before an action.
    await world.poll(600);
  };
  const planned = (world: SwitchWorld) => {
    const judgement = world.judgement();
    const plan = shutAction.plan([{ kind: 'port', id }], {}, { judgement, operator: 'alice' });
    const [target] = 'refused' in plan ? [] : plan.targets;
    if (!target) throw new Error('no plan');
    const guard = target.guards.find((one) => one.id === '6 both chassis');
    return { target, guard, result: guard?.check(judgement) };
  };

  it('both are counted, the other one is asked again, and its part of the LAG is locked too', async () => {
    const { target, guard, result } = planned(await ready());
    expect(result).toEqual({ ok: true, text: '3 of 4 members of po10 stay up with leaf2 (limit 2)' });
    expect(guard?.reads).toContainEqual({ probe: 'switch.lags', host: 'leaf2' });
    expect(target.lockGroups).toEqual(['lag leaf1:po10', 'lag leaf2:po10', 'commit leaf1']);
  });

  it('what a colleague shut at the other one counts', async () => {
    const world = await ready();
    await shut(world, ['leaf2:ethernet1']);
    expect(planned(world).result).toMatchObject({ ok: true });
    await shut(world, ['leaf2:ethernet2']);
    expect(planned(world).result).toEqual({
      ok: false,
      text: '1 of 4 members of po10 would stay up with leaf2 (limit 2)',
    });
  });

  it('refused while the link between the two is down, and while the other one cannot be read', async () => {
    const lost = await ready();
    await shut(lost, peerLink);
    expect(planned(lost).result).toEqual({
      ok: false,
      text: 'po10 spans a second chassis that leaf1 does not see: state inactive, negotiation connecting, peer-link down',
    });
    const silent = await ready();
    const failure = { kind: 'connect', message: 'leaf2: no route to host' } as const;
    silent.readings.fail('switch.lags', 'leaf2', failure, silent.now);
    const { guard, result } = planned(silent);
    expect(result).toEqual({
      ok: false,
      text: 'po10 spans leaf2 too, whose members are not known: leaf2: no route to host',
    });
    // Nobody waits for a switch that does not answer.
    expect(guard?.reads.map(({ host }) => host)).not.toContain('leaf2');
  });
});
