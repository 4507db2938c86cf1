import { describe, expect, it } from 'vitest';
import { changesSeries } from '../../../probes/switch/judge/change-counts.ts';
import { linkSeries, upSeries } from '../../../probes/switch/links/links.ts';
import { start } from '../../helpers/judging.ts';
import { judged, kinds, type World } from './quiet-world.ts';

describe('ends that are set differently, without a bad frame', () => {
  it('an MTU left at its default, with giants', () => {
    expect(judged({ leaf: { mtu: 9214 }, spine: { mtu: 1500, counted: { rxGiants: 300 } } })).toEqual([
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

  it('by the count that earlier consoles wrote down', () => {
    const points = [0, 1, 2, 3, 4].map((n) => ({ at: start - 600_000 + n * 100_000, value: 40 + 2 * n }));
    expect(kinds({ history: { [changesSeries('spine2:eth1')]: points } })).toEqual(['flapping']);
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

describe('a link that is down', () => {
  const dark = { link: 'notconnect', state: 'dark' } as const;

  it('is a finding where the site file names it', () => {
    expect(judged({ leaf: dark, spine: dark })).toMatchObject([
      { kind: 'link-down', severity: 'warning', first: { cause: 'down' } },
    ]);
  });

  describe('that the site file does not name', () => {
    const day = 86_400_000;
    const id = 'leaf7:eth1';
    const words = (...points: readonly (readonly [number, string])[]) => ({
      [linkSeries(id)]: [{ at: start - 90 * day, value: 'spine2:eth1' }],
      [upSeries(id)]: points.map(([days, value]) => ({ at: start - days * day, value })),
    });
    const found = (history: World['history'] = {}) => kinds({ leaf: dark, spine: dark, history, links: [] });

    it('is a finding for a day after it was up', () => {
      expect(found(words([90, 'connected'], [0.1, 'notconnect']))).toEqual(['link-down']);
      expect(
        found(words([90, 'connected'], [0.2, 'notconnect'], [0.1, 'disabled'], [0.05, 'notconnect'])),
      ).toEqual(['link-down']);
    });

    it.each([
      [
        'it was dark for days, and was shut and switched on today',
        words([90, 'connected'], [9, 'notconnect'], [0.2, 'disabled'], [0.1, 'notconnect']),
      ],
      ['it went down two days ago', words([90, 'connected'], [2, 'notconnect'])],
      ['it was never seen up', words([90, 'notconnect'], [0.2, 'disabled'], [0.1, 'notconnect'])],
    ])('silent: %s', (_what, history) => {
      expect(found(history)).toEqual([]);
    });
  });

  it('is no other finding when it flaps', () => {
    const history = {
      [upSeries('leaf7:eth1')]: [0, 1, 2, 3, 4, 5, 6, 7, 8].map((n) => ({
        at: start - 900_000 + n * 100_000,
        value: n % 2 === 0 ? 'connected' : 'notconnect',
      })),
    };
    expect(kinds({ leaf: dark, spine: dark, history })).toEqual(['flapping']);
  });

  it.each([
    ['somebody shut it', { leaf: { link: 'disabled', state: 'shut' as const }, spine: dark }],
    ['the far end boots', { leaf: dark, spine: dark, rebooting: true }],
  ])('silent: %s', (_what, world) => {
    expect(kinds(world)).toEqual([]);
  });
});
