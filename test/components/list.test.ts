import { describe, expect, test } from 'vitest';
import { freshArea } from '../../components/area.ts';
import { matcher } from '../../components/filter.ts';
import { cursorPosition, itemAt, makeList, windowOf } from '../../components/list.ts';
import { nextSort, sorted } from '../../components/sort.ts';
import { nodeRow, nodesTable, slurmHead } from './fixture.ts';
import type { PaneHead } from '../../src/model/wire.ts';
import type { Row } from '../../src/model/view.ts';

const head = (rows: readonly Row[]): PaneHead => ({ ...slurmHead, blocks: [{ ...nodesTable, rows }] });
const rows = Array.from({ length: 50 }, (_, index) => nodeRow(index + 1));
const list = (change: Partial<typeof freshArea> = {}, from = rows) =>
  makeList(head(from), new Map(), { ...freshArea, ...change }, () => 0);

describe('the filter', () => {
  test('words must all be there, in any case; !word must not', () => {
    const matches = matcher('HDFS !node2');
    expect(rows.filter((row) => matches?.(row)).map((row) => row.key)).toContain('node1');
    expect(rows.filter((row) => matches?.(row)).map((row) => row.key)).not.toContain('node2');
    expect(rows.filter((row) => matches?.(row)).map((row) => row.key)).not.toContain('node21');
  });

  test('finds the members of a group and the further words', () => {
    const group = nodeRow(1, { members: [{ kind: 'node', id: 'gpu77' }], search: 'batch' });
    expect(matcher('gpu77')?.(group)).toBe(true);
    expect(matcher('BATCH')?.(group)).toBe(true);
    expect(matcher('gpu78')?.(group)).toBe(false);
  });

  test('of nothing but blanks and a lone ! is none', () => {
    expect(matcher('  ! ')).toBeUndefined();
  });

  test('counts what it hides', () => {
    expect(list({ filter: 'node1' })).toMatchObject({ shown: 11, total: 50 });
    expect(list({ filter: 'nowhere' }).stops).toEqual([]);
  });
});

describe('sorting', () => {
  test('goes by the sort key, then the age, then the text with its numbers', () => {
    expect(sorted(rows, { block: 'nodes', column: 'node', down: true })[0]?.key).toBe('node50');
    expect(sorted(rows, { block: 'nodes', column: 'jobs', down: false })[0]?.key).toBe('node7');
    expect(sorted(rows, { block: 'nodes', column: 'since', down: false })[0]?.key).toBe('node50');
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
