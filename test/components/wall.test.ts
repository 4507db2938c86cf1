import { describe, expect, test } from 'vitest';
import { applyUpdate, emptyData, type Data } from '../../components/mirror.ts';
import { plainLine } from '../../components/paint.ts';
import { makeTheme } from '../../components/theme.ts';
import { findLastChange } from '../../components/wall-findings.ts';
import { pageAt, wallLines, type WallLook } from '../../components/wall-lines.ts';
import { width } from '../../src/text/width.ts';
import type { PaneHead } from '../../src/model/wire.ts';
import { finding, firstUpdate, NOW, otherHead, slurmHead, strip } from './fixture.ts';

const theme = makeTheme({ LANG: 'C.UTF-8' });
const source = slurmHead.sources[0];
if (!source) throw new Error('the fixture has a source');

const draw = (data: Data, change: Partial<WallLook> = {}): string[] =>
  wallLines({ theme, data, columns: 110, rows: 30, now: NOW, startedAt: NOW - 600_000, ...change }).map(
    (line) => plainLine(line).trimEnd(),
  );
const good = applyUpdate(
  emptyData('x'),
  firstUpdate({ heads: [slurmHead, otherHead('gluster', 'Gluster')] }),
);
const late = (head: PaneHead, change: object = {}): PaneHead => ({
  ...head,
  sources: [
    {
      ...source,
      state: 'failed',
      goodAt: NOW - 180_000,
      message: 'ctl1: no answer to scontrol ping; is it up?',
      said: { what: 'no answer to scontrol ping', next: 'is it up?' },
      ...change,
    },
  ],
});

describe('the wall', () => {
  test('shows site, clock, counts, age, findings and one figure per system', () => {
    const lines = draw(good);
    expect(lines[1]).toMatch(/^ {2}sherlock +(Thu|Fri) 2026-11-\d\d {2}\d\d:\d\d:07 {2}[●○]$/);
    expect(lines.slice(3, 8).join('')).toMatch(/█ +█/);
    expect(lines[9]).toMatch(/✖ 1 critical {3}! 1 warning {3}· 1 notice +oldest reading 9 s$/);
    expect(lines.join('\n')).toMatch(/✖ SLURM +node\[77-78\] do not respond +43 min/);
    expect(lines.at(-2)).toContain('SLURM ! 180/200 up');
    expect(lines.at(-2)).toContain('GLUSTER 2/2 vol');
  });

  test('says who acknowledged a finding, dim, and counts what a finding explains at its cause, by the worst of it', () => {
    const told = applyUpdate(
      good,
      firstUpdate({
        findings: [
          finding('cause', { summary: 'b7 lost', explains: 2, worst: 'critical' }),
          finding('known', {
            summary: 'node140 is out',
            acked: { who: 'alice', text: 'vendor \u001B[2J comes', at: NOW, until: NOW + 3_600_000 },
          }),
          finding('effect', { summary: 'an effect', explainedBy: 'slurm:cause', severity: 'critical' }),
        ],
      }),
    );
    const lines = draw(told);
    expect(lines.join('\n')).toMatch(/✖ SLURM +b7 lost \(explains 2 more, up to critical\) +43 min/);
    expect(lines.join('\n')).toMatch(/! SLURM +node140 is out +43 min\n +acked by alice until .*: vendor/);
    expect(lines.join('\n')).not.toContain('an effect');
    const painted = wallLines({
      theme,
      data: told,
      columns: 110,
      rows: 30,
      now: NOW,
      startedAt: NOW - 600_000,
    });
    const known = painted.find((line) => plainLine(line).includes('node140 is out'));
    expect(known).toContain('\u001B[2m');
    expect(known).not.toContain('\u001B[2J');
  });

  test('beats every second', () => {
    expect(draw(good)[1]).not.toBe(draw(good, { now: NOW + 1000 })[1]);
  });

  test('fills the window exactly, whatever its size', () => {
    for (const [columns, rows] of [
      [1, 1],
      [39, 7],
      [40, 8],
      [80, 24],
      [200, 50],
      [500, 200],
      [3, 50],
    ] as const) {
      const lines = wallLines({ theme, data: good, columns, rows, now: NOW, startedAt: NOW - 600_000 });
      expect(lines, `${columns}x${rows}`).toHaveLength(rows);
      for (const line of lines) expect(width(plainLine(line)), `${columns}x${rows}`).toBe(columns);
    }
  });

  test('pages when the findings do not fit: all are seen, the worst longest', () => {
    const many = applyUpdate(
      good,
      firstUpdate({
        findings: Array.from({ length: 60 }, (_, index) =>
          finding(`f${index}`, { summary: `finding ${index}.` }),
        ),
      }),
    );
    const seen = new Map<string, number>();
    for (let second = 0; second < 300; second++) {
      const now = NOW + second * 1000;
      const fresh = { ...slurmHead, sources: [{ ...source, goodAt: now }] };
      const text = draw({ ...many, heads: [fresh] }, { now, startedAt: NOW }).join('\n');
      for (const [, number = ''] of text.matchAll(/finding (\d+)\./g))
        seen.set(number, (seen.get(number) ?? 0) + 1);
    }
    expect(seen.size).toBe(60);
    expect(seen.get('0')).toBeGreaterThan(seen.get('59') ?? 0);
    expect(pageAt(0, 0, 1)).toBe(0);
    expect([0, 14_999, 15_000, 22_000, 29_000].map((at) => pageAt(at, 0, 3))).toEqual([0, 0, 1, 2, 0]);
  });

  test('a small wall with much wrong says what and where in a line each, on few pages; a large one all of it', () => {
    const many = applyUpdate(
      good,
      firstUpdate({
        findings: Array.from({ length: 16 }, (_, index) =>
          finding(`f${index}`, {
            system: 'nfs',
            summary: `srv${index} hangs on 8 clients`,
            contact: 'storage',
          }),
        ),
      }),
    );
    const small = draw(many, { columns: 80, rows: 24 }).join('\n');
    expect(small).toMatch(/page 1 of [23]$/m);
    expect(small).toMatch(/^ +[✖!·] NFS +srv0 hangs on 8 clients /m);
    expect(small).not.toContain('owner storage');
    const large = draw(many, { columns: 200, rows: 80 }).join('\n');
    expect(large).toContain('owner storage');
    expect(large).not.toContain('page 1 of');
  });

  test('says all fine and since when, never before the first judgement', () => {
    const fine = applyUpdate(
      good,
      firstUpdate({ findings: [], strip: { ...strip, counts: { critical: 0, warning: 0, notice: 0 } } }),
    );
    expect(draw(fine, { fineSince: NOW - 3_600_000 }).join('\n')).toMatch(/✓ all fine since \d\d:41/);
    const { findings: _, ...unjudged } = good;
    expect(draw(unjudged).join('\n')).toContain('waiting for the first answers');
    expect(draw(unjudged).join('\n')).not.toContain('all fine');
  });

  test('says in words that the data is old, over the whole wall and instead of figures', () => {
    const old = applyUpdate(
      good,
      firstUpdate({ heads: [late(slurmHead), late(otherHead('gluster', 'Gluster'))] }),
    );
    const text = draw(old).join('\n');
    expect(text).toContain('THE DATA IS OLDER THAN IT SHOULD BE: what is true now is not known.');
    expect(text).toMatch(/The last answer came at \d\d:38, 3 min ago\./);
    expect(text).toContain('? Slurm: ctl1: no answer to scontrol ping; last read');
    expect(text).not.toContain('180/200');
    expect(text).not.toContain('do not respond');
    expect(text).not.toContain('critical');
    expect(text).not.toContain('CRITICAL');
  });

  test('one system that is not read keeps the others, its figures go', () => {
    const half = applyUpdate(good, firstUpdate({ heads: [late(slurmHead)] }));
    const text = draw(half).join('\n');
    expect(text).toContain('? Slurm: ctl1: no answer to scontrol ping; last read');
    expect(text).toContain('SLURM not known');
    expect(text).toContain('GLUSTER 2/2 vol');
    expect(text).not.toContain('180/200');
  });

  test('one host of many that does not answer is no reason to blank anything', () => {
    const hosts = {
      ...slurmHead,
      sources: [source, { ...source, host: 'ctl2', state: 'failed' as const, goodAt: NOW - 900_000 }],
    };
    expect(draw(applyUpdate(good, firstUpdate({ heads: [hosts] }))).join('\n')).toContain('180/200 up');
  });

  test('a slow probe of hosts that never answered leaves the figures and "all fine" alone', () => {
    const { goodAt: _, ...never } = {
      ...source,
      probe: 'slurm.check',
      state: 'failed' as const,
      everyMs: 60_000,
    };
    const head = { ...slurmHead, sources: [source, never] };
    const text = draw(applyUpdate(good, firstUpdate({ heads: [head], findings: [] })), {
      fineSince: NOW,
    }).join('\n');
    expect(text).toContain('180/200 up');
    expect(text).toContain('all fine since');
  });

  test('a collector that died or never spoke is said as well', () => {
    const dead = draw({
      ...emptyData('x'),
      collector: { state: 'stopped', text: 'out of memory', at: NOW },
    }).join('\n');
    expect(dead).toContain('Nothing has answered since this wall was started.');
    expect(dead).toContain('The collector stopped: out of memory. It is being started again.');
    expect(draw(emptyData('x'), { startedAt: NOW - 5000 }).join('\n')).toContain(
      'waiting for the first answers',
    );
  });

  test('nothing found while something is not read is not "all fine"', () => {
    const partly = applyUpdate(good, firstUpdate({ findings: [], heads: [late(slurmHead)] }));
    const text = draw(partly, { fineSince: NOW - 1000 }).join('\n');
    expect(text).toContain('nothing found in what could be read');
    expect(text).not.toContain('all fine');
  });

  test('probes that would touch anything are not asked, and their pane says so', () => {
    const off = { ...otherHead('iperf', 'iperf'), sources: [{ ...source, state: 'notAsked' as const }] };
    expect(draw(applyUpdate(good, firstUpdate({ heads: [off] }))).at(-2)).toContain(
      'IPERF not asked: read-only',
    );
  });

  test('failed before anything was read is not known, not on its way; what the site has not is neither', () => {
    const { goodAt: _, ...never } = { ...source, state: 'never' as const };
    const said = (change: Partial<PaneHead>): string =>
      draw(applyUpdate(good, firstUpdate({ heads: [{ ...slurmHead, ...change }] })), {
        startedAt: NOW - 5000,
      }).at(-2) ?? '';
    expect(said({ sources: [never] })).toContain('SLURM waiting');
    expect(said({ sources: [{ ...never, state: 'failed' }] })).toContain('SLURM not known');
    // It takes no room.
    expect(said({ sources: [], absent: true })).not.toContain('SLURM');
  });
});

describe('large letters', () => {
  const wordAt = (columns: number, rows: number, data = good, env: object = { LANG: 'C.UTF-8' }): string[] =>
    wallLines({ theme: makeTheme({ ...env }), data, columns, rows, now: NOW, startedAt: NOW - 600_000 }).map(
      (line) => plainLine(line).trimEnd(),
    );
  const blocks = (lines: readonly string[], dot = '█'): number =>
    lines.filter((line) => line.includes(dot.repeat(3))).length;

  test('grow with the window, and are a plain line where they do not fit', () => {
    const heights = (
      [
        [80, 24],
        [200, 50],
        [300, 80],
      ] as const
    ).map(([columns, rows]) => blocks(wordAt(columns, rows)));
    expect(heights[0]).toBeGreaterThan(0);
    expect(heights[2]).toBeGreaterThan(heights[0] ?? 0);
    expect(heights[1]).toBeGreaterThanOrEqual(heights[0] ?? 0);
    expect(heights[2]).toBeGreaterThanOrEqual(heights[1] ?? 0);
    expect(wordAt(50, 20).join('\n')).toMatch(/^ {2}1 CRITICAL$/m);
  });

  test('are of # without UTF-8, and without colour the same', () => {
    const lines = wordAt(110, 30, good, { LANG: 'C', NO_COLOR: '1' });
    expect(blocks(lines, '#')).toBeGreaterThan(0);
    expect(lines.join('')).toMatch(/^[\x20-\x7e]*$/);
  });

  test('never say fine of what is not known or what somebody knows of', () => {
    const none = { ...strip, counts: { critical: 0, warning: 0, notice: 0 } };
    const said = (change: Parameters<typeof firstUpdate>[0], fine: object = { fineSince: NOW }): string =>
      wallLines({
        theme,
        data: applyUpdate(good, firstUpdate({ strip: none, ...change })),
        columns: 50,
        rows: 20,
        now: NOW,
        startedAt: NOW - 600_000,
        ...fine,
      })
        .map(plainLine)
        .join('\n');
    expect(said({ findings: [] })).toContain('ALL FINE');
    expect(said({ findings: [], heads: [{ ...slurmHead, sign: 'unknown' }] })).toContain('NOT ALL READ');
    expect(said({ findings: [], heads: [{ ...slurmHead, sign: 'unknown' }] })).not.toContain('all fine');
    const acked = { who: 'alice', text: 'known', at: NOW, until: NOW + 1000 };
    expect(said({ findings: [finding('x', { acked })] }, {})).toContain('1 ACKED');
  });
});

describe('what changed last', () => {
  const one = finding('a', { severity: 'critical', since: NOW - 60_000 });
  const other = finding('b', { since: NOW - 5000, summary: 'b is new' });

  test('at first the youngest, then what comes and what goes', () => {
    const first = findLastChange([one, other], { findings: undefined, last: undefined }, NOW);
    expect(first).toMatchObject({ at: NOW - 5000, what: 'new', finding: { id: other.id } });
    const gone = findLastChange([other], { findings: [one, other], last: first }, NOW);
    expect(gone).toMatchObject({ at: NOW, what: 'gone', finding: { id: one.id } });
    const again = findLastChange([one, other], { findings: [other], last: gone }, NOW + 1);
    expect(again).toMatchObject({ at: NOW + 1, what: 'new', finding: { id: one.id } });
  });

  test('a notice, an effect, and figures that change are no change', () => {
    const before = { findings: [one], last: undefined };
    const notice = finding('n', { severity: 'notice' });
    const effect = finding('e', { explainedBy: one.id, severity: 'critical' });
    expect(findLastChange([one, notice, effect], before, NOW)).toBeUndefined();
    expect(findLastChange([{ ...one, explains: 3 }], before, NOW)).toBeUndefined();
    expect(findLastChange(undefined, before, NOW)).toBeUndefined();
  });
});
