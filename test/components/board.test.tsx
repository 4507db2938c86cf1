import { makeSafe, type SafeText } from '../../src/text/safe.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { rig, type Rig } from './harness.tsx';
import { findings, firstUpdate, nodeRow, nodesTable, NOW, otherHead, slurmHead, strip } from './fixture.ts';
import { wordsOf } from '../../src/model/words.ts';

const five = [
  slurmHead,
  otherHead('switch', 'Switches'),
  otherHead('gluster', 'Gluster'),
  otherHead('lustre', 'Lustre'),
  otherHead('iperf', 'iperf'),
];
let one: Rig;
const open = async (...args: Parameters<typeof rig>): Promise<Rig> => {
  one = await rig(...args);
  return one;
};
const receive = async (...args: Parameters<typeof firstUpdate>): Promise<void> => {
  one.mirror.receive(firstUpdate(...args));
  await one.settle();
};
afterEach(() => one.close());

const source = slurmHead.sources[0];
if (!source) throw new Error('the fixture has a source');

describe('the board', () => {
  test('has the strip, the findings on top and all panes in a grid when there is room', async () => {
    await open({ columns: 160, rows: 45 });
    await receive({ heads: five });
    const lines = one.lines();
    expect(lines[0]).toMatch(
      /^ faultline {2}sherlock {3}✖ 1 {3}! 1 {3}· 1 .*oldest reading 9 s {2}[●○] \d\d:41:07$/,
    );
    expect(lines[1]).toMatch(/^─ Findings ─+ worst first · 1\/3 ─$/);
    expect(lines[3]).toMatch(/^>! slurm {4}node\[12-28,31\] drained by the health check.* 43 min$/);
    for (const title of ['! 1 Slurm', '2 Switches', '3 Gluster', '4 Lustre', '5 iperf'])
      expect(one.screen()).toContain(`─ ${title} ─`);
    expect(lines.at(-1)).toContain('1-9 pane');
  });

  test('has one pane at a time with tabs when there is not', async () => {
    await open({ columns: 100, rows: 30 });
    await receive({ heads: five });
    expect(one.screen()).toContain('[1 Slurm !]  2 Switches');
    expect(one.screen()).not.toContain('─ 2 Switches ─');
    await one.keys('2');
    expect(one.screen()).toContain('[2 Switches]');
    expect(one.screen()).toContain('Switches is fine');
  });

  test('reads a finding to its end below the rows where its own row is cut', async () => {
    await open({ columns: 80, rows: 24 });
    const summary = 'core3 te3/46 receives 1,204 bad frames/s (5.7 %), suspect nfs-sw1 te1/12';
    const [finding] = findings;
    if (!finding) throw new Error('the fixture has a finding');
    await receive({ heads: five, findings: [{ ...finding, summary: wordsOf(makeSafe(summary)) }] });
    const board = one.lines();
    expect(board[3]).toContain('receives 1,204 bad frames/s (5.7 %), suspe…');
    expect(board[8]).toBe('   core3 te3/46 receives 1,204 bad frames/s (5.7 %), suspect nfs-sw1 te1/12 ·');
    expect(board[9]).toBe('   hurts 18 nodes');
    await one.resize(140, 24);
    // Whole in its row, with a column for who is hurt: said once.
    expect(one.screen().split('suspect nfs-sw1 te1/12')).toHaveLength(2);
    expect(one.lines()[3]).toMatch(/suspect nfs-sw1 te1\/12 +18 nodes +43 min$/);
  });

  test('says of a finding that could not be read again of when it is', async () => {
    await open({ columns: 80, rows: 24 });
    const [finding] = findings;
    if (!finding) throw new Error('the fixture has a finding');
    const lastRead = new Date(2026, 10, 20, 2, 41, 7).getTime();
    await receive({ heads: five, findings: [{ ...finding, lastRead }] });
    expect(one.lines()[3]).toContain('! slurm    ⏸ as of 02:41:07: node[12-28,31] drained');
    await one.keys('Enter');
    expect(one.screen()).toMatch(/as of +02:41:07: what it rests on could not be read again since/);
    await receive({ seq: 3, heads: five, findings: [finding] });
    expect(one.screen()).not.toContain('as of');
  });

  test('says in one sentence what size it needs below 80x24', async () => {
    await open({ columns: 79, rows: 24 });
    expect(one.screen().trim()).toBe('faultline needs at least 80x24, this window is 79x24. Ctrl-C leaves.');
    await one.keys('Ctrl-C');
    expect(one.exits).toBe(1);
  });

  test.each([
    [0, 0],
    [1, 1],
    [2, 1],
    [7, 3],
    [80, 24],
    [81, 24],
    [500, 200],
    [80, 200],
    [500, 24],
  ])('draws at %ix%i, with and without data, zoomed and with a menu', async (columns, rows) => {
    await open({ columns, rows, replies: { menu: () => [], detail: () => [] } });
    await receive({ heads: five });
    await one.keys('1', 'Enter', 'a');
    await one.resize(160, 45);
    expect(one.screen()).toContain('1 Slurm');
    await one.resize(columns, rows);
    await one.resize(80, 24);
    await one.keys('Esc', 'Esc', 'Esc');
    expect(one.screen()).toContain('Findings');
  });

  test('beats once a second and lets ages grow, with nothing new from the collector', async () => {
    await open();
    await receive();
    const before = one.lines()[0] ?? '';
    one.pass(1000);
    await one.settle();
    const after = one.lines()[0] ?? '';
    expect(after).toContain('oldest reading 10 s');
    expect(after).toContain(':41:08');
    expect(before.includes('●')).not.toBe(after.includes('●'));
  });

  test('sends one cursor move in less than 1 kB at 200x50 with 10,000 rows', async () => {
    await open({ columns: 200, rows: 50, replies: { detail: () => [] } });
    const rows = Array.from({ length: 10_000 }, (_, index) => nodeRow(index + 1));
    await receive({ heads: five, rows: [{ pane: 'slurm', block: 'nodes', upsert: rows, remove: [] }] });
    await one.keys('1');
    for (const place of ['board', 'zoom']) {
      await one.keys('g', 'j');
      const before = one.bytes();
      await one.keys('j');
      expect(one.bytes() - before, place).toBeLessThan(1000);
      await one.keys('Enter');
    }
  });
});

describe('empty, failed, stale and never asked are four different things', () => {
  const empty = { rows: [{ pane: 'slurm', block: 'nodes', upsert: [], remove: [] }] };

  test('before any answer it waits, and does not say that all is fine', async () => {
    await open();
    expect(one.screen()).toContain('no reading yet');
    expect(one.screen()).toContain('waiting for the first answers');
    await receive({
      ...empty,
      heads: [
        { ...slurmHead, sources: [{ probe: 'slurm.nodes', host: 'ctl1', state: 'never', everyMs: 10_000 }] },
      ],
    });
    expect(one.screen()).toContain('waiting for the first answer from ctl1');
    expect(one.screen()).not.toContain('no nodes out of service');
  });

  test('empty is said in the words of the pane', async () => {
    await open();
    await receive({ ...empty, findings: [] });
    expect(one.screen()).toContain('no nodes out of service');
    expect(one.screen()).toContain('nothing found: all fine');
  });

  test('nothing found is not all fine while a pane is not known', async () => {
    await open();
    await receive({ ...empty, findings: [], heads: [{ ...slurmHead, sign: 'unknown' }] });
    expect(one.screen()).toContain('nothing found so far; not fully known: Slurm');
    expect(one.screen()).not.toContain('all fine');
  });

  test('a system that the site has no host for is neither waited for nor unknown', async () => {
    await open();
    const head = {
      ...slurmHead,
      sign: 'fine',
      summary: 'not on this site',
      sources: [],
      absent: true,
    } as const;
    await receive({ ...empty, findings: [], heads: [head, otherHead('gluster', 'Gluster')] });
    expect(one.screen()).toContain('nothing found: all fine');
    // It takes no room, and the others keep their numbers: a key means the same on every site.
    expect(one.screen()).not.toContain('Slurm');
    expect(one.screen()).toContain('─ 2 Gluster ─');
    await one.keys('2');
    expect(one.console.state().ui.focus).toBe('gluster');
    await one.keys('1');
    expect(one.screen()).toContain('there is no pane 1');
    expect(one.console.state().ui.focus).toBe('gluster');
    expect(one.screen()).not.toContain('waiting');
  });

  test('failed without any reading says what failed', async () => {
    await open();
    await receive({
      ...empty,
      heads: [
        {
          ...slurmHead,
          sources: [
            {
              probe: 'slurm.nodes',
              host: 'ctl1',
              state: 'failed',
              everyMs: 10_000,
              failingSince: NOW - 12_000,
              message: 'ctl1: connection refused; is sshd running?',
            },
          ],
        },
      ],
    });
    expect(one.screen()).toContain('not known: ctl1: connection refused; is sshd running? (for 12 s)');
    expect(one.screen()).not.toContain('no nodes out of service');
  });

  test('failing keeps the rows, dim, and says since when they are', async () => {
    await open();
    const failing = {
      ...source,
      state: 'failed' as const,
      goodAt: NOW - 136_000,
      failingSince: NOW - 12_000,
      message: 'ctl1: no answer to scontrol ping',
    };
    await receive({
      heads: [{ ...slurmHead, sources: [failing] }],
      rows: [{ pane: 'slurm', block: 'nodes', upsert: [nodeRow(1, { stale: true })], remove: [] }],
    });
    expect(one.screen()).toMatch(/ctl1: no answer to scontrol ping for 12 s, shown rows are from \d\d:38:51/);
    expect(one.screen()).toContain(' ⏸ node1 ');
    await receive({
      ...empty,
      heads: [{ ...slurmHead, sources: [failing] }],
      rows: [{ pane: 'slurm', block: 'nodes', upsert: [], remove: ['node1'] }],
    });
    expect(one.screen()).toContain('; when last read: no nodes out of service');
  });

  test('not asked says why', async () => {
    await open();
    await receive({
      ...empty,
      heads: [
        {
          ...slurmHead,
          sources: [{ probe: 'iperf.run', host: 'a', state: 'notAsked', everyMs: 0, message: 'read-only' }],
        },
      ],
    });
    expect(one.screen()).toContain('not asked: read-only');
  });

  test('a filter that hides everything does not look like none', async () => {
    await open();
    await receive();
    await one.keys('1', '/');
    await one.type('nowhere');
    expect(one.screen()).toContain('no row matches "nowhere" (30 hidden; / changes it)');
    expect(one.screen()).not.toContain('no nodes out of service');
  });

  test('lines that were not understood are counted in the title', async () => {
    await open();
    await receive({ heads: [{ ...slurmHead, notUnderstood: 2 }] });
    expect(one.screen()).toContain('2 lines not understood');
  });

  test('a dead collector is said, keeps the rows, and starts again with R', async () => {
    await open();
    await receive();
    one.mirror.noteStopped('out of memory');
    one.pass(60_000);
    await one.settle();
    expect(one.lines()[0]).toContain('✖ collector stopped: out of memory; R starts it again');
    expect(one.screen()).toMatch(/not updated since \d\d:41:07/);
    expect(one.screen()).toContain('node12');
    await one.keys('R');
    expect(one.lines()[0]).toContain('starting again');
  });
});

describe('what stands on the screen is safe and plain', () => {
  test('hostile text is shown, harmless, wherever it comes from', async () => {
    await open();
    const evil = 'a\u001B]0;x\u0007\u001B[31mred\nline\u202Eb';
    const first = findings[0];
    if (!first) throw new Error('the fixture has findings');
    await receive({
      strip: { ...strip, badges: [evil] },
      heads: [{ ...slurmHead, summary: evil, title: `S${evil}` }],
      findings: [{ ...first, summary: wordsOf(evil as SafeText) }],
      rows: [
        {
          pane: 'slurm',
          block: 'nodes',
          upsert: [nodeRow(1, { cells: { node: { text: evil }, reason: { text: evil.repeat(50) } } })],
          remove: [],
        },
      ],
    });
    const shown = 'a^[]0;x^G^[[31mred⏎line<U+202E>b';
    expect(one.lines()[0]).toContain(shown);
    expect(one.lines().filter((line) => line.includes(shown)).length).toBeGreaterThan(3);
  });

  test('NO_COLOR draws no colour at all', async () => {
    await open({ env: { NO_COLOR: '1', LANG: 'C.UTF-8' } });
    await receive();
    for (let line = 0; line < 45; line++)
      for (let column = 0; column < 160; column++) expect(one.colourAt(line, column)).toBe(-1);
    expect(one.screen()).toContain(' ✖ slurm');
  });

  test('colours are there otherwise, each with its sign beside it', async () => {
    await open();
    await receive();
    expect(one.colourAt(4, 1)).toBe(1);
    expect(one.lines()[4]?.[1]).toBe('✖');
  });

  test('without a UTF-8 locale everything is ASCII', async () => {
    await open({ env: { LANG: 'C' } });
    await receive({ heads: five });
    await one.keys('?');
    expect(one.screen()).toMatch(/^[\x20-\x7e\n]*$/);
    await one.keys('Esc');
    expect(one.screen()).toMatch(/^[\x20-\x7e\n]*$/);
    expect(one.lines()[4]).toMatch(/^ X slurm/);
  });

  test('one pane that can not be drawn leaves the others alone', async () => {
    await open();
    const broken = { ...nodesTable, columns: null as unknown as typeof nodesTable.columns };
    await receive({ heads: [{ ...slurmHead, blocks: [broken] }, otherHead('switch', 'Switches')] });
    expect(one.screen()).toContain("this pane can't be drawn");
    expect(one.screen()).toContain('Switches is fine');
    await receive({ heads: [slurmHead] });
    expect(one.screen()).not.toContain("this pane can't be drawn");
    expect(one.screen()).toContain('node12');
  });

  test('for a screen reader it is lines without rules, the selected row first', async () => {
    await open({ linear: true });
    await receive();
    const text = one.screen();
    expect(text).toContain('faultline, site sherlock.');
    expect(text).toContain('1 critical, 1 warnings, 1 notices.');
    expect(text).toContain('Selected, warning: slurm, node[12-28,31] drained by the health check');
    expect(text).not.toMatch(/[─│]/);
    expect(text).not.toMatch(/:41:07/);
  });
});
