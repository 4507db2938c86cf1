import { describe, expect, it } from 'vitest';
import { shutAction } from '../../../probes/switch/act/shut.ts';
import { facts } from '../../../probes/switch/links/links.ts';
import type { Neighbor } from '../../../probes/switch/readings.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { factsOf, judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';

type Row = Omit<Neighbor, 'port'>;

/** A leaf between a core and the host that would undo a shutdown there; what both say of the leaf's port, and what the core says. */
interface Said {
  platform?: string;
  undo?: Row;
  leaf?: Row;
  core?: readonly Neighbor[];
  /** What the leaf calls itself. */
  ownName?: string;
}

const ports = ['eth1/1', 'eth1/9', 'eth1/10', 'eth1/11'];

const worldOf = ({ platform = 'arista_eos', undo, leaf, core = [], ownName }: Said): Judgement => {
  const site = siteOf([
    { name: 'core', roles: ['switch'], platform: 'dell_ftos' },
    { name: 'leaf', roles: ['switch'], platform, undoHost: 'undo1' },
    { name: 'undo1', roles: ['switch-helper', 'nic'] },
  ]);
  const readings = new Sources();
  const listed = (names: readonly string[]) => ({
    ports: names.map((port) => ({ port, name: port, link: 'up', state: 'up', load: 0.1, counts: {} })),
  });
  readings.good('switch.counters', 'leaf', listed(ports), start, 20, 2);
  readings.good('switch.counters', 'core', listed(['te0/1', 'te0/2', 'te0/3']), start, 20, 2);
  const members = ports.map((member) => ({ lag: 'po1', member, state: 'P', active: true }));
  const lags = [{ lag: 'po1', state: 'U', protocol: 'LACP' }];
  readings.good('switch.lags', 'leaf', { lags, members });
  readings.good('switch.minlinks', 'leaf', { lags: [{ lag: 'po1', min: 1 }] });
  readings.good('switch.timers', 'undo1', { timers: [] });
  readings.good('switch.neighbors', 'core', {
    neighbors: [
      { port: 'te0/1', neighbor: 'leaf', portText: 'Ethernet1/1', chassisId: '00:00:00:00:00:01' },
      ...core,
    ],
  });
  readings.good('switch.neighbors', 'leaf', {
    neighbors: [
      {
        port: 'eth1/1',
        neighbor: 'core',
        portText: 'TenGigabitEthernet 0/1',
        chassisId: '00:00:00:00:00:0c',
      },
      ...(leaf ? [{ port: 'eth1/10', ...leaf }] : []),
    ],
    ...(ownName !== undefined && { ownName }),
  });
  if (undo) readings.good('switch.nicneighbors', 'undo1', { neighbors: [{ port: 'eno1', ...undo }] });
  const judgement = judgementOf({ readings, site });
  return { ...judgement, facts: factsOf(facts(judgement)) };
};

const guard = (judgement: Judgement, id: string): string => {
  const plan = shutAction.plan([{ kind: 'port', id: 'leaf:eth1/10' }], {}, { judgement, operator: 'alice' });
  if ('refused' in plan) throw new Error(plan.reason);
  const found = plan.targets[0]?.guards.find((one) => one.id === id);
  const result = found?.check(judgement);
  return `${result?.ok ? 'ok' : 'no'}: ${result?.text}`;
};

const ownWay = (said: Said): string => guard(worldOf(said), '9 own way');
const refused = 'no: eth1/10 is the uplink of undo1, which would undo it';
const otherChassis = '00:00:00:00:00:0a';

describe('the uplink of the undo host', () => {
  it.each(['cisco_nxos', 'arista_eos'])(
    '%s: is refused, whatever chassis its LLDP announces there',
    (platform) => {
      const undo = { neighbor: 'leaf', portText: 'Ethernet1/10', chassisId: otherChassis };
      expect(ownWay({ platform, undo })).toBe(refused);
    },
  );

  it('is refused by the name of the port where the id is an address', () => {
    const undo = {
      neighbor: 'leaf',
      portText: '00:11:22:33:44:55',
      portDescription: 'Ethernet1/10',
      chassisId: otherChassis,
    };
    expect(ownWay({ undo })).toBe(refused);
  });

  it("is refused by the device's own row, whoever's chassis that is", () => {
    const leaf = { neighbor: 'undo1', portText: '00:11:22:33:44:55', chassisId: '00:00:00:00:00:0c' };
    expect(ownWay({ leaf })).toBe(refused);
  });

  it.each<[string, Said]>([
    ['another port of that switch', { undo: { neighbor: 'leaf', portText: 'Ethernet1/11' } }],
    ['that port of another switch', { undo: { neighbor: 'core', portText: 'Ethernet1/10' } }],
    ['the management port', { platform: 'cisco_nxos', undo: { neighbor: 'leaf', portText: 'mgmt0' } }],
    ['no port that is known', { undo: { neighbor: 'leaf', portText: '00:11:22:33:44:55' } }],
    [
      'another port, whose description names where that one leads',
      { undo: { neighbor: 'leaf', portText: 'Ethernet1/11', portDescription: 'to leaf2 Ethernet1/10' } },
    ],
  ])('is not where its table names %s', (_what, said) => {
    expect(ownWay(said)).toMatch(/^ok: /);
  });
});

describe('a far end about which LLDP contradicts itself', () => {
  const denied: Said = {
    leaf: { neighbor: 'core', portText: 'TenGigabitEthernet 0/2' },
    core: [{ port: 'te0/2', neighbor: 'leaf', portText: 'Ethernet1/11' }],
  };

  it.each(['6 members', '6 min links'])('%s: is refused, for its LAG can not be counted', (id) => {
    expect(guard(worldOf(denied), id)).toBe(
      'no: which LAG loses its member at the far end is not known: LLDP contradicts itself about where eth1/10 leads',
    );
  });

  it.each<[string, Said]>([
    ['a neighbour that nobody names', {}],
    [
      'a far end whose table says nothing of it',
      { leaf: { neighbor: 'core', portText: 'TenGigabitEthernet 0/3' } },
    ],
    [
      'a far end that both tables name',
      {
        leaf: { neighbor: 'core', portText: 'TenGigabitEthernet 0/2' },
        core: [{ port: 'te0/2', neighbor: 'leaf', portText: 'Ethernet1/10' }],
      },
    ],
  ])('is no matter with %s', (_what, said) => {
    expect(guard(worldOf(said), '6 members')).toMatch(/^ok: /);
    expect(guard(worldOf(said), '6 min links')).toMatch(/^ok: /);
  });
});

describe('a device that calls itself by the name of another host of the site', () => {
  it('is not shut: what is typed there may be meant for the other', () => {
    expect(guard(worldOf({ ownName: 'core' }), '5 own name')).toMatch(/calls itself core: is core behind/);
  });

  it.each([
    ['leaf.example.org', /calls itself leaf\.example\.org$/],
    ['Force10', /calls itself Force10$/],
    [undefined, /reports no name/],
  ])('silent: %s', (ownName, said) => {
    expect(guard(worldOf({ ...(ownName !== undefined && { ownName }) }), '5 own name')).toMatch(said);
  });
});
