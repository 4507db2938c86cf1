import type { Cell, Column, Row } from '../src/model/view.ts';
import { memoPerObject } from './keep.ts';
import type { Sort } from './ui.ts';

/** Everything a filter may find in a row, lower case: cells, further words, subject and members. */
const wordsOf = memoPerObject(({ cells, search = '', subject, members = [] }: Row): string =>
  [
    ...Object.values(cells).map((cell) => cell.text),
    search,
    subject?.id ?? '',
    ...members.map((member) => member.id),
  ]
    .join('\n')
    .toLowerCase(),
);

/** Words that must all be there; `!word` must not. Upper and lower case are the same. Undefined: no filter. */
export const makeFilter = (filter: string): ((row: Row) => boolean) | undefined => {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '' && word !== '!');
  if (words.length === 0) return undefined;
  return (row) => {
    const text = wordsOf(row);
    return words.every((word) =>
      word.startsWith('!') ? !text.includes(word.slice(1)) : text.includes(word),
    );
  };
};

const collator = new Intl.Collator('en', { numeric: true });

/** What a cell is sorted by: its own key, else the instant (oldest age first when up), else the text. */
const sortKey = (cell: Cell | undefined): number | string =>
  cell?.sort ?? cell?.age ?? cell?.at ?? cell?.text ?? '';

const compare = (a: number | string, b: number | string): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));

/** Rows in the chosen order; equal ones keep the order they came in. */
export const sortRows = (rows: readonly Row[], sort: Sort | undefined): readonly Row[] => {
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
