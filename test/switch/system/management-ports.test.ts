import { describe, expect, it } from 'vitest';
import { findings } from '../../../probes/switch/judge/findings.ts';
import { backSeries, tracks, readSeries } from '../../../probes/switch/judge/track.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { Neighbor } from '../../../probes/switch/readings.ts';
import { judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';

const site = siteOf([
  { name: 'mg1', roles: ['switch'], platform: 'arista_eos' },
  { name: 'leaf1', roles: ['switch'], platform: 'sonic' },
  { name: 'nx1', roles: ['switch'], platform: 'cisco_nxos' },
]);
const port = (name: string, linkTransitions = 4n) => ({
  port: name,
  name,
  link: 'up',
  state: 'up',
  counts: { rxPackets: 100n, linkTransitions },
});

/** What mg1 hears at its ports, all three being read. */
const heardBy = (rows: readonly Neighbor[], far?: Source) => {
  const readings = new Sources();
  if (far) readings.put(far);
  readings.good('switch.counters', 'mg1', { ports: rows.map((row) => port(row.port)) });
  readings.good('switch.counters', 'leaf1', { ports: [port('eth0'), port('eth4')] });
  readings.good('switch.counters', 'nx1', { ports: [port('eth1/1')] });
  readings.good('switch.neighbors', 'mg1', { neighbors: rows });
  return findings(judgementOf({ readings, site })).map(({ kind }) => kind);
};

describe('a neighbour named by a port that is not known there', () => {
  it('waits for the first answer of the table at the far end, and for no second one', () => {
    const row = { port: 'eth1', neighbor: 'nx1', portText: '00:11:22:33:44:55' };
    const first = { probe: 'switch.neighbors', host: 'nx1', before: [], everyMs: 60_000, durations: [] };
    expect(heardBy([row], { ...first, state: 'never' })).toEqual([]);
    const failure = { kind: 'command', message: 'nx1: no lldp' } as const;
    expect(heardBy([row], { ...first, state: 'failed', failure })).toEqual(['far-port-unknown']);
  });

  it('is a finding', () => {
    expect(heardBy([{ port: 'eth1', neighbor: 'nx1', portText: 'Ethernet9/9' }])).toEqual([
      'far-port-unknown',
    ]);
    expect(heardBy([{ port: 'eth1', neighbor: 'leaf1', portText: 'etp99' }])).toEqual(['far-port-unknown']);
  });

  it.each([
    ["SONiC's management port", { port: 'eth1', neighbor: 'leaf1', portText: 'eth0' }],
    ["NX-OS' management port", { port: 'eth1', neighbor: 'nx1', portText: 'mgmt0' }],
    ['a port that is there', { port: 'eth1', neighbor: 'nx1', portText: 'Ethernet1/1' }],
  ])('silent: %s', (_what, row) => {
    expect(heardBy([row])).toEqual([]);
  });
});

describe('when a host was read', () => {
  const tracksOf = (...seconds: readonly number[]) => {
    const readings = new Sources();
    for (const one of seconds)
      readings.good('switch.counters', 'leaf1', { ports: [port('eth0')] }, start + one * 1000, 20, 2);
    return tracks(judgementOf({ readings, site }));
  };

  it('is kept by half hours, and when it came back', () => {
    const back = { series: backSeries('leaf1'), value: start + 300_000 };
    expect(tracksOf(0, 300)).toContainEqual(back);
    expect(tracksOf(0, 300)).toContainEqual({
      series: readSeries('leaf1'),
      value: Math.floor((start + 300_000) / 1_800_000),
    });
    for (const usual of [[0], [0, 10], [0, 30]])
      expect(tracksOf(...usual).map(({ series }) => series)).not.toContain(back.series);
  });
});
