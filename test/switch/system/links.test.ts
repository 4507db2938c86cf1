import { describe, expect, it } from 'vitest';
import { joinLinks } from '../../../probes/switch/links/join.ts';
import { linkSeries, knownLinks, upSeries } from '../../../probes/switch/links/links.ts';
import { readNeighbors } from '../../../probes/switch/read/read-neighbors.ts';
import { tracks } from '../../../probes/switch/judge/track.ts';
import type { Neighbor } from '../../../probes/switch/readings.ts';
import type { LinkEnds } from '../../../src/model/site.ts';
import { viewOf } from '../../../src/site/view.ts';
import { answerOf } from '../../helpers/answer.ts';
import { historyOf, siteOf } from '../../helpers/judging.ts';
import { SwitchWorld } from './world.ts';

const site = (links: readonly LinkEnds[] = []) => {
  const plain = siteOf([
    { name: 'core3', roles: ['switch'], platform: 'dell_ftos' },
    { name: 'leaf1', roles: ['switch'], platform: 'sonic' },
    { name: 'nfs1', roles: ['nic'] },
  ]);
  return viewOf({ ...plain, links });
};
const ports = new Map([
  ['core3', new Set(['te3/46', 'te3/47'])],
  ['leaf1', new Set(['eth0', 'eth4'])],
  ['nfs1', new Set(['eth0'])],
]);
const told = (host: string, port: string, row: Omit<Neighbor, 'port'>) => ({
  host,
  port,
  row: { port, ...row },
});
const join = (rows: ReturnType<typeof told>[], links: readonly LinkEnds[] = []) =>
  joinLinks(rows, ports, site(links)).map(({ id, by }) => `${id} (${by})`);

describe('links from LLDP', () => {
  it('both ends, with FQDN and long port names', () => {
    const rows = [
      told('core3', 'te3/46', { neighbor: 'LEAF1.example.org', portText: 'Ethernet0' }),
      told('leaf1', 'eth0', { neighbor: 'core3', portText: 'TenGigabitEthernet 3/46' }),
    ];
    expect(join(rows)).toEqual(['core3:te3/46=leaf1:eth0 (both ends)']);
  });

  it('a MAC as port id: the description names the port', () => {
    const rows = [
      told('core3', 'te3/46', { neighbor: 'nfs1', portText: '0c:42:a1:00:11:22', portDescription: 'eth0' }),
    ];
    expect(join(rows)).toEqual(['core3:te3/46=nfs1:eth0 (one end)']);
  });

  it('an alias that no port has: the row of the neighbour that names us', () => {
    const rows = [
      told('core3', 'te3/46', { neighbor: 'leaf1', portText: 'fortyGigE1/1/1', portId: 'etp1' }),
      told('leaf1', 'eth4', { neighbor: 'core3', portText: 'Te 3/46' }),
      told('leaf1', 'eth0', { neighbor: 'core3', portText: 'Te 3/47' }),
    ];
    expect(join(rows)).toContain('core3:te3/46=leaf1:eth4 (both ends)');
  });

  it('two rows that could be meant: none is guessed', () => {
    const rows = [
      told('core3', 'te3/46', { neighbor: 'leaf1', portText: '00:11:22:33:44:55' }),
      told('leaf1', 'eth4', { neighbor: 'core3', portText: '00:11:22:33:44:66' }),
      told('leaf1', 'eth0', { neighbor: 'core3', portText: '00:11:22:33:44:77' }),
    ];
    expect(join(rows)[0]).toBe('core3:te3/46=leaf1 00:11:22:33:44:55 (one end)');
  });

  it('a chassis that another row names', () => {
    const rows = [
      told('core3', 'te3/46', { chassisId: 'AA:BB:CC:00:00:01', portText: 'Ethernet0' }),
      told('core3', 'te3/47', { neighbor: 'leaf1', chassisId: 'aa:bb:cc:00:00:01', portText: 'Ethernet4' }),
    ];
    expect(join(rows)).toContain('core3:te3/46=leaf1:eth0 (one end)');
  });

  it('an unknown neighbour stays what it calls itself', () => {
    expect(join([told('core3', 'te3/46', { neighbor: 'printer9', portText: 'port 1' })])).toEqual([
      'core3:te3/46=printer9 port 1 (one end)',
    ]);
  });

  it('the site file fills what LLDP does not say, and no more', () => {
    const links = [
      { from: 'core3:te3/46', to: 'leaf1:eth0' },
      { from: 'core3:te3/47', to: 'nfs1:eth0' },
    ];
    const rows = [told('core3', 'te3/46', { neighbor: 'leaf1', portText: 'Ethernet4' })];
    expect(join(rows, links)).toEqual([
      'core3:te3/46=leaf1:eth4 (one end)',
      'core3:te3/47=nfs1:eth0 (site file)',
    ]);
  });
});

describe('links whose devices do not agree', () => {
  const hosts = ['leaf7', 'east', 'west'].map((name) => ({ name, roles: ['switch'], platform: 'dell_ftos' }));
  const lab = siteOf(hosts);
  const all = new Set(['te0/1', 'te0/2', 'te0/3', 'te0/4']);
  const known = new Map(hosts.map(({ name }) => [name, all]));
  const idsOf = (rows: ReturnType<typeof told>[]) =>
    joinLinks(rows, known, lab).map(({ id, doubt }) => `${id}${doubt === undefined ? '' : ` (${doubt})`}`);

  it('two switches of one name that is no host: their own tables tell which is which', () => {
    const rows = [
      told('leaf7', 'te0/1', { neighbor: 'Force10', portText: 'Te 0/1', chassisId: '00:00:00:00:00:01' }),
      told('leaf7', 'te0/2', { neighbor: 'Force10', portText: 'Te 0/2', chassisId: '00:00:00:00:00:02' }),
      told('east', 'te0/1', { neighbor: 'leaf7', portText: 'Te 0/1' }),
      told('west', 'te0/2', { neighbor: 'leaf7', portText: 'Te 0/2' }),
    ];
    expect(idsOf(rows)).toEqual(['east:te0/1=leaf7:te0/1', 'leaf7:te0/2=west:te0/2']);
  });

  it('a switch that calls itself by the name of another: the tables decide, and it is said', () => {
    const rows = [
      told('leaf7', 'te0/2', { neighbor: 'east', portText: 'Te 0/2' }),
      told('west', 'te0/2', { neighbor: 'leaf7', portText: 'Te 0/2' }),
    ];
    expect(idsOf(rows)).toEqual(['leaf7:te0/2=west:te0/2 (name)']);
  });

  it('a chassis that is proven to be of another tells more than a name', () => {
    const rows = [
      told('leaf7', 'te0/1', { neighbor: 'east', portText: 'Te 0/1', chassisId: '0000.0000.0001' }),
      told('east', 'te0/1', { neighbor: 'leaf7', portText: 'Te 0/1' }),
      told('leaf7', 'te0/2', { neighbor: 'east', portText: 'Te 0/2', chassisId: '0000.0000.0002' }),
    ];
    expect(idsOf(rows)).toEqual([
      'east:te0/1=leaf7:te0/1',
      'a device that calls itself east, Te 0/2=leaf7:te0/2 (name)',
    ]);
  });

  it('NX-OS announces another chassis on each port: two of them are no two devices', () => {
    const nexus = siteOf([
      { name: 'leaf7', roles: ['switch'], platform: 'dell_ftos' },
      { name: 'nx1', roles: ['switch'], platform: 'cisco_nxos' },
      { name: 'east', roles: ['switch'], platform: 'dell_ftos' },
    ]);
    const idsIn = (chassisId: string) =>
      joinLinks(
        [
          told('leaf7', 'te0/1', {
            neighbor: 'nx1',
            portText: 'Ethernet1/1',
            chassisId: '00:00:00:00:00:01',
          }),
          told('nx1', 'eth1/1', { neighbor: 'leaf7', portText: 'Te 0/1', chassisId: '00:00:00:00:00:07' }),
          told('leaf7', 'te0/2', { neighbor: 'nx1', portText: 'Ethernet1/2', chassisId }),
          told('leaf7', 'te0/3', { neighbor: 'east', portText: 'Te 0/3', chassisId: '00:00:00:00:00:03' }),
          told('east', 'te0/3', { neighbor: 'leaf7', portText: 'Te 0/3', chassisId: '00:00:00:00:00:07' }),
        ],
        known,
        nexus,
      ).find(({ id }) => id.includes('leaf7:te0/2'));
    expect(idsIn('00:00:00:00:00:02')).toMatchObject({ id: 'leaf7:te0/2=nx1:eth1/2', by: 'one end' });
    expect(idsIn('00:00:00:00:00:02')?.doubt).toBeUndefined();
    // A chassis that is proven to be of another device still goes before the name.
    expect(idsIn('00:00:00:00:00:03')?.id).toBe('east Ethernet1/2=leaf7:te0/2');
  });

  it('a description of the far end is no name of a port of its own', () => {
    const described = told('east', 'te0/1', {
      neighbor: 'leaf7',
      portText: '00:11:22:33:44:55',
      portDescription: 'to core te0/3',
    });
    const host = told('leaf7', 'te0/3', { neighbor: 'west', portText: 'Te 0/4' });
    expect(idsOf([described, host])).toContain('leaf7:te0/3=west:te0/4');
    // A foreign device at that port is not taken for the one that describes it.
    const foreign = told('leaf7', 'te0/3', { neighbor: 'printer', portText: 'port 1' });
    expect(idsOf([described, foreign])).toContain('leaf7:te0/3=printer port 1');
  });

  it('a description that the other table confirms joins both', () => {
    const rows = [
      told('leaf7', 'te0/1', {
        neighbor: 'east',
        portText: '00:11:22:33:44:55',
        portDescription: 'Te 0/3',
      }),
      told('east', 'te0/3', { neighbor: 'leaf7', portText: 'Te 0/1' }),
    ];
    expect(idsOf(rows)).toEqual(['east:te0/3=leaf7:te0/1']);
  });

  it('a table that denies the port: no end is named', () => {
    const rows = [
      told('leaf7', 'te0/1', { neighbor: 'east', portText: 'Te 0/3' }),
      told('east', 'te0/3', { neighbor: 'leaf7', portText: 'Te 0/2' }),
    ];
    expect(idsOf(rows)).toEqual(['east Te 0/3=leaf7:te0/1 (port)', 'east:te0/3=leaf7 Te 0/2 (port)']);
  });

  it('a description names no port where the table of its device was read', () => {
    const rows = [
      told('leaf7', 'te0/1', {
        neighbor: 'east',
        portText: '00:11:22:33:44:55',
        portDescription: 'Te 0/3',
      }),
      told('east', 'te0/4', { neighbor: 'leaf7', portText: 'Te 0/2' }),
    ];
    expect(idsOf(rows)[0]).toBe('east 00:11:22:33:44:55=leaf7:te0/1');
  });

  it('a description names the port of a host whose table tells of another port alone', () => {
    const cards = siteOf([
      { name: 'leaf7', roles: ['switch'], platform: 'dell_ftos' },
      { name: 'n1', roles: ['nic'] },
    ]);
    const cabled = (...more: ReturnType<typeof told>[]) => {
      const described = { neighbor: 'n1', portText: '0c:42:a1:00:11:22', portDescription: 'ens1f0' };
      const rows = [told('leaf7', 'te0/1', described), ...more];
      return joinLinks(rows, new Map([['n1', new Set(['eno1', 'ens1f0'])]]), cards)[0]?.id;
    };
    const eno1 = told('n1', 'eno1', { neighbor: 'leaf7', portText: 'Te 0/4' });
    expect(cabled(eno1)).toBe('leaf7:te0/1=n1:ens1f0');
    // Not where its own table says that this port leads elsewhere.
    expect(cabled(eno1, told('n1', 'ens1f0', { neighbor: 'leaf7', portText: 'Te 0/3' }))).not.toContain(
      'n1:ens1f0',
    );
  });

  it.each([
    ['a stale row of a third device', [told('west', 'te0/9', { neighbor: 'printer', portText: '1' })]],
    [
      'a host with an address for each card',
      [told('leaf7', 'te0/2', { neighbor: 'printer', portText: '2' })],
    ],
  ])('no doubt beside %s', (_what, more) => {
    const rows = [
      told('leaf7', 'te0/1', { neighbor: 'east', portText: 'Te 0/1' }),
      told('east', 'te0/1', { neighbor: 'leaf7', portText: 'Te 0/1' }),
      ...more,
    ];
    expect(idsOf(rows)[0]).toBe('east:te0/1=leaf7:te0/1');
  });
});

describe('ports by other words', () => {
  const lab = siteOf([
    { name: 'leaf7', roles: ['switch'], platform: 'arista_eos' },
    { name: 'mx1', roles: ['switch'], platform: 'juniper_junos' },
    { name: 'sonic1', roles: ['switch'], platform: 'sonic' },
  ]);
  const known = new Map([
    ['leaf7', new Set(['eth1', 'eth2'])],
    ['mx1', new Set(['xe-0/0/1', 'xe-0/0/2'])],
    ['sonic1', new Set(['eth0', 'eth4'])],
  ]);

  it('the index of SNMP that Junos announces', () => {
    const rows = [told('leaf7', 'eth1', { neighbor: 'mx1', portText: '526', portDescription: 'xe-0/0/2' })];
    const indexes = new Map([['mx1', new Map([['526', 'xe-0/0/1']])]]);
    expect(joinLinks(rows, known, lab, { indexes }).map(({ id }) => id)).toEqual(['leaf7:eth1=mx1:xe-0/0/1']);
  });

  it.each([
    ['dell_os10', 'mgmt1/1/1', 'eth1/1/1', 'ethernet1/1/1'],
    ['huawei_vrp', 'MEth0/0/1', 'gi0/0/1', 'GigabitEthernet0/0/1'],
    ['dell_ftos', 'ManagementEthernet 0/0', 'te0/0', 'TenGigabitEthernet 0/0'],
  ])('the management port of %s is not the front port at its place', (platform, management, port, front) => {
    const far = siteOf([
      { name: 'leaf7', roles: ['switch'], platform: 'arista_eos' },
      { name: 'far1', roles: ['switch'], platform },
    ]);
    const ports = new Map([['far1', new Set([port])]]);
    const idOf = (portText: string) =>
      joinLinks([told('leaf7', 'eth1', { neighbor: 'far1', portText })], ports, far)[0]?.id;
    expect(idOf(management)).not.toContain(`far1:${port}`);
    expect(idOf(front)).toBe(`far1:${port}=leaf7:eth1`);
  });

  it('a front port that is called by another kind is found by its place', () => {
    const ports = new Map([['leaf7', new Set(['eth1/1/1'])]]);
    const rows = [told('mx1', 'xe-0/0/1', { neighbor: 'leaf7', portText: 'hundredGigE1/1/1' })];
    expect(joinLinks(rows, ports, lab)[0]?.id).toBe('leaf7:eth1/1/1=mx1:xe-0/0/1');
  });

  it('the management port of SONiC is no front port, whoever tells of it', () => {
    const rows = [
      told('leaf7', 'eth1', { neighbor: 'sonic1', portText: 'eth0' }),
      told('leaf7', 'eth2', { neighbor: 'sonic1', portText: 'Ethernet0' }),
    ];
    expect(joinLinks(rows, known, lab).map(({ id }) => id)).toEqual([
      'leaf7:eth1=sonic1 eth0',
      'leaf7:eth2=sonic1:eth0',
    ]);
  });
});

describe('where a cable led that LLDP does not tell now', () => {
  const id = 'core3:te3/46';
  const far = 'nfs-sw1:te1/12';
  const idsOf = (world: SwitchWorld): string[] => knownLinks(world.judgement()).map((link) => link.id);
  const silent = async (): Promise<SwitchWorld> => {
    const world = new SwitchWorld('quiet');
    await world.poll();
    for (const host of ['core3', 'nfs-sw1'])
      world.readings.good('switch.neighbors', host, { neighbors: [] }, world.now);
    return world;
  };
  const led = (world: SwitchWorld, back: number) =>
    historyOf({
      [linkSeries(id)]: [{ at: world.now - 3_600_000, value: far }],
      [upSeries(id)]: [
        { at: world.now - 60_000, value: 'down' },
        { at: world.now + back, value: 'up' },
      ],
    });

  it('is remembered for a port that came up after LLDP was read, and only then', async () => {
    const world = await silent();
    world.history = led(world, 5_000);
    expect(idsOf(world)).toContain(`${id}=${far}`);
    world.history = led(world, -5_000);
    expect(idsOf(world)).not.toContain(`${id}=${far}`);
  });

  it('is remembered of a cable that is in place for months, for a week after its port went down', async () => {
    const world = await silent();
    const port = world.simulator.network?.ports.get(id);
    if (!port) throw new Error('no port');
    port.adminUp = false;
    await world.poll();
    world.readings.good('switch.neighbors', 'core3', { neighbors: [] }, world.now);
    world.readings.good('switch.neighbors', 'nfs-sw1', { neighbors: [] }, world.now);
    const day = 86_400_000;
    const down = (days: number) =>
      historyOf({
        [linkSeries(id)]: [{ at: world.now - 90 * day, value: far }],
        [upSeries(id)]: [
          { at: world.now - 90 * day, value: 'up' },
          { at: world.now - days * day, value: 'down' },
        ],
      });
    world.history = down(1);
    expect(idsOf(world)).toContain(`${id}=${far}`);
    world.history = down(8);
    expect(idsOf(world)).not.toContain(`${id}=${far}`);
  });

  it('is kept for devices that are not in the site file as well', async () => {
    const world = new SwitchWorld('quiet');
    await world.poll();
    expect(tracks(world.judgement())).toContainEqual({
      series: linkSeries('leaf1:eth1'),
      value: 'filer1 e0a',
    });
  });
});

describe('the management port of a SONiC switch', () => {
  const site = siteOf([{ name: 'sonic1', roles: ['switch'], platform: 'sonic' }]);
  const host = site.host('sonic1');
  if (!host) throw new Error('no host');
  const neighbour = (name: string) => ({
    chassis: { [name]: { id: { type: 'mac', value: '00:1c:73:00:dc:01' } } },
    port: { id: { type: 'ifname', value: 'Ethernet8' } },
  });

  it('is not the front port of the same name in lower case', () => {
    const text = JSON.stringify({
      lldp: { interface: [{ eth0: neighbour('mgmt-sw3') }, { Ethernet0: neighbour('spine2') }] },
    });
    expect(
      readNeighbors(answerOf(text), host, site).value.neighbors.map(({ port, neighbor }) => [port, neighbor]),
    ).toEqual([['eth0', 'spine2']]);
  });
});
