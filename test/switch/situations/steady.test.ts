import { describe, expect, it } from 'vitest';
import { findings } from '../../../probes/switch/judge/findings.ts';
import { loadSeries, totalSeries } from '../../../probes/switch/judge/track.ts';
import { upSeries } from '../../../probes/switch/links/links.ts';
import type { Point } from '../../../src/model/reading.ts';
import { historyOf, judgementOf, siteOf, Sources, start } from '../../helpers/judging.ts';

const port = 'leaf7:eth1';
const site = siteOf(
  [
    { name: 'leaf7', roles: ['switch'], platform: 'arista_eos' },
    { name: 'spine2', roles: ['switch'], platform: 'arista_eos' },
  ],
  { links: [{ from: port, to: 'spine2:eth1' }] },
);

interface World {
  /** Bad frames in all, so many seconds before the newest sample. */
  written: readonly (readonly [secondsAgo: number, total: number])[];
  /** Of the two newest samples; the later one is the newest. */
  samples: readonly [number, number];
  stepS?: number;
  framesPerS?: number;
  upAgoS?: number;
  linkTransitions?: bigint;
}

const judged = ({
  written,
  samples,
  stepS = 10,
  framesPerS = 50_000,
  upAgoS,
  linkTransitions = 0n,
}: World) => {
  const readings = new Sources();
  const now = start + 7_200_000;
  for (const [index, total] of samples.entries()) {
    const before = (samples.length - 1 - index) * stepS;
    const put = (host: string, bad: number) =>
      readings.good(
        'switch.counters',
        host,
        {
          ports: [
            {
              port: 'eth1',
              name: 'Ethernet1',
              link: 'connected',
              state: 'up',
              counts: {
                rxPackets: BigInt(9e9 - before * framesPerS),
                rxCrc: BigInt(bad),
                linkTransitions: index === 1 ? linkTransitions : 0n,
              },
            },
          ],
        },
        now - before * 1000,
        20,
        2,
      );
    put('leaf7', total);
    put('spine2', 0);
  }
  const at = (secondsAgo: number): number => now - secondsAgo * 1000;
  const history: Record<string, Point[]> = {
    [totalSeries(port)]: written.map(([ago, total]) => ({ at: at(ago), value: BigInt(total) })),
    [loadSeries(port)]: written.map(([ago]) => ({ at: at(ago), value: framesPerS })),
    ...(upAgoS !== undefined && {
      [upSeries(port)]: [
        { at: at(upAgoS + 9000), value: 'connected' },
        { at: at(upAgoS + 30), value: 'notconnect' },
        { at: at(upAgoS), value: 'connected' },
      ],
    }),
  };
  return findings(judgementOf({ readings, site, now, history: historyOf(history) })).map(
    ({ kind, severity, subject, summary, evidence }) => ({
      kind,
      severity,
      id: subject.id,
      summary: String(summary),
      evidence: evidence.map(({ text }) => String(text)),
    }),
  );
};

/** One more every `everyS` from so long ago on. */
const rising = (fromS: number, everyS: number, by = 1, until = 0): [number, number][] =>
  Array.from({ length: Math.floor((fromS - until) / everyS) + 1 }, (_, index) => [
    fromS - index * everyS,
    100 + index * by,
  ]);

describe('bad frames that are too few for the samples at hand', () => {
  it.each([
    [
      '1.2/s seen every 2 s by a pane that is watched',
      {
        written: rising(240, 2, 2.4).map(([s, n]) => [s, Math.round(n)] as const),
        samples: [386, 388],
        stepS: 2,
      },
      /1\.2 bad frames\/s over 4 min/,
    ],
    [
      'what `status` saw of 1.2/s when it was asked three times',
      {
        written: [
          [9, 100],
          [7, 102],
          [5, 105],
          [3, 107],
        ],
        samples: [110, 112],
        stepS: 2,
      },
      /1\.3 bad frames\/s over 9 s/,
    ],
    ['0.1/s', { written: rising(1800, 10), samples: [279, 280] }, /0\.10 bad frames\/s over 30 min/],
    [
      'one a minute on a link that carries little',
      { written: rising(3540, 60), samples: [159, 159], framesPerS: 500 },
      /0\.02 bad frames\/s over 59 min/,
    ],
    [
      'since the counters were cleared',
      { written: [[1900, 90_000] as const, ...rising(600, 20)], samples: [130, 130], framesPerS: 5000 },
      /over 10 min/,
    ],
    [
      'a gap of half an hour in which nobody looked',
      {
        written: [
          ...rising(3000, 20, 1, 2700),
          [600, 200],
          [580, 201],
          [560, 202],
          ...rising(540, 20, 1).map(([s, n]) => [s, n + 103] as const),
        ],
        samples: [230, 230],
        framesPerS: 5000,
      },
      /over 10 min/,
    ],
  ] as const)('%s', (_what, world, summary) => {
    const [found, ...more] = judged(world);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ kind: 'bad-link', severity: 'warning', id: port });
    expect(found?.summary).toMatch(summary);
    expect(found?.summary).toMatch(/spine2 eth1/);
    expect(found?.evidence[0]).toBeDefined();
    expect(found?.evidence.join('\n')).toMatch(/few at a time/);
  });

  it.each([
    [
      'one burst 40 min ago',
      {
        written: [
          [3000, 100],
          [2400, 120],
        ],
        samples: [120, 120],
      },
    ],
    [
      'a burst with stragglers',
      {
        written: [
          [3000, 100],
          [2400, 150],
          [2000, 151],
          [1000, 152],
          [30, 153],
        ],
        samples: [153, 153],
      },
    ],
    ['it went on until ten minutes ago', { written: rising(3000, 20, 1, 600), samples: [220, 220] }],
    ['below 1e-7 of all frames', { written: rising(3540, 60), samples: [159, 159], framesPerS: 5_000_000 }],
    [
      'the training of a link that came up',
      { written: rising(300, 10, 1, 200), samples: [110, 110], upAgoS: 295 },
    ],
    [
      'four frames in three rises, seen within seconds',
      {
        written: [
          [9, 100],
          [7, 102],
          [3, 103],
        ],
        samples: [103, 104],
        stepS: 2,
      },
    ],
    ['five frames in an hour', { written: rising(3000, 700), samples: [104, 104], framesPerS: 100 }],
    ['nothing was written down yet', { written: [], samples: [100, 101] }],
    [
      'the link goes in this very interval',
      { written: rising(1800, 10), samples: [279, 280], linkTransitions: 2n },
    ],
  ] as const)('silent: %s', (_what, world) => {
    const found = judged(world as World).filter(({ kind }) => kind === 'bad-link');
    expect(found).toEqual([]);
  });

  it('what the newest samples show goes before it', () => {
    const [found] = judged({ written: rising(1800, 10), samples: [280, 380] });
    expect(found?.summary).toMatch(/10 bad frames\/s \(/);
  });
});
