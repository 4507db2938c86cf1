import { describe, expect, it } from 'vitest';
import { levelsInTime, swingsInTime, twoLevels } from '../../probes/iperf/judge/bimodal.ts';
import { findSharedBySlow } from '../../probes/iperf/judge/host-facts.ts';
import type { Samples } from '../../probes/iperf/judge/samples.ts';
import type { Around, VerdictKind } from '../../probes/iperf/judge/verdict.ts';
import { verdictOf } from '../../probes/iperf/judge/verdict-rules.ts';

const G = 1e9;

const samples = (intervals: readonly number[], more: Partial<Samples> = {}): Samples => {
  const total = intervals.reduce((sum, one) => sum + one, 0) / intervals.length;
  return {
    intervals,
    streams: [{ id: '5', bps: total, port: 40_001 }],
    total,
    bytes: (total / 8) * intervals.length,
    ...more,
  };
};

const steady = (bps: number, count = 9): number[] =>
  Array.from({ length: count }, (_, at) => bps * (1 + 0.005 * ((at % 3) - 1)));

const swinging = [9.47, 9.46, 2.33, 9.47, 2.34, 2.33, 9.45, 9.47, 2.32].map((one) => one * G);

const byPort = [
  { port: 41_001, bps: 2.33 * G },
  { port: 41_002, bps: 9.4 * G },
  { port: 41_003, bps: 2.31 * G },
  { port: 41_004, bps: 9.45 * G },
];

const ten: Pick<Around, 'lineBps' | 'streams'> = { lineBps: 10 * G, streams: 1 };

const others = (bps: number, lineBps?: number): Pick<Around, 'others'> => ({
  others: [
    { host: 'a', does: 'sent', bps: 0, lineBps: 10 * G },
    { host: 'b', does: 'received', bps, ...(lineBps !== undefined && { lineBps }) },
  ],
});

const cases: readonly (readonly [string, Around, VerdictKind, RegExp])[] = [
  ['line rate', { ...ten, samples: samples(steady(9.42 * G)) }, 'lineRate', /at line rate, 9\.42 of 10\.0/],
  [
    'bimodal in time',
    { ...ten, samples: samples(swinging) },
    'bimodalTime',
    /^bimodal 9\.46 \/ 2\.33 Gbit\/s over 9 intervals$/,
  ],
  [
    'others fill the line of one end',
    { ...ten, samples: samples(steady(2.1 * G)), ...others(6.9 * G) },
    'shared',
    /^2\.10 Gbit\/s on a line in use: b received 6\.90 Gbit\/s of others meanwhile$/,
  ],
  [
    'others come and go, and the rate jumps and loses for them',
    { ...ten, samples: samples(swinging, { retransmits: 90_000 }), ...others(3.5 * G) },
    'shared',
    /line in use/,
  ],
  [
    'others are there and the line is far from full',
    { ...ten, samples: samples(steady(2.1 * G)), ...others(2.5 * G) },
    'slow',
    /cause not known/,
  ],
  [
    'others fill what is a tenth of a faster NIC',
    { ...ten, samples: samples(steady(2.1 * G)), ...others(6.9 * G, 100 * G) },
    'slow',
    /other traffic/,
  ],
  [
    'others are there and it reaches the line rate all the same',
    { ...ten, samples: samples(steady(9.42 * G)), ...others(1.5 * G) },
    'lineRate',
    /at line rate/,
  ],
  [
    'a link that loses with nobody else on it',
    { ...ten, samples: samples(steady(2.1 * G), { retransmits: 90_000 }), ...others(0.02 * G) },
    'loss',
    /loses/,
  ],
  [
    'bimodal by the ports of one test',
    {
      ...ten,
      streams: 4,
      samples: samples(steady(9 * G), {
        streams: byPort.map(({ port, bps }) => ({ id: String(port), port, bps: bps / 4 })),
      }),
    },
    'bimodalPort',
    /by source port/,
  ],
  [
    'bimodal by the ports of several tests',
    { ...ten, samples: samples(steady(2.3 * G)), byPort },
    'bimodalPort',
    /by source port/,
  ],
  [
    'loss',
    { ...ten, samples: samples(steady(1.2 * G), { retransmits: 9_000 }) },
    'loss',
    /^loses 1\.\d+ % of its segments, 1\.20/,
  ],
  [
    'where much is lost the rate jumps by itself: not bimodal',
    {
      streams: 1,
      lineBps: 0.2 * G,
      samples: samples(
        [6.28, 58.9, 33.8, 65.7, 0.5, 0.2, 66.3].map((one) => one * 1e6),
        { retransmits: 3_500 },
      ),
    },
    'loss',
    /^loses 15 % of its segments/,
  ],
  [
    'a swing between two levels loses a little where it changes',
    { ...ten, samples: samples(swinging, { retransmits: 40_000 }) },
    'bimodalTime',
    /^bimodal 9\.46/,
  ],
  [
    'drops of a shaper are not the story',
    { ...ten, samples: samples(steady(1.2 * G), { retransmits: 2_000 }), back: { bps: 9.4 * G } },
    'oneWay',
    /slow this way only: 1\.20 against 9\.40/,
  ],
  [
    'window',
    { ...ten, samples: samples(steady(1.9 * G)), windowBytes: 250_000, rttMs: 1 },
    'window',
    /^limited by the window: 250 kB at 1 ms carry 2\.00 Gbit\/s/,
  ],
  [
    'window of a kernel that gives it most of the buffer',
    { ...ten, samples: samples(steady(3 * G), { retransmits: 0 }), windowBytes: 250_000, rttMs: 1 },
    'window',
    /^limited by the window: 250 to 500 kB at 1 ms carry 2\.00 to 4\.00 Gbit\/s/,
  ],
  [
    'window of a slow test, whose intervals differ by whole blocks of iperf3',
    {
      lineBps: 0.05 * G,
      streams: 1,
      samples: samples([6.62e6, 8.29e6, 6.62e6], { retransmits: 0 }),
      windowBytes: 32_768,
      windowBy: { text: 'tcp_rmem of the receiver is 65536 at most', host: 'b' },
      rttMs: 45.88,
    },
    'window',
    /^limited by the window: 33 to 66 kB at 45\.88 ms/,
  ],
  [
    'a slow test whose intervals differ by more than such blocks: not proven to be the window',
    {
      lineBps: 0.05 * G,
      streams: 1,
      samples: samples([6.62e6, 10.9e6, 6.62e6], { retransmits: 0 }),
      windowBytes: 32_768,
      rttMs: 45.88,
    },
    'slow',
    /cause not known/,
  ],
  [
    'a fast test whose intervals differ by a fifth: not proven to be the window',
    {
      ...ten,
      samples: samples([3 * G, 3.6 * G, 3 * G, 3 * G], { retransmits: 0 }),
      windowBytes: 250_000,
      rttMs: 1,
    },
    'slow',
    /cause not known/,
  ],
  [
    'above half of the buffer and segments were sent again: not proven to be the window',
    { ...ten, samples: samples(steady(3 * G), { retransmits: 40 }), windowBytes: 250_000, rttMs: 1 },
    'slow',
    /cause not known; ruled out: loss$/,
  ],
  [
    'above half of the buffer and the other direction is faster: not the window',
    {
      ...ten,
      samples: samples(steady(3 * G), { retransmits: 0 }),
      windowBytes: 250_000,
      rttMs: 1,
      back: { bps: 9.4 * G },
    },
    'oneWay',
    /slow this way only/,
  ],
  [
    'lost in the first interval only: TCP looked for its rate',
    {
      streams: 1,
      samples: samples(steady(1.1 * G), {
        retransmits: 1_400,
        start: { bytes: 0.14 * G, retransmits: 1_400 },
      }),
    },
    'steady',
    /line rate not known/,
  ],
  [
    'lost in the first interval and on',
    {
      ...ten,
      samples: samples(steady(1.1 * G), { retransmits: 2_800, start: { bytes: 0.14 * G, retransmits: 900 } }),
    },
    'loss',
    /loses 0\.\d+ % of its segments/,
  ],
  [
    'lost at the start of a test that is over before more is known',
    {
      ...ten,
      samples: samples(steady(1.1 * G, 2), { retransmits: 1_400, start: { bytes: 1, retransmits: 1_400 } }),
    },
    'loss',
    /loses/,
  ],
  [
    'a buffer that filled and then nothing: no full segment',
    {
      ...ten,
      samples: samples([0, 0, 0], { total: 5.4e6, bytes: 2.7e6, retransmits: 9 }),
      path: { mtu: 9000, full: 0, standard: 2 },
      rttMs: 0.06,
    },
    'mtu',
    /^passes no full segment/,
  ],
  [
    'one stream',
    { ...ten, samples: samples(steady(4 * G)), several: { bps: 9.4 * G, streams: 4 } },
    'oneStream',
    /one stream gives 4\.00, 4 streams 9\.40/,
  ],
  [
    'interrupts',
    {
      ...ten,
      samples: samples(steady(4 * G)),
      interrupts: [{ host: 'b', text: 'b: all 8 queues of eth0 interrupt core 0' }],
    },
    'interrupts',
    /core 0/,
  ],
  ['one way', { ...ten, samples: samples(steady(2 * G)), back: { bps: 9.4 * G } }, 'oneWay', /this way only/],
  [
    'dropped',
    { ...ten, samples: samples(steady(6 * G)), baseline: { bps: 9.4 * G, count: 5 } },
    'dropped',
    /dropped to 6\.00 from its usual 9\.40/,
  ],
  ['slow', { ...ten, samples: samples(steady(6 * G)) }, 'slow', /60 % of line rate, cause not known/],
  [
    'no line rate known',
    { streams: 1, samples: samples(steady(0.94 * G)) },
    'steady',
    /0\.940 Gbit\/s, line rate not known/,
  ],
  ['failed', { ...ten, samples: undefined, error: 'Connection refused' }, 'failed', /^Connection refused$/],
  [
    'cut in the middle',
    { ...ten, samples: samples(steady(9.4 * G)), error: 'Connection reset by peer' },
    'failed',
    /reset by peer; 9\.40 Gbit\/s until then/,
  ],
  ['nothing', { ...ten, samples: undefined }, 'noData', /no data/],
];

describe('verdicts', () => {
  it.each(cases)('%s', (_name, around, kind, text) => {
    const verdict = verdictOf(around);
    expect(verdict.kind).toBe(kind);
    expect(verdict.text).toMatch(text);
  });

  it('says how many samples it rests on, and nothing bimodal of fewer than five', () => {
    expect(verdictOf({ ...ten, samples: samples(swinging) }).evidence.join('\n')).toMatch(
      /rests on 9 intervals/,
    );
    expect(verdictOf({ ...ten, samples: samples(swinging.slice(0, 4)) }).kind).not.toBe('bimodalTime');
  });

  it('sees no two levels in a ramp, in noise, or in one outlier', () => {
    expect(twoLevels([1, 2, 3, 4, 5, 6, 7, 8])).toBeUndefined();
    expect(twoLevels([9, 9.4, 8.8, 9.1, 9.3, 8.7, 9.2])).toBeUndefined();
    expect(twoLevels([9, 9.1, 9, 9.2, 2.3, 9.1, 9])).toBeUndefined();
    expect(twoLevels([9, 9.1, 2.3, 9.2, 2.3, 9.1, 9])).toMatchObject({ highCount: 5, lowCount: 2 });
  });

  it('sees two levels also where they change inside an interval, and still none in a ramp or noise', () => {
    const mixed = [9.4, 9.4, 5.1, 2.3, 2.3, 2.4, 6.2, 9.5, 9.4, 9.3, 3.9, 2.3, 2.3, 2.3];
    expect(levelsInTime(mixed)).toMatchObject({ highCount: 5, lowCount: 6, between: 3 });
    expect(verdictOf({ ...ten, samples: samples(mixed.map((one) => one * G)) }).evidence.join()).toContain(
      '3 between',
    );
    expect(levelsInTime([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])).toBeUndefined();
    expect(levelsInTime([9, 6, 8, 5, 7, 9, 4, 6, 8, 5, 7, 9])).toBeUndefined();
    expect(levelsInTime([])).toBeUndefined();
  });

  it('names what all slow hosts share and no fast one has', () => {
    const [old, fresh] = [
      { nic: 'a', queues: [], kernel: '2.6.32-042stab059.7', mtu: 1500 },
      { nic: 'a', queues: [], kernel: '3.10', mtu: 1500 },
    ];
    expect(findSharedBySlow([old, old], [fresh])).toEqual([{ name: 'kernel', value: '2.6.32-042stab059.7' }]);
    expect(findSharedBySlow([old, fresh], [fresh])).toEqual([]);
    expect(findSharedBySlow([old, old], [undefined])).toEqual([]);
  });
});

describe('a rate that goes up and down faster than intervals can follow', () => {
  /** Mbit/s that iperf3 3.12 printed of a shaper that changed between 200 and 40 every two seconds, in intervals that fell across. */
  const swings = [
    [111, 188, 136, 41.8, 90.4, 199, 135, 31.7, 83.9, 167, 147, 42.1, 73.4, 189, 157],
    [115, 203, 121, 39.1, 101, 192, 122, 39.1, 47.4, 173, 140, 39, 86.6, 196, 153],
  ];

  it.each(swings)('its turning points are the levels: %#', (...values) => {
    const two = swingsInTime(values);
    expect(two?.high).toBeGreaterThan(180);
    expect(two?.low).toBeLessThan(45);
  });

  it('is bimodal though it loses while it falls, where other intervals lose nothing', () => {
    const values = (swings[1] ?? []).map((one) => one * 1e6);
    const seen = (lossless: number): VerdictKind =>
      verdictOf({ ...ten, samples: samples(values, { retransmits: 9000, lossless }) }).kind;
    expect(seen(0.6)).toBe('bimodalTime');
    expect(seen(0.1)).toBe('loss');
  });

  it.each([
    ['a ramp', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    ['one dip', [9, 9.1, 9, 2, 9.2, 9.1, 9, 9.1]],
    ['peaks of all heights', [2, 9, 1, 5, 1.1, 3, 1, 9, 1.2, 4]],
    ['a rate that trembles', [9, 8, 9.1, 7.9, 9, 8.1, 9.2, 8]],
    ['nothing', []],
  ])('not: %s', (_what, values) => expect(swingsInTime(values)).toBeUndefined());
});
