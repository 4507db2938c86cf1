import { describe, expect, it } from 'vitest';
import { joinLinks } from '../../../probes/switch/links/join.ts';
import { linkSeries, linksKnown, upSeries } from '../../../probes/switch/links/links.ts';
import { readNeighbors } from '../../../probes/switch/read/read-answers.ts';
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

describe('where a cable led that LLDP does not tell now', () => {
  const id = 'core3:te3/46';
  const far = 'nfs-sw1:te1/12';
  const idsOf = (world: SwitchWorld): string[] => linksKnown(world.judgement()).map((link) => link.id);
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
