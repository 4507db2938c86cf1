import type { PaneHead } from '../src/model/wire.ts';
import type { Block, GridBlock, Row, TableBlock } from '../src/model/view.ts';
import { arrangePane } from './arrange.ts';
import type { Settings } from './settings.ts';
import type { Area } from './ui.ts';
import { tableKey, type Table } from './mirror.ts';
import { makeFilter, sortRows } from './rows.ts';
import { fixedLines } from './blocks/fixed.ts';
import type { Theme } from './theme.ts';

/** One line of a pane's body. Rows can hold the cursor; `fixed` lines are drawn from their block. */
export type Item =
  | { type: 'head'; block: TableBlock }
  | { type: 'gridHead'; block: GridBlock }
  | { type: 'title'; text: string }
  | { type: 'row'; key: string; block: TableBlock; row: Row; head: number }
  | { type: 'gridRow'; key: string; block: GridBlock; row: GridBlock['rows'][number]; head: number }
  | { type: 'scale'; block: GridBlock }
  | { type: 'empty'; block: TableBlock | GridBlock }
  | { type: 'fixed'; block: Block; line: number }
  | { type: 'space' };

/** A pane's body as lines, of which only those in the window are ever drawn. */
export interface List {
  items: readonly Item[];
  /** Item numbers of the lines that can hold the cursor, and from key to position among them. */
  stops: readonly number[];
  positions: ReadonlyMap<string, number>;
  /** Rows of tables after and before filtering. */
  shown: number;
  total: number;
  /** Rows that are not drawn because they are folded below another one. */
  folded: number;
  /** Keys of the rows below which others are folded, drawn or not. */
  over: ReadonlySet<string>;
}

/** Lines that a block without rows of its own takes. */
type FixedHeight = (block: Block) => number;

/** The rows of a table in the mirror, in their order; tables inside a head (few rows) count too. */
const rowsOf = (block: TableBlock, table: Table | undefined): readonly Row[] => {
  if (!table) return block.rows;
  return table.order.flatMap((key) => {
    const row = table.rows.get(key);
    return row ? [row] : [];
  });
};

/** Filtered, sorted and flattened. */
export const makeList = (
  head: PaneHead,
  tables: ReadonlyMap<string, Table>,
  area: Pick<Area, 'filter' | 'sort' | 'open'>,
  fixedHeight: FixedHeight,
): List => {
  const items: Item[] = [];
  const counts = { shown: 0, total: 0, folded: 0, over: new Set<string>() };
  const matches = makeFilter(area.filter);
  for (const block of head.blocks) {
    if (items.length > 0) items.push({ type: 'space' });
    if (block.title !== undefined) items.push({ type: 'title', text: block.title });
    if (block.type === 'table')
      addTable(items, block, tables.get(tableKey(head.id, block.id)), area, matches, counts);
    else if (block.type === 'grid') addGrid(items, block);
    else {
      const lines = fixedHeight(block);
      for (let line = 0; line < lines; line++) items.push({ type: 'fixed', block, line });
    }
  }
  const stops: number[] = [];
  const positions = new Map<string, number>();
  items.forEach((item, index) => {
    if (item.type !== 'row' && item.type !== 'gridRow') return;
    positions.set(item.key, stops.length);
    stops.push(index);
  });
  return { items, stops, positions, ...counts };
};

const addTable = (
  items: Item[],
  block: TableBlock,
  table: Table | undefined,
  area: Pick<Area, 'filter' | 'sort' | 'open'>,
  matches: ((row: Row) => boolean) | undefined,
  counts: Pick<List, 'shown' | 'total' | 'folded'> & { over: Set<string> },
): void => {
  const all = rowsOf(block, table);
  for (const { under } of all) if (under !== undefined) counts.over.add(under);
  // What a filter looks for is shown wherever it is folded.
  const kept = matches ? all.filter(matches) : selectUnfolded(all, area.open);
  if (!matches) counts.folded += all.length - kept.length;
  counts.total += all.length;
  counts.shown += kept.length;
  if (kept.length === 0) {
    items.push({ type: 'empty', block });
    return;
  }
  const head = items.length;
  items.push({ type: 'head', block });
  for (const row of sortRows(kept, area.sort?.block === block.id ? area.sort : undefined)) {
    items.push({ type: 'row', key: `${block.id}/${row.key}`, block, row, head });
  }
};

/** Rows whose every row above is open; those come before them. */
const selectUnfolded = (rows: readonly Row[], open: ReadonlySet<string> = new Set()): readonly Row[] => {
  if (!rows.some(({ under }) => under !== undefined)) return rows;
  const drawn = new Set<string>();
  const known = new Set(rows.map(({ key }) => key));
  return rows.filter(({ key, under }) => {
    const isDrawn = under === undefined || !known.has(under) || (open.has(under) && drawn.has(under));
    if (isDrawn) drawn.add(key);
    return isDrawn;
  });
};

const addGrid = (items: Item[], block: GridBlock): void => {
  if (block.rows.length === 0) {
    items.push({ type: 'empty', block });
    return;
  }
  const head = items.length;
  items.push({ type: 'gridHead', block });
  for (const row of block.rows)
    items.push({ type: 'gridRow', key: `${block.id}/${row.key}`, block, row, head });
  if (block.scale) items.push({ type: 'scale', block });
};

/** The row under the cursor: by identity, else the one that took its place. */
export const cursorPosition = (list: List, area: Area): number => {
  if (list.stops.length === 0) return -1;
  const known = area.cursor === undefined ? 0 : list.positions.get(area.cursor);
  return known ?? Math.max(0, Math.min(area.position, list.stops.length - 1));
};

export const itemAt = (
  list: List,
  position: number,
): Extract<Item, { type: 'row' | 'gridRow' }> | undefined => {
  const item = list.items[list.stops[position] ?? -1];
  return item?.type === 'row' || item?.type === 'gridRow' ? item : undefined;
};

/** The part of a list that a window of `height` lines shows: a table's head stays on top while its rows scroll. */
export interface Window {
  top: number;
  sticky?: Item;
  items: readonly Item[];
}

export const windowOf = (list: List, position: number, offset: number, height: number): Window => {
  if (height <= 0) return { top: 0, items: [] };
  const last = Math.max(0, list.items.length - height);
  const cursor = list.stops[position] ?? 0;
  let top = Math.max(0, Math.min(cursor - Math.min(offset, height - 1), last));
  const sticky = headOver(list, top);
  if (sticky && cursor <= top && height > 1) top = Math.max(0, cursor - 1);
  const over = headOver(list, top);
  const items = list.items.slice(top, top + height);
  return over && height > 1 ? { top, sticky: over, items: items.slice(1) } : { top, items };
};

const headOver = (list: List, top: number): Item | undefined => {
  const item = list.items[top];
  return (item?.type === 'row' || item?.type === 'gridRow') && item.head < top
    ? list.items[item.head]
    : undefined;
};

export type Lists = (
  head: PaneHead,
  tables: ReadonlyMap<string, Table>,
  area: Pick<Area, 'filter' | 'sort' | 'open'>,
  width: number,
) => List;

/** Lists of panes, made again only when rows, filter, sort order or width changed: a key must not sort 10,000 rows. */
export const createLists = (theme: () => Theme, settings: Settings, now: () => number): Lists => {
  const made = new Map<string, { restsOn: readonly unknown[]; list: List }>();
  return (head, tables, area, width) => {
    const own = head.blocks.map((block) => tables.get(tableKey(head.id, block.id)));
    const restsOn = [head, area.filter, area.sort, area.open, width, ...own];
    const known = made.get(head.id);
    if (known && restsOn.every((value, index) => value === known.restsOn[index])) return known.list;
    const shown = arrangePane(head, settings);
    const list = makeList(shown, tables, area, (block) => fixedLines(theme(), block, width, now()).length);
    made.set(head.id, { restsOn, list });
    return list;
  };
};
