import { describe, expect, it } from 'vitest';
import { changesSeries, goneSeries, readSeries } from '../../../probes/switch/judge/track.ts';
import { start } from '../../helpers/judging.ts';
import { judged, kinds, trackedOf, type Given, type World } from './quiet-world.ts';

describe('ends that are set differently, without a bad frame', () => {
  it('an MTU left at its default, with giants', () => {
    expect(judged({ leaf: { mtu: 9214 }, spine: { mtu: 1500, counted: { rxGiants: 300 } } })).toMatchObject([
      {
        kind: 'settings-differ',
        severity: 'warning',
        id: 'spine2:eth1',
        first: {
          subject: { kind: 'port', id: 'spine2:eth1' },
          cause: 'mtu',
          confidence: 'high',
          values: { here: 1500, there: 9214 },
        },
      },
    ]);
  });

  it('giants alone, and duplex alone', () => {
    expect(judged({ spine: { counted: { rxGiants: 300 } } })[0]?.first?.cause).toBe('mtu');
    expect(judged({ leaf: { duplex: 'full' }, spine: { duplex: 'half' } })[0]?.first?.cause).toBe('duplex');
  });

  it('autonegotiation at one end of a link of 1 Gbit/s is a notice', () => {
    const found = judged({
      leaf: { autoneg: true, speedMbps: 1000 },
      spine: { autoneg: false, speedMbps: 1000 },
    });
    expect(found).toMatchObject([
      { kind: 'settings-differ', severity: 'notice', first: { cause: 'autoneg' } },
    ]);
  });

  it('a host set for more than its switch carries, and one that refuses frames', () => {
    expect(judged({ hostPort: { mtu: 1500 }, nic: { mtu: 9000 } })).toMatchObject([
      { kind: 'settings-differ', id: 'leaf7:eth2' },
    ]);
    const refusing = { mtu: 1500, counted: { rxGiants: 300 } };
    expect(judged({ hostPort: { mtu: 9214 }, nic: refusing })).toMatchObject([
      { kind: 'settings-differ', id: 'n1:eth0' },
    ]);
  });

  it.each([
    ['a host at the default behind a switch that takes all', { hostPort: { mtu: 9214 }, nic: { mtu: 1500 } }],
    ['a host set for the longer frames of FCoE', { hostPort: { mtu: 9214 }, nic: { mtu: 2500 } }],
    ['two words for jumbo frames', { leaf: { mtu: 9214 }, spine: { mtu: 9198 } }],
    ['one of the two is not told', { leaf: { mtu: 9214 } }],
    [
      'healthy jumbo frames are counted',
      { leaf: { mtu: 9214 }, spine: { mtu: 9214, counted: { rxOversize: 900 } } },
    ],
    ['autonegotiation is printed differently', { leaf: { autoneg: true }, spine: { autoneg: false } }],
    [
      'and at 10 Gbit/s',
      {
        leaf: { autoneg: true, speedMbps: 10_000 },
        spine: { autoneg: false, speedMbps: 10_000 },
      },
    ],
    [
      'autonegotiation at 1 Gbit/s, told at one end',
      { leaf: { autoneg: true, speedMbps: 1000 }, spine: { speedMbps: 1000 } },
    ],
  ])('silent: %s', (_what, world) => {
    expect(kinds(world)).toEqual([]);
  });
});

describe('a link that flaps', () => {
  const flaps = { counted: { linkTransitions: 0.5 } };

  it('is a finding with its rate, without a bad frame', () => {
    expect(judged({ spine: flaps })).toMatchObject([
      {
        kind: 'flapping',
        severity: 'warning',
        id: 'spine2:eth1',
        first: { cause: 'flapping', values: { perHour: 3 } },
      },
    ]);
  });

  it('goes before its bad frames, which are not judged while it settles', () => {
    expect(kinds({ spine: { counted: { linkTransitions: 0.5, rxCrc: 150 } } })).toEqual(['flapping']);
  });

  it('of a make that counts losses alone', () => {
    const junos = (losses: number) => ({ txCarrierTransitions: losses, linkTransitions: losses });
    expect(kinds({ spine: { counted: junos(0.2) } })).toEqual(['flapping']);
    expect(kinds({ spine: { counted: junos(0.1) } })).toEqual([]);
    expect(kinds({ spine: { counted: junos(0) } })).toEqual([]);
  });

  describe('by a count that was read long ago', () => {
    const counted = (value: number) => ({
      [changesSeries('spine2:eth1')]: [
        { at: start - 3 * 86_400_000, value: 12 },
        { at: start - 60_000, value },
      ],
    });
    const read = (at: number) => ({ [readSeries('spine2')]: [{ at, value: 7 }] });

    it('is a finding when the host was read within the hour before the rise', () => {
      expect(kinds({ history: { ...counted(30), ...read(start - 1_800_000) } })).toEqual(['flapping']);
    });

    it.each([
      ['nobody looked for three days', counted(30)],
      ['the host is read again since the rise', { ...counted(30), ...read(start - 60_000) }],
      ['the host was read two hours before', { ...counted(30), ...read(start - 7_200_000) }],
    ])('silent: %s', (_what, history) => {
      expect(kinds({ history })).toEqual([]);
    });
  });

  describe('to a host', () => {
    const often = (each: number) => ({ hostPort: { counted: { linkTransitions: each } } });
    const off: World['facts'] = [
      { name: 'node.off', subject: { kind: 'node', id: 'n1' }, value: { why: 'power saving' } },
    ];

    it('is a finding when it went more often than a boot explains', () => {
      expect(judged(often(0.8))).toMatchObject([{ kind: 'flapping', id: 'leaf7:eth2' }]);
    });

    it.each([
      ['two losses at power-on', often(0.4)],
      ['three while the driver is loaded', often(0.6)],
      ['it is off as planned', { ...often(0.8), facts: off }],
    ])('silent: %s', (_what, world) => {
      expect(kinds(world)).toEqual([]);
    });
  });

  it('by the count that earlier consoles wrote down', () => {
    const points = [0, 1, 2, 3, 4].map((n) => ({ at: start - 600_000 + n * 100_000, value: 40 + 2 * n }));
    expect(kinds({ history: { [changesSeries('spine2:eth1')]: points } })).toEqual(['flapping']);
  });

  describe('by the stamp of a make that counts nothing', () => {
    /** Its link went between the two samples, and at these seconds before them as consoles wrote down. */
    const gone = (secondsAgo: readonly number[], now: Given = { changedAgoS: 4 }) => ({
      spine: now,
      history: {
        [goneSeries('spine2:eth1')]: secondsAgo.map((s) => ({
          at: start - s * 1000,
          value: start - s * 1000,
        })),
      },
    });

    it('is a finding when it went twice within a minute, or often within the hour', () => {
      expect(kinds(gone([8]))).toEqual(['flapping']);
      expect(kinds(gone([3000, 2000, 900]))).toEqual(['flapping']);
      expect(kinds(gone([3000, 2000, 900, 100], {}))).toEqual(['flapping']);
    });

    it.each([
      ['it went once', gone([])],
      ['two consoles saw the one time', gone([-7])],
      ['three times in an hour', gone([3000, 2000])],
      ['long ago', gone([9000, 8000, 7000, 6000], {})],
    ])('silent: %s', (_what, world) => {
      expect(kinds(world)).toEqual([]);
    });

    it('a coming is no second going', () => {
      const world = { hostPort: { changedAgoS: 4 }, before: { hostPort: { state: 'dark' as const } } };
      expect(trackedOf(world)).toEqual([]);
      expect(trackedOf({ hostPort: { changedAgoS: 4 } })).toEqual([
        { series: goneSeries('leaf7:eth2'), value: start + 6_000 },
      ]);
    });
  });

  it.each([
    ['it was replugged once', { spine: { counted: { linkTransitions: 0.2 } } }],
    ['a coarse stamp stands still', { spine: { changedAgoS: 900_000 } }],
    ['its far end boots', { spine: flaps, rebooting: true }],
  ])('silent: %s', (_what, world) => {
    expect(kinds(world)).toEqual([]);
  });
});

describe('errors of a link that just came up', () => {
  it('are judged after a minute, by the stamp of the device', () => {
    const world = (changedAgoS: number) => ({ spine: { changedAgoS, counted: { rxCrc: 200 } } });
    expect(kinds(world(15))).toEqual([]);
    expect(kinds(world(75))).toEqual(['bad-link']);
  });
});
