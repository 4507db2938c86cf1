import { describe, expect, it } from 'vitest';
import type { FactsReading, IperfRun } from '../../../probes/iperf/readings.ts';
import { start } from '../../helpers/judging.ts';
import { G, M, run, seen } from '../tests-of-hosts.ts';

type Hosts = Record<string, Partial<FactsReading>>;
type Row = [
  what: string,
  hosts: Hosts,
  runs: readonly IperfRun[],
  expected: readonly string[],
  settings?: object,
];

const nic = (gbit: number, more: Partial<FactsReading> = {}): Partial<FactsReading> => ({
  speedMbps: gbit * 1000,
  ...more,
});
const hosts = (gbit: number, more: Partial<FactsReading> = {}): Hosts => ({
  a: nic(gbit, more),
  b: nic(gbit, more),
});
const both = (bps: number, more: Partial<IperfRun> = {}): IperfRun[] => [
  run('a:b', bps, more),
  run('b:a', bps, more),
];
const jumbo = hosts(10, { mtu: 9000 });
const hole = { mtu: 9000, fullPings: 0, standardPings: 2 };
const buffers = { rmemMax: 16e6, wmemMax: 16e6 };
const hour = 3_600_000;

const told = ([, given, runs, , settings]: Row): string[] =>
  seen(given, runs, settings).map(({ severity, kind }) => `${severity} ${kind}`);

describe.each<[string, readonly Row[]]>([
  [
    'nothing is wrong',
    [
      ['line rate both ways', hosts(10), both(9.4 * G), []],
      [
        'a busy core at line rate (I8)',
        hosts(10),
        [run('a:b', 9.4 * G, { cpu: { client: 95, server: 99 }, version: '3.12' })],
        [],
      ],
      ['a server of 1 Gbit/s (I22)', { a: nic(10), b: nic(1, { supportedMbps: 1000 }) }, both(0.94 * G), []],
      ['a bond of two, one stream (I23)', { a: nic(20), b: nic(20) }, both(9.4 * G), [], { lineGbps: 10 }],
      ['a virtual NIC (I27)', { a: {}, b: {} }, both(20 * G), []],
      ['the site says 25 while the NICs say 40 (I26)', hosts(40), both(23.4 * G), [], { lineGbps: 25 }],
      [
        'pings are blocked and data flows (I30)',
        jumbo,
        both(9.8 * G, { mtu: 9000, fullPings: 0, standardPings: 0 }),
        [],
      ],
      [
        'one end has 1500 on purpose (I32)',
        { a: nic(10, { mtu: 9000 }), b: nic(10, { mtu: 1500 }) },
        both(9.4 * G, hole),
        [],
      ],
      ['large pings are answered', jumbo, both(9.9 * G, { ...hole, fullPings: 2 }), []],
      ['one of two large pings was lost', jumbo, both(9.9 * G, { ...hole, fullPings: 1 }), []],
      [
        'one of two small pings was lost, too: pings get lost here',
        jumbo,
        both(9.4 * G, { ...hole, standardPings: 1 }),
        [],
      ],
      [
        'an MTU that was not read at one end',
        { a: nic(10, { mtu: 9000 }), b: { speedMbps: 10_000, mtu: undefined } as Partial<FactsReading> },
        both(9.4 * G, hole),
        [],
      ],
      [
        'iperf 2 of old, which counts no retransmits (I24)',
        hosts(10),
        [run('a:b', 9.4 * G, { tool: 'iperf2' })],
        [],
      ],
      ['a lineGbps that is too small: no share above 100 %', hosts(10), both(9.4 * G), [], { lineGbps: 1 }],
    ],
  ],
  [
    'a setting',
    [
      [
        'both ends have 9000, the path passes 1500, at line rate (I31)',
        jumbo,
        both(9.4 * G, hole),
        ['notice pathMtu'],
      ],
      [
        'the same for three pairs: once',
        { ...jumbo, c: nic(10, { mtu: 9000 }) },
        [...both(9.4 * G, hole), run('a:c', 9.4 * G, hole), run('b:c', 9.4 * G, hole)],
        ['notice pathMtu'],
      ],
      [
        'seen from one side only',
        jumbo,
        [run('a:b', 9.4 * G, hole), run('b:a', 9.4 * G)],
        ['notice pathMtu'],
      ],
    ],
  ],
  [
    'a limit of the host',
    [
      [
        'one thread at 99 % (I6)',
        hosts(100, { mtu: 9000, ...buffers }),
        [run('a:b', 25 * G, { cpu: { client: 99, server: 70 }, version: '3.12' })],
        ['warning cpu'],
      ],
      [
        'two of four threads of 3.17 (I7)',
        hosts(10, buffers),
        [run('a:b', 4 * G, { cpu: { client: 190, server: 150 }, version: '3.17', streams: 4 })],
        ['warning slow'],
      ],
      [
        'a window of 64 kB at 30 ms (I18)',
        hosts(10),
        [run('a:b', 15 * M, { window: '64K', rttMs: 30 })],
        ['warning window'],
      ],
      [
        'a buffer of 4 MB at 40 ms (I19)',
        hosts(10, { rmemMax: 16e6, wmemMax: 4e6 }),
        [run('a:b', 0.7 * G, { rttMs: 40 })],
        ['warning window'],
      ],
    ],
  ],
  [
    'the path',
    [
      [
        '0.2 % of its segments lost (I11)',
        hosts(10),
        [run('a:b', 6.4 * G, { retransmits: 12_000 })],
        ['warning loss'],
      ],
      [
        'one stream slow, four at line rate, tested last (I16)',
        hosts(10, buffers),
        [run('a:b', 2.5 * G), run('a:b', 9.4 * G, { streams: 4, startedAt: start - hour })],
        ['warning oneStream'],
      ],
      [
        'no full segment and no data (I2)',
        jumbo,
        [run('a:b', 0, { ...hole, why: 'silent' })],
        ['warning mtu'],
      ],
      [
        'a port of 100 Mbit/s (I9)',
        { a: nic(0.1, { supportedMbps: 10_000 }), b: nic(10) },
        both(94 * M),
        ['warning linkSpeed'],
      ],
      [
        'slow for three weeks: stays until tested again (I21)',
        hosts(10, buffers),
        [run('a:b', 3 * G, { startedAt: start - 21 * 24 * hour })],
        ['warning slow'],
      ],
    ],
  ],
  [
    'no verdict',
    [
      [
        'its console went away (I20)',
        hosts(10),
        [run('a:b', 1 * G, { why: 'unwatched', status: 'partial' })],
        [],
      ],
      [
        'killed in the middle (I28)',
        hosts(10),
        [run('a:b', 1 * G, { vanished: true, status: 'partial' })],
        [],
      ],
      [
        'refused (I5)',
        hosts(10),
        [
          run('a:b', 0, {
            status: 'error',
            error: 'unable to connect to server: Connection refused',
            streamRows: [],
            intervals: [],
          }),
        ],
        ['notice failed'],
      ],
    ],
  ],
])('%s', (_group, rows) => {
  it.each(rows)('%s', (...row) => expect(told(row)).toEqual(row[3]));
});

it.each([
  [0, 800_000],
  [2 * M, 80_000],
  [100, 4_000_000],
])('%i bit/s and %i retransmits: no share above 100 % (I12)', (bps, retransmits) => {
  for (const { summary } of seen(hosts(10), [run('a:b', bps, { retransmits })])) {
    const shares = [...summary.matchAll(/(\d+(?:\.\d+)?) %/g)].map(([, share]) => Number(share));
    expect(Math.max(0, ...shares)).toBeLessThanOrEqual(100);
  }
});

it('a rate above what the line can carry is not said to be at line rate, nor a share of it', () => {
  const slow = seen(hosts(10), [run('a:b', 9.4 * G), run('b:a', 3 * G)], { lineGbps: 1 });
  expect(slow.map(({ kind }) => kind)).toEqual(['oneWay']);
  const texts = slow.flatMap(({ summary, evidence }) => [summary, ...evidence.map(({ text }) => text)]);
  expect(texts.join('\n')).toContain('more than the 1.00 Gbit/s that a link here is said to have');
  expect(texts.join('\n')).not.toMatch(/\d{3} %|at line rate/);
});

describe('slow, or with losses, on a path that passes less than both ends send', () => {
  const ends = hosts(10, { mtu: 9000, ...buffers });

  it.each([
    ['slow', run('a:b', 3 * G, hole)],
    ['it loses what is too large', run('a:b', 3 * G, { ...hole, retransmits: 90_000 })],
  ])('%s: its MTU is the cause, told once', (_what, one) => {
    const list = seen(ends, [one]);
    expect(list.map(({ kind }) => kind)).toEqual(['mtu']);
    expect(list[0]?.summary).toContain('both ends have an MTU of 9000, the path passes no more than 1500');
  });

  it.each([
    ['the far end has 1500 and asks for small segments', { ...ends, b: { ...ends.b, mtu: 1500 } }, hole],
    ['small pings get lost, too', ends, { ...hole, standardPings: 1 }],
    ['large ones are answered', ends, { ...hole, fullPings: 2 }],
  ])('not where %s', (_what, nics, path) =>
    expect(seen(nics, [run('a:b', 3 * G, path)]).map(({ kind }) => kind)).not.toContain('mtu'),
  );
});
