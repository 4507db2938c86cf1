import { describe, expect, it } from 'vitest';
import { backSeries } from '../../../probes/switch/judge/track.ts';
import { linkSeries, upSeries } from '../../../probes/switch/links/links.ts';
import { start } from '../../helpers/judging.ts';
import { judged, kinds, type World } from './quiet-world.ts';

describe('a link that is down', () => {
  const dark = { link: 'notconnect', state: 'dark' } as const;

  it('is a finding where the site file names it', () => {
    expect(judged({ leaf: dark, spine: dark })).toMatchObject([
      { kind: 'link-down', severity: 'warning', first: { cause: 'down' } },
    ]);
  });

  it('names no speed that a dark port prints, but how FEC is set', () => {
    const causesIn = (world: World) => judged(world).map(({ causes }) => causes);
    expect(causesIn({ leaf: { ...dark, speedMbps: 10 }, spine: { ...dark, speedMbps: 25_000 } })).toEqual([
      ['down'],
    ]);
    expect(causesIn({ leaf: { ...dark, fec: 'rs' }, spine: { ...dark, fec: 'none' } })).toEqual([
      ['down', 'fec'],
    ]);
    expect(causesIn({ leaf: dark, spine: dark })).toEqual([['down']]);
  });

  describe('to a host that goes and comes', () => {
    const read = start + 10_000;
    const back = (at: number) => ({ [backSeries('n1')]: [{ at, value: at }] });

    it('is a finding when the port stays down, also when the host reads up', () => {
      expect(kinds({ hostPort: dark, nic: dark })).toEqual(['link-down']);
      expect(kinds({ hostPort: dark })).toEqual(['link-down']);
      expect(kinds({ hostPort: dark, history: back(read - 5000) })).toEqual(['link-down']);
    });

    it.each([
      ['its port was up in the sample before', { hostPort: dark, before: { hostPort: {} } }],
      ['it came back after its port was read', { hostPort: dark, history: back(read + 2000) }],
      [
        'it is off as planned',
        {
          hostPort: dark,
          facts: [
            { name: 'node.off', subject: { kind: 'node', id: 'n1' }, value: { why: 'reboot' } },
          ] satisfies World['facts'],
        },
      ],
    ])('silent: %s', (_what, world) => {
      expect(kinds(world)).toEqual([]);
    });
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
