import { describe, expect, test } from 'vitest';
import { freshArea } from '../../components/ui.ts';
import { makeFilter, nextSort, sortRows } from '../../components/rows.ts';
import { cursorPosition, itemAt, makeList, windowOf } from '../../components/list.ts';
import { findingsHead } from '../../components/findings.ts';
import { closeFold, openFold } from '../../components/move.ts';
import { tableKey } from '../../components/mirror.ts';
import { finding, nodeRow, nodesTable, slurmHead } from './fixture.ts';
import type { PaneHead } from '../../src/model/wire.ts';
import type { Row } from '../../src/model/view.ts';

const head = (rows: readonly Row[]): PaneHead => ({ ...slurmHead, blocks: [{ ...nodesTable, rows }] });
const rows = Array.from({ length: 50 }, (_, index) => nodeRow(index + 1));
const list = (change: Partial<typeof freshArea> = {}, from = rows) =>
  makeList(head(from), new Map(), { ...freshArea, ...change }, () => 0);

describe('the filter', () => {
  test('words must all be there, in any case; !word must not', () => {
    const matches = makeFilter('HDFS !node2');
    expect(rows.filter((row) => matches?.(row)).map((row) => row.key)).toContain('node1');
    expect(rows.filter((row) => matches?.(row)).map((row) => row.key)).not.toContain('node2');
    expect(rows.filter((row) => matches?.(row)).map((row) => row.key)).not.toContain('node21');
  });

  test('finds the members of a group and the further words', () => {
    const group = nodeRow(1, { members: [{ kind: 'node', id: 'gpu77' }], search: 'batch' });
    expect(makeFilter('gpu77')?.(group)).toBe(true);
    expect(makeFilter('BATCH')?.(group)).toBe(true);
    expect(makeFilter('gpu78')?.(group)).toBe(false);
  });

  test('of nothing but blanks and a lone ! is none', () => {
    expect(makeFilter('  ! ')).toBeUndefined();
  });

  test('counts what it hides', () => {
    expect(list({ filter: 'node1' })).toMatchObject({ shown: 11, total: 50 });
    expect(list({ filter: 'nowhere' }).stops).toEqual([]);
  });
});

describe('sorting', () => {
  test('goes by the sort key, then the age, then the text with its numbers', () => {
    expect(sortRows(rows, { block: 'nodes', column: 'node', down: true })[0]?.key).toBe('node50');
    expect(sortRows(rows, { block: 'nodes', column: 'jobs', down: false })[0]?.key).toBe('node7');
    expect(sortRows(rows, { block: 'nodes', column: 'since', down: false })[0]?.key).toBe('node50');
  });

  test('goes through the columns and then back to the order of the pane', () => {
    let sort = nextSort(undefined, 'nodes', nodesTable.columns);
    expect(sort?.column).toBe('node');
    for (let step = 1; step < nodesTable.columns.length; step++)
      sort = nextSort(sort, 'nodes', nodesTable.columns);
    expect(sort?.column).toBe('since');
    expect(nextSort(sort, 'nodes', nodesTable.columns)).toBeUndefined();
  });
});

describe('the cursor', () => {
  test('stays on its row when rows come above it', () => {
    const area = { ...freshArea, cursor: 'nodes/node10', position: 9 };
    expect(itemAt(list(), cursorPosition(list(), area))?.row.key).toBe('node10');
    const more = list({}, [nodeRow(77), nodeRow(78), ...rows]);
    expect(itemAt(more, cursorPosition(more, area))?.row.key).toBe('node10');
  });

  test('goes to the row that took the place of one that is gone', () => {
    const area = { ...freshArea, cursor: 'nodes/node10', position: 9 };
    const less = list(
      {},
      rows.filter((row) => row.key !== 'node10'),
    );
    expect(itemAt(less, cursorPosition(less, area))?.row.key).toBe('node11');
    expect(cursorPosition(list({}, []), area)).toBe(-1);
  });
});

describe('the window', () => {
  test('keeps the head of the table on top and the cursor inside, wherever it is', () => {
    const all = list();
    for (let position = 0; position < all.stops.length; position++) {
      for (const offset of [0, 1, 5, 9, Number.MAX_SAFE_INTEGER]) {
        const window = windowOf(all, position, offset, 10);
        const shown = window.sticky ? [window.sticky, ...window.items] : window.items;
        expect(shown).toHaveLength(10);
        expect(shown[0]?.type).toBe('head');
        expect(shown).toContain(itemAt(all, position));
      }
    }
  });

  test('of no height or without rows is empty, not an error', () => {
    expect(windowOf(list(), 3, 0, 0).items).toEqual([]);
    expect(windowOf(list(), 3, 0, 1).items).toHaveLength(1);
    expect(windowOf(list({}, []), -1, 0, 5).items).toHaveLength(1);
  });
});

describe('what a finding explains', () => {
  const found = [
    finding('cause', { explains: 2, worst: 'critical' }),
    finding('other'),
    finding('effect', { explainedBy: 'slurm:cause', explains: 1, summary: 'an effect' }),
    finding('last', { explainedBy: 'slurm:effect', severity: 'critical', summary: 'the last' }),
  ];
  const drawn = (change: Partial<typeof freshArea> = {}) =>
    makeList(findingsHead(found), new Map(), { ...freshArea, ...change }, () => 0);
  const keys = (made: ReturnType<typeof drawn>): string[] =>
    made.stops.map((_, position) => itemAt(made, position)?.row.key ?? '');

  test('is folded below it with its number, takes its sign, and is counted', () => {
    const made = drawn();
    expect(keys(made)).toEqual(['slurm:cause', 'slurm:other']);
    expect(made).toMatchObject({ folded: 2, total: 4 });
    const row = itemAt(made, 0)?.row;
    expect(row).toMatchObject({ sign: 'critical' });
    expect(row && 'summary' in row.cells && row.cells.summary?.text).toMatch(
      /\(explains 2 more, up to critical: →\)$/,
    );
  });

  test('comes right below it when that is opened, level by level', () => {
    expect(keys(drawn({ open: new Set(['slurm:cause']) }))).toEqual([
      'slurm:cause',
      'slurm:effect',
      'slurm:other',
    ]);
    expect(keys(drawn({ open: new Set(['slurm:cause', 'slurm:effect']) }))).toEqual([
      'slurm:cause',
      'slurm:effect',
      'slurm:last',
      'slurm:other',
    ]);
    expect(keys(drawn({ open: new Set(['slurm:effect']) }))).toEqual(['slurm:cause', 'slurm:other']);
  });

  test('is found by a filter wherever it is folded', () => {
    expect(keys(drawn({ filter: 'last' }))).toEqual(['slurm:last']);
  });

  test('opens with the row under the cursor and folds again from inside, the cursor going to the cause', () => {
    const at = (area: Partial<typeof freshArea>, position: number) => {
      const made = drawn(area);
      const item = itemAt(made, position);
      if (item?.type !== 'row') throw new Error('no row there');
      const rect = { left: 0, top: 0, width: 80, height: 20 };
      return {
        head: findingsHead(found),
        area: { ...freshArea, ...area },
        list: made,
        rect,
        bodyHeight: 19,
        position,
        item,
      };
    };
    const open = new Set(['slurm:cause']);
    expect(openFold(at({}, 0))).toEqual({ open });
    expect(openFold(at({ open }, 0))).toBeUndefined();
    expect(openFold(at({}, 1))).toBeUndefined();
    expect(closeFold(at({}, 0))).toBeUndefined();
    expect(closeFold(at({ open }, 0))).toEqual({ open: new Set() });
    expect(closeFold(at({ open }, 1))).toMatchObject({
      open: new Set(),
      cursor: 'findings/slurm:cause',
      position: 0,
    });
    expect(closeFold(at({ open }, 2))).toBeUndefined();
  });
});

describe('rows of a pane that are folded', () => {
  const folded = [nodeRow(1), nodeRow(2), ...rows.slice(2).map((row) => ({ ...row, under: 'node2' }))];
  /** As the screen holds them: the rows of a pane travel apart from its head. */
  const apart = new Map([
    [
      tableKey('slurm', 'nodes'),
      { rows: new Map(folded.map((row) => [row.key, row])), order: folded.map(({ key }) => key) },
    ],
  ]);
  const at = (area: Partial<typeof freshArea>, position: number) => {
    const made = makeList(head([]), apart, { ...freshArea, ...area }, () => 0);
    const item = itemAt(made, position);
    if (!item) throw new Error('no row there');
    const rect = { left: 0, top: 0, width: 80, height: 20 };
    return {
      head: head([]),
      area: { ...freshArea, ...area },
      list: made,
      rect,
      bodyHeight: 19,
      position,
      item,
    };
  };

  test('open where they are folded, and nowhere else', () => {
    expect(at({}, 0).list.stops).toHaveLength(2);
    expect(openFold(at({}, 0))).toBeUndefined();
    const open = openFold(at({}, 1));
    expect(open).toEqual({ open: new Set(['node2']) });
    expect(at(open ?? {}, 0).list.stops).toHaveLength(50);
    expect(closeFold(at(open ?? {}, 30))).toMatchObject({ open: new Set(), cursor: 'nodes/node2' });
  });
});
