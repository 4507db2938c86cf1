import { describe, expect, it } from 'vitest';

import { parse, faults, withLines, withFlood, sherlock } from './parsing.ts';

describe('a good site file', () => {
  const { site, warnings } = parse(sherlock);

  it('gives all hosts, expanded, with their labels dealt out', () => {
    expect(site.name).toBe('sherlock');
    expect(site.hosts).toHaveLength(216);
    expect(site.hosts.find(({ name }) => name === 'node1')?.location).toEqual({ rack: 'r1', breaker: 'b7' });
    expect(site.hosts.find(({ name }) => name === 'node20')?.location['rack']).toBe('r1');
    expect(site.hosts.find(({ name }) => name === 'node21')?.location['rack']).toBe('r2');
    expect(site.hosts.find(({ name }) => name === 'node200')?.location['rack']).toBe('r10');
    expect(site.hosts.find(({ name }) => name === 'core3')).toEqual({
      name: 'core3',
      roles: ['switch'],
      platform: 'dell_ftos',
      location: {},
      legacy: true,
      undoHost: 'admin1',
    });
  });

  it('takes a host named only by the shared folder as a host, and says so', () => {
    expect(site.hosts.find(({ name }) => name === 'admin1')).toMatchObject({ roles: [], platform: 'linux' });
    expect(warnings).toEqual([
      'site.yaml:2:16: host "admin1" is not under hosts; taken as a Linux host without a role',
    ]);
  });

  it('gives times as UTC ms, and the systems their checked settings with defaults', () => {
    expect(site.windows).toEqual([
      {
        from: Date.UTC(2026, 11, 1, 8),
        to: Date.UTC(2026, 11, 1, 16),
        subjects: ['rack:r7'],
        text: 'power work',
      },
    ]);
    expect(site.settings).toEqual({
      slurm: {
        check: { command: ['/usr/sbin/nhc'], env: { MARK_OFFLINE: '0' } },
        limits: { partitionOut: '30%' },
      },
      gluster: {},
    });
    expect(parse(withLines()).site.settings).toEqual({
      slurm: { limits: { partitionOut: '20%' } },
      gluster: {},
    });
  });

  it('is plain data that any thread can have', () => {
    expect(structuredClone(site)).toEqual(site);
  });

  it('knows intervals and transports', () => {
    const { site: other } = parse(
      withLines(
        '  - {names: "gl[1-2]", transport: openssh}',
        'intervals: {slurm.nodes: 30s, slurm.health: 5 min}',
        'readOnly: true',
      ),
    );
    expect(other.intervals).toEqual({ 'slurm.nodes': 30_000, 'slurm.health': 300_000 });
    expect(other.transports).toEqual({ gl1: 'openssh', gl2: 'openssh' });
    expect(other.readOnly).toBe(true);
  });

  it('gives what may put traffic on the network, on which hosts and when; nothing by itself', () => {
    expect(site.traffic).toBeUndefined();
    const all = { probe: 'gluster.flood', everyMs: 21_600_000, from: 120, to: 300, zone: 'UTC' };
    expect(parse(withFlood('gluster.flood')).site.traffic).toEqual([{ ...all, hosts: ['g1', 'g2'] }]);
    const one = withFlood('gluster.flood', '"22:30-05:00"', '1d, hosts: G2');
    expect(parse(`${one}\nzone: Europe/Zurich`).site.traffic).toEqual([
      { ...all, hosts: ['g2'], everyMs: 86_400_000, from: 1350, zone: 'Europe/Zurich' },
    ]);
  });
});

describe('locations', () => {
  const racks = (labels: string): readonly (string | undefined)[] =>
    parse(withLines(`  - {names: "n[1-6]", location: {rack: ${labels}}}`))
      .site.hosts.slice(1)
      .map(({ location }) => location['rack']);

  it.each([
    ['r7', ['r7', 'r7', 'r7', 'r7', 'r7', 'r7']],
    ['7', ['7', '7', '7', '7', '7', '7']],
    ['"r[1-6]"', ['r1', 'r2', 'r3', 'r4', 'r5', 'r6']],
    ['"r[1-3]"', ['r1', 'r1', 'r2', 'r2', 'r3', 'r3']],
    ['"a,b"', ['a', 'a', 'a', 'b', 'b', 'b']],
  ])('deals out %s', (labels, dealt) => {
    expect(racks(labels)).toEqual(dealt);
  });

  it('says both counts when they do not go together', () => {
    expect(faults(withLines('  - {names: "n[1-6]", location: {rack: "r[1-4]"}}'))).toEqual([
      'site.yaml:4:40: location rack: 4 labels for 6 names; give one, 6, or a number that divides 6',
    ]);
  });
});
