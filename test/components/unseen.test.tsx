import { afterEach, describe, expect, test } from 'vitest';
import { rowLine } from '../../components/blocks/table.ts';
import { findingsHead } from '../../components/findings.ts';
import { boardLayout, zoomLayout } from '../../components/layout.ts';
import { paint, plainLine } from '../../components/paint.ts';
import { makeTheme } from '../../components/theme.ts';
import { width } from '../../src/text/width.ts';
import { finding, firstUpdate, otherHead, slurmHead } from './fixture.ts';
import { rig, type Rig } from './harness.tsx';
import type { RankedFinding } from '../../src/model/finding.ts';

const sizes = [
  [80, 24],
  [100, 30],
  [120, 35],
  [200, 50],
  [300, 80],
] as const;

const panes = [slurmHead, otherHead('switch', 'Switches'), otherHead('gluster', 'Gluster')];

/** `critical` of so many, then warnings, as the ranking puts them. */
const many = (critical: number, warnings: number): readonly RankedFinding[] =>
  Array.from({ length: critical + warnings }, (_, index) =>
    finding(`kind${index}:x`, {
      severity: index < critical ? 'critical' : 'warning',
      summary: `ost${index} of scratch refuses writes, and what follows is long enough to be cut in any row of a small screen`,
      hurt: {},
    }),
  );

let one: Rig;
afterEach(() => one.close());

const open = async (columns: number, rows: number, findings: readonly RankedFinding[]): Promise<void> => {
  one = await rig({ columns, rows });
  one.mirror.receive(firstUpdate({ heads: panes, findings }));
  await one.settle();
};

describe.each(sizes)('at %dx%d', (columns, rows) => {
  test('what scrolled away is counted at its edge, the worst of it by name', async () => {
    await open(columns, rows, many(3, 90));
    expect(one.screen()).toMatch(/↓ \d+ warnings below: ost\d+ of scratch/);
    await one.keys('G');
    expect(one.screen()).toMatch(/↑ 3 critical, \d+ warnings above: ost0 of scratch refuses writes/);
    await one.keys('g');
    expect(one.screen()).not.toContain('critical above');
  });

  test('nothing is counted where all findings fit', async () => {
    await open(columns, rows, many(1, 1));
    expect(one.lines().slice(0, 10).join('\n')).not.toMatch(/above|below/);
  });

  test('a screen reader is told of them, too', async () => {
    one = await rig({ columns, rows, linear: true });
    one.mirror.receive(firstUpdate({ heads: panes, findings: many(3, 90) }));
    await one.settle();
    expect(one.screen()).toMatch(/↓ \d+ warnings below: ost\d+ of scratch/);
  });
});

test('at 80x24 the whole text of the selected finding stands below the list', async () => {
  await open(80, 24, many(2, 9));
  expect(one.lines().slice(0, 11).join(' ')).toMatch(/ost0 .* of a\s+small screen/);
  await one.keys('j', 'j');
  expect(one.lines().slice(0, 11).join(' ')).toMatch(/ost2 .* of a\s+small screen/);
});

test('a resize keeps the worst in view, or names it at the edge', async () => {
  await open(120, 50, many(2, 30));
  await one.keys('j', 'j', 'j');
  await one.resize(80, 24);
  expect(one.lines().slice(0, 11).join('\n')).toContain('ost3 of scratch');
  expect(one.lines().slice(0, 11).join('\n')).toContain('ost0 of scratch');
  await one.keys('j', 'j', 'j', 'j', 'j', 'j');
  await one.resize(100, 30);
  expect(one.screen()).toContain('ost0 of scratch');
});

describe('after A', () => {
  const sunk = (list: readonly RankedFinding[], id: string): readonly RankedFinding[] => {
    const acked = { who: 'alice', text: 'known', at: 0, until: 1 };
    return [
      ...list.filter((other) => other.id !== id),
      ...list.filter((other) => other.id === id).map((other) => ({ ...other, acked })),
    ];
  };

  test('the cursor stays where it was, on what took the place', async () => {
    const list = many(2, 3);
    one = await rig({ columns: 120, rows: 35, replies: { ack: () => ({ kept: 'here' }) } });
    one.mirror.receive(firstUpdate({ heads: panes, findings: list }));
    await one.keys('j', 'A');
    await one.type('known');
    await one.keys('Enter', 'Enter');
    one.mirror.receive(firstUpdate({ seq: 2, heads: panes, findings: sunk(list, list[1]?.id ?? '') }));
    await one.settle();
    expect(one.screen()).toMatch(/>! slurm +ost2/);
  });

  test('of a colleague the cursor stays on its finding: nothing changes under the hand', async () => {
    const list = many(2, 3);
    await open(120, 35, list);
    await one.keys('j');
    one.mirror.receive(firstUpdate({ seq: 2, heads: panes, findings: sunk(list, list[1]?.id ?? '') }));
    await one.settle();
    expect(one.screen()).toMatch(/>✖ slurm +ost1/);
  });
});

describe('room', () => {
  test('findings get what half-empty panes leave, and no more than they need', () => {
    const heightOf = (findings: number, panes: readonly number[]): number => {
      const layout = boardLayout(300, 80, { findings, panes });
      return layout.kind === 'grid' ? layout.findings.height : 0;
    };
    expect(heightOf(24, [8, 8, 8, 8, 8, 8])).toBeGreaterThanOrEqual(24);
    expect(heightOf(24, [90, 90, 90, 90, 90, 90])).toBe(13);
    expect(heightOf(5, [8, 8, 8, 8, 8, 8])).toBe(13);
  });

  test('the detail below a short list gets what that leaves; beside it nothing moves', () => {
    const heightsOf = (columns: number, rows: number, lines: number): readonly number[] => {
      const { table, detail } = zoomLayout(columns, rows, lines);
      return [table.height, detail.height];
    };
    expect(heightsOf(80, 24, 5)).toEqual([8, 14]);
    expect(heightsOf(80, 24, 8)).toEqual([8, 14]);
    expect(heightsOf(80, 24, 1)).toEqual([6, 16]);
    expect(heightsOf(80, 24, 60)).toEqual([14, 8]);
    expect(heightsOf(200, 50, 5)).toEqual([48, 48]);
  });

  test.each(sizes)('all of a board of %dx%d is used, once', (columns, rows) => {
    for (const panes of [[], [3], [50, 3, 3], [9, 90, 9, 9, 9, 9, 2]]) {
      const layout = boardLayout(columns, rows, { findings: 30, panes });
      if (layout.kind === 'tooSmall') throw new Error('it fits');
      const cells = new Set<string>();
      const places =
        layout.kind === 'grid'
          ? [layout.findings, ...layout.panes]
          : [layout.findings, layout.tabs, layout.pane];
      for (const { left, top, width, height } of places)
        for (let line = top; line < top + height; line++) {
          expect(line).toBeLessThan(rows - 1);
          for (let column = left; column < left + width; column++) {
            expect(cells.has(`${line} ${column}`)).toBe(false);
            cells.add(`${line} ${column}`);
          }
        }
    }
  });
});

test('the selected row is a bar across its width, with its sign and mark; reversed without colour', async () => {
  await open(80, 24, many(1, 1));
  for (const [env, code] of [
    [{ LANG: 'C.UTF-8' }, '\u001B[100m'],
    [{ LANG: 'C', NO_COLOR: '1' }, '\u001B[7m'],
  ] as const) {
    const head = findingsHead(many(1, 1));
    const block = head.blocks[0];
    if (block?.type !== 'table') throw new Error('findings are a table');
    const lines = block.rows.map((row, index) =>
      rowLine(makeTheme(env), block, row, 120, 0, { cursor: index === 0, marked: false, focused: true }),
    );
    expect(lines[0]?.startsWith(code)).toBe(true);
    expect(width(plainLine(lines[0] ?? paint(makeTheme(env), '')))).toBe(120);
    expect(plainLine(lines[0] ?? paint(makeTheme(env), ''))).toMatch(/^>[✖X]/);
    expect(lines[1]).not.toContain(code);
  }
});
