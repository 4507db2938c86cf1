import { describe, expect, test } from 'vitest';
import { layoutColumns } from '../../../components/blocks/columns.ts';
import { fixedLines } from '../../../components/blocks/fixed.ts';
import { gridHeadLine, gridRowLine, hasShades } from '../../../components/blocks/grid.ts';
import { cellText, rowLine } from '../../../components/blocks/table.ts';
import { blockLines } from '../../../components/dialogs/pager/lines.ts';
import { blank, plainLine } from '../../../components/paint.ts';
import { makeTheme } from '../../../components/theme.ts';
import { width } from '../../../src/text/width.ts';
import type { GridBlock, TableBlock } from '../../../src/model/view.ts';
import { nodeRow, nodesTable, NOW } from '../fixture.ts';

const theme = makeTheme({ LANG: 'C.UTF-8' });
const state = { cursor: false, marked: false, focused: false };

describe('columns', () => {
  test('what grows shares what is left; nothing is wider than the pane', () => {
    const { list } = layoutColumns(nodesTable.columns, 120);
    expect(list.map(({ width }) => width).reduce((sum, one) => sum + one + 2, -2)).toBe(120);
    expect(list.find(({ column }) => column.id === 'reason')?.width).toBeGreaterThan(20);
  });

  test('those with the highest drop go first, those without never', () => {
    const names = (width: number) =>
      layoutColumns(nodesTable.columns, width).list.map(({ column }) => column.id);
    expect(names(70)).not.toContain('user');
    expect(names(70)).toContain('jobs');
    expect(names(20)).toEqual(['node', 'state', 'reason', 'since']);
  });
});

describe('a table that is read without a cursor', () => {
  const table: TableBlock = {
    type: 'table',
    id: 'ends',
    title: 'Both ends',
    columns: [
      { id: 'what', title: '', min: 12 },
      { id: 'one', title: 'core3 te3/46', align: 'right', min: 8, grow: 1 },
      { id: 'two', title: 'nfs-sw1 te1/12', align: 'right', min: 8, grow: 1 },
    ],
    rows: [
      {
        key: 'bad',
        cells: { what: { text: 'CRC in all' }, one: { text: '1,064,263,014' }, two: { text: '0' } },
      },
      { key: 'read', cells: { what: { text: 'read' }, one: { text: '', age: NOW - 9000 } } },
    ],
    empty: '',
  };
  const text = 'the sending side: '.repeat(20);
  const blocks = [table, { type: 'text' as const, id: 't', lines: [{ text }] }];
  const lines = (columns: number, now = NOW) => blockLines(theme, blocks, columns, now).map(plainLine);

  test('is as wide as what stands in it, not as the screen; text neither', () => {
    expect(lines(200).every((line) => width(line) === 200)).toBe(true);
    const rows = lines(200).map((line) => line.trimEnd());
    expect(rows[1]?.indexOf('nfs-sw1') ?? 0).toBeLessThan(50);
    expect(rows[2]).toMatch(/^ +CRC in all {2,8}1,064,263,014 {10,20}0$/);
    expect(Math.max(...rows.map(width))).toBeLessThanOrEqual(160);
    // Nothing is lost where there is less room.
    expect(lines(60)[2]).toContain('1,064,263,014');
  });

  test('has room for an age that got longer', () => {
    const aged = {
      ...table,
      columns: [{ id: 'one', title: '', min: 3, grow: 1 }],
      rows: table.rows.slice(1),
    };
    const drawn = (now: number) => plainLine(blockLines(theme, [aged], 100, now)[2] ?? blank(0)).trim();
    expect([drawn(NOW), drawn(NOW + 3_700_000 * 11)]).toEqual(['9 s', '11 h 18 m']);
  });
});

describe('a row', () => {
  test('stale rows have the stale sign and no other', () => {
    expect(plainLine(rowLine(theme, nodesTable, nodeRow(1, { stale: true }), 90, NOW, state))).toMatch(
      /^ ⏸ node1 /,
    );
  });

  test('the cursor is drawn where the focus is, the mark everywhere', () => {
    const draw = (change: object) =>
      plainLine(rowLine(theme, nodesTable, nodeRow(1), 90, NOW, { ...state, ...change }));
    expect(draw({ cursor: true, focused: true })).toMatch(/^>! node1/);
    expect(draw({ cursor: true })).toMatch(/^ ! node1/);
    expect(draw({ marked: true })).toMatch(/^ !\*node1/);
  });

  test('a sign of a cell stands before its text unless row or text has it already', () => {
    expect(cellText({ text: 'drained', sign: 'warning' }, NOW)).toBe('! drained');
    expect(cellText({ text: 'drained', sign: 'warning' }, NOW, 'warning')).toBe('drained');
    expect(cellText({ text: '2.3!/9.4', sign: 'warning', showsSign: true }, NOW)).toBe('2.3!/9.4');
    expect(cellText({ text: 'up', sign: 'fine' }, NOW)).toBe('up');
    expect(cellText({ text: '', age: NOW - 5000 }, NOW)).toBe('5 s');
  });
});

describe('a grid', () => {
  const names = ['to wn-d-01', 'to wn-d-02', 'to wn-d-98'];
  const block: GridBlock = {
    type: 'grid',
    id: 'pairs',
    columns: names,
    rows: [
      {
        key: 'a',
        title: 'from wn-d-01',
        cells: [
          { text: '-' },
          { text: '9.4/9.4', sign: 'fine' },
          { text: '2.3!/9.4', sign: 'warning', showsSign: true },
        ],
      },
    ],
    empty: 'no pairs',
  };
  const row = block.rows[0];

  test('columns stand apart; names that are cut keep their ends', () => {
    if (!row) throw new Error('the grid has a row');
    for (const columns of [20, 30, 40, 60, 100]) {
      const head = plainLine(gridHeadLine(theme, block, columns, NOW));
      expect(width(head)).toBe(columns);
      expect(width(plainLine(gridRowLine(theme, block, row, columns, NOW, state)))).toBe(columns);
      expect(head).not.toMatch(/\d…/);
    }
    expect(plainLine(gridHeadLine(theme, block, 40, NOW))).toMatch(/…n-d-01 …n-d-02 …n-d-98/);
    expect(plainLine(gridRowLine(theme, block, row, 80, NOW, state))).toMatch(/- +9\.4\/9\.4 +2\.3!\/9\.4/);
  });
});

describe('a row that is wider than its pane', () => {
  test('is cut at its end, and what stands at the right stays there', () => {
    const columns = [
      { id: 'what', title: '', min: 20 },
      { id: 'end', title: 'END', align: 'right' as const, min: 16 },
    ];
    const row = { key: 'a', cells: { what: { text: 'bad frames/s' }, end: { text: '1,204' } } };
    const table = { type: 'table' as const, id: 't', columns, rows: [row], empty: '' };
    expect(plainLine(rowLine(theme, table, row, 36, NOW, state))).toMatch(/ 1,204$/);
  });
});

describe('a grid of readings in a narrow pane', () => {
  const cells = [3, 4].map((minutes) => ({
    text: '20/20 16/20',
    sign: 'critical' as const,
    age: NOW - minutes * 60_000,
  }));
  const row = { key: 'a', title: 'node1', cells };
  const block: GridBlock = { type: 'grid', id: 'm', columns: ['nfs1', 'nfs2'], rows: [row], empty: '' };

  test('shows each age while there is room, else the oldest behind the name; figures are never cut for it', () => {
    const draw = (columns: number) => plainLine(gridRowLine(theme, block, row, columns, NOW, state));
    expect(draw(60)).toMatch(/node1 +✖ 20\/20 16\/20 3 min +✖ 20\/20 16\/20 4 min/);
    expect(draw(44).trim()).toBe('node1 4 min  ✖ 20/20 16/20  ✖ 20/20 16/20');
  });

  test('shows shades where they fit, and says so: a scale of shades that nobody sees explains nothing', () => {
    const shaded: GridBlock = {
      ...block,
      rows: [{ ...row, cells: cells.map((value) => ({ ...value, heat: 2 as const })) }],
      scale: ['all', '95 %', '80 %', 'less', 'none'],
    };
    const [shadedRow] = shaded.rows;
    if (!shadedRow) throw new Error('the grid has a row');
    for (const columns of [30, 44, 60, 100]) {
      const drawn = plainLine(gridRowLine(theme, shaded, shadedRow, columns, NOW, state));
      expect(drawn.includes('▒▒')).toBe(hasShades(shaded, columns, NOW));
    }
    expect(hasShades(shaded, 100, NOW)).toBe(true);
    expect(hasShades(shaded, 44, NOW)).toBe(false);
    const scaleIn = (columns: number) =>
      plainLine(blockLines(theme, [shaded], columns, NOW).at(-1) ?? blank(0)).trim();
    expect(scaleIn(100)).toBe('·· all   ░░ 95 %   ▒▒ 80 %   ▓▓ less   ██ none');
    expect(scaleIn(44)).toBe('figures without shades: too narrow');
  });
});

describe('blocks without rows', () => {
  const draw = (block: Parameters<typeof fixedLines>[1], columns = 60) =>
    fixedLines(theme, block, columns, NOW).map(plainLine);

  test('facts stand under each other, with their source and a growing age', () => {
    const facts = [
      { name: 'kernel', cell: { text: '6.1.0' }, source: 'node1' },
      { name: 'up', cell: { text: '', age: NOW - 60_000 } },
      { name: 'long', cell: { text: 'word '.repeat(40).trim() } },
    ];
    const lines = draw({ type: 'facts', id: 'f', facts });
    expect(lines[0]).toMatch(/^ kernel {2}6\.1\.0 {2}\(node1\)/);
    expect(lines[1]).toMatch(/^ up +1 min/);
    expect(lines.length).toBeGreaterThan(4);
    for (const line of lines) expect(width(line)).toBe(60);
  });

  test('a chart is a line of bars per series with the last value and its unit', () => {
    const points = [1, 2, 4, 8].map((value, index) => ({ at: NOW + index * 1000, value }));
    const [line = ''] = draw(
      { type: 'chart', id: 'c', title: 'rate', unit: 'errors/s', series: [{ name: 'te3/46', points }] },
      50,
    );
    expect(line).toMatch(/^ te3\/46 .*█.* 8 errors\/s/);
    expect(width(line)).toBe(50);
    const wide = { at: NOW + 5000, value: 1204.53 };
    const few = { name: 'te3/46', points: [...points, wide] };
    const [drawn = ''] = draw({ type: 'chart', id: 'c', title: 'rate', unit: 'frames/s', series: [few] }, 50);
    expect(drawn.trimEnd()).toMatch(/^ te3\/46 ▁▁▁▁ ?█ 1,205 frames\/s$/);
    expect(draw({ type: 'chart', id: 'c', title: 'rate', unit: 'x', series: [] })[0]).toContain(
      'no values yet',
    );
  });

  test('text wraps, with its sign', () => {
    const lines = draw(
      { type: 'text', id: 't', lines: [{ text: 'a b '.repeat(30).trim(), sign: 'critical' }] },
      40,
    );
    expect(lines[0]).toMatch(/^ ✖ a b/);
    expect(lines.length).toBeGreaterThan(2);
  });

  test('nothing is drawn where there is no room', () => {
    expect(draw({ type: 'text', id: 't', lines: [{ text: 'x' }] }, 3)).toEqual([]);
  });
});
