import type { Cell, Column, Row } from '../src/model/view.ts';
import type { Sort } from './area.ts';

const collator = new Intl.Collator('en', { numeric: true });

/** What a cell is sorted by: its own key, else the instant (oldest age first when up), else the text. */
const sortKey = (cell: Cell | undefined): number | string => cell?.sort ?? cell?.age ?? cell?.text ?? '';

const compare = (a: number | string, b: number | string): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));

/** Rows in the chosen order; equal ones keep the order they came in. */
export const sorted = (rows: readonly Row[], sort: Sort | undefined): readonly Row[] => {
  if (!sort) return rows;
  const keyed = rows.map((row) => ({ row, key: sortKey(row.cells[sort.column]) }));
  const sign = sort.down ? -1 : 1;
  return keyed.sort((a, b) => sign * compare(a.key, b.key)).map(({ row }) => row);
};

/** The next column to sort by, then none; each block counts on its own. */
export const nextSort = (
  sort: Sort | undefined,
  block: string,
  columns: readonly Column[],
): Sort | undefined => {
  const at = sort?.block === block ? columns.findIndex((column) => column.id === sort.column) : -1;
  const next = columns[at + 1];
  return next && { block, column: next.id, down: false };
};
