import type { Column, TableBlock } from '../../src/model/view.ts';
import { safeWidth } from '../paint.ts';
import { cellText } from './table.ts';

/** Columns come in steps of this: a figure that gains a digit moves nothing. */
const STEP = 4;

const known = new WeakMap<TableBlock, TableBlock>();

/**
 * The same table no wider than what stands in it, where that is less than its columns would grow to: across a gap of eighty columns nobody
 * finds the other end of a line. For tables that are read from the side of their names, without a cursor on the line.
 */
export const narrowTable = (block: TableBlock, now: number): TableBlock => {
  const columns = block.columns.map((column) =>
    column.grow === undefined ? column : limitColumn(column, block, now),
  );
  const before = known.get(block);
  // Rows are kept as they are drawn, by their table: ages count on in it, and need more room now and then.
  if (before?.columns.every(({ most }, at) => most === columns[at]?.most)) return before;
  const made = { ...block, columns };
  known.set(block, made);
  return made;
};

/** It may still be given less, never more. */
const limitColumn = (column: Column, { rows }: TableBlock, now: number): Column => {
  const widest = rows.reduce((most, { cells, sign }) => {
    const one = cells[column.id];
    return one ? Math.max(most, safeWidth(cellText(one, now, sign))) : most;
  }, safeWidth(column.title));
  return { ...column, most: Math.max(column.min, Math.ceil(widest / STEP) * STEP) };
};
