import { isRuler } from './parse-lines.ts';

/** A column of a fixed-width table: where its title or its ruler stands. */
export interface Column {
  /** Lower case, blanks collapsed, the words of stacked header lines joined: `optical tx power (dbm)`. */
  readonly title: string;
  readonly from: number;
  readonly to: number;
}

const spans = (line: string, word: RegExp): { from: number; to: number; text: string }[] =>
  [...line.matchAll(word)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    text: match[0],
  }));

const overlap = (a: { from: number; to: number }, b: { from: number; to: number }): number =>
  Math.min(a.to, b.to) - Math.max(a.from, b.from);

const titleColumns = (
  headers: readonly string[],
  columns: readonly { from: number; to: number }[],
): Column[] =>
  columns.map((column, index) => {
    const words = headers.flatMap((header) =>
      spans(header, /[^\s|+]+/g)
        .filter((word) => nearestColumn(columns, word) === index)
        .map((word) => word.text),
    );
    return { title: words.join(' ').toLowerCase(), from: column.from, to: column.to };
  });

/** The column that a piece of text belongs to: most overlap, else the smallest gap, the left one of equals. */
const nearestColumn = (
  columns: readonly { from: number; to: number }[],
  piece: { from: number; to: number },
): number => {
  let best = 0;
  for (const [index, column] of columns.entries()) {
    const current = columns[best] ?? column;
    if (overlap(column, piece) > overlap(current, piece)) best = index;
  }
  return best;
};

/** Columns from a ruler (`-----  ----`), their titles from the header lines above it. */
export const ruledColumns = (headers: readonly string[], ruler: string): readonly Column[] =>
  titleColumns(headers, spans(ruler, /[-=]+/g));

/**
 * Columns from header lines alone: titles are parted by two blanks or more that all lines have in common. Where cells
 * stand left below their titles, a column reaches to the next one; else it is as wide as its title.
 */
export const stackedColumns = (headers: readonly string[], left = false): readonly Column[] => {
  const width = Math.max(0, ...headers.map((header) => header.length));
  const filled = Array.from({ length: width }, (_, at) =>
    headers.some((header) => (header[at] ?? ' ') !== ' ') ? 'x' : ' ',
  ).join('');
  const found = titleColumns(headers, spans(filled, /x+(?: x+)*/g));
  if (!left) return found;
  return found.map((column, index) => ({ ...column, to: (found[index + 1]?.from ?? Infinity) - 1 }));
};

/** Columns where these titles stand in a header; each reaches to the next one. For titles with one blank between them. */
export const titledColumns = (header: string, titles: readonly string[]): readonly Column[] => {
  const found = titles
    .map((title) => ({ title: title.toLowerCase(), from: header.toLowerCase().indexOf(title.toLowerCase()) }))
    .filter((column) => column.from >= 0)
    .sort((a, b) => a.from - b.from);
  return found.map((column, index) => ({ ...column, to: (found[index + 1]?.from ?? Infinity) - 1 }));
};

/**
 * The cells of a row. A cell may be wider than its column's title: it reaches to the next one, and a word that stands
 * across a border belongs to the column that it covers more of.
 */
export const cellsOf = (row: string, columns: readonly Column[]): readonly string[] => {
  const cuts = columns.map((column, index) => {
    if (index === 0) return 0;
    let from = column.from;
    if (from >= row.length || row[from - 1] === ' ' || row[from] === ' ') return from;
    while (from > 0 && row[from - 1] !== ' ') from -= 1;
    let to = column.from;
    while (to < row.length && row[to] !== ' ') to += 1;
    const left = columns[index - 1] ?? column;
    return overlap(left, { from, to }) >= overlap(column, { from, to }) ? to : from;
  });
  return columns.map((_, index) => row.slice(cuts[index], cuts[index + 1] ?? row.length).trim());
};

/** Whether a word covers a whole column and goes on into the next one, `index`: what stands behind it may be pushed to the right. */
export const isOverflowing = (row: string, columns: readonly Column[], index: number): boolean => {
  const [before, column] = [columns[index - 1], columns[index]];
  return (
    before !== undefined && column !== undefined && /^\S+$/.test(row.slice(before.from, column.from + 1))
  );
};

/** Cells hold single blanks at most (`2000.00 MB/s`): where the gaps give as many as there are columns they go by order. */
export const cellsIn = (row: string, columns: readonly Column[]): readonly string[] => {
  const words = row.trim().split(/ {2,}/);
  return words.length === columns.length ? words : cellsOf(row, columns);
};

/** Index of the first column whose title matches; -1 when there is none. */
export const columnAt = (columns: readonly Column[], title: RegExp): number =>
  columns.findIndex((column) => title.test(column.title));

/** A table found in lines: rows end at the next header, ruler or other table. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly string[];
}

/**
 * Every table with a ruler whose header, `height` lines right above it, says what `header` asks for; a table ends where
 * the next header begins. A ruler without gaps tells no columns: then the gaps of the header do.
 */
export const ruledTables = (lines: readonly string[], header: RegExp, height = 1): readonly Table[] => {
  const tables: { columns: readonly Column[]; rows: string[] }[] = [];
  let pending: string[] = [];
  for (const line of lines) {
    if (!isRuler(line)) {
      pending.push(line);
      continue;
    }
    const headers = headersIn(pending, height);
    const found = headers.some((one) => header.test(one));
    tables.at(-1)?.rows.push(...pending.slice(0, found ? pending.length - headers.length : pending.length));
    if (found) tables.push({ columns: columnsOf(headers, line), rows: [] });
    pending = [];
  }
  tables.at(-1)?.rows.push(...pending);
  return tables;
};

const columnsOf = (headers: readonly string[], ruler: string): readonly Column[] =>
  (ruler.match(/[-=]+/g) ?? []).length > 1 ? ruledColumns(headers, ruler) : stackedColumns(headers);

/** The lines above a ruler, back to an empty line, `height` at most. */
const headersIn = (pending: readonly string[], height: number): readonly string[] => {
  const empty = pending.findLastIndex((line) => line.trim() === '');
  return pending.slice(Math.max(empty + 1, pending.length - height));
};
