import type { Reader } from '../parse-capture.ts';
import { isRuler } from '../parse-lines.ts';
import { CUT } from '../parse-values.ts';
import { neighborRow } from '../parse-neighbors.ts';
import {
  cellsOf,
  columnAt,
  ruledColumns,
  stackedColumns,
  titledColumns,
  type Column,
  type Table,
} from '../parse-table.ts';
import type { NeighborRow } from '../rows.ts';

/** Titles of a neighbour table, lower case. `port` is an only port column, `portId` one beside a description. */
export interface NeighborTitles {
  readonly local: RegExp;
  readonly neighbor?: RegExp;
  readonly port?: RegExp;
  readonly portId?: RegExp;
  readonly portDesc?: RegExp;
  readonly chassisId?: RegExp;
  /** All titles of the header, where blanks do not part them. */
  readonly header?: readonly string[];
}

/** A local port: `Te 0/1`, `ge-0/0/1.0`, `1/1/5`, `Management1`, `eth0`, `mgmt`. */
const port = /^(?:[A-Za-z][\w-]* ?)?\d[\w/.:-]*$|^(?:mgmt|management|bri|oob)$/i;

const filled = (cells: readonly string[]): boolean => cells.some((cell) => cell !== '');

/** A cell that runs into the local port without a blank (IOS cuts names to the width of their column). */
const parted = (row: string, columns: readonly Column[], local: number): readonly string[] => {
  const cells = cellsOf(row, columns);
  if (cells[local] !== '' || !cells.some((cell, index) => index > local && cell !== '')) return cells;
  const touching = row[(columns[local]?.from ?? 0) - 1];
  if (local === 0 || touching === undefined || touching === ' ') return cells;
  return columns.map((column, index) => row.slice(column.from, columns[index + 1]?.from).trim());
};

/** Wrapped rows joined: a name on a line of its own belongs to the row below, other pieces to the row above. */
const joined = (rows: readonly string[], columns: readonly Column[], local: number): string[][] => {
  const found: string[][] = [];
  let waiting: readonly string[] | undefined;
  const all = rows.map((row) => parted(row, columns, local)).filter(filled);
  for (const [index, cells] of all.entries()) {
    if (cells[local] !== '') {
      found.push(cells.map((cell, at) => (cell === '' ? (waiting?.[at] ?? '') : cell)));
      waiting = undefined;
      continue;
    }
    const next = all[index + 1];
    const named =
      next !== undefined && next[local] !== '' && cells.every((cell, at) => cell === '' || next[at] === '');
    const last = found.at(-1);
    if (named) waiting = cells;
    else if (last && !waiting) append(last, cells, columns);
  }
  return found;
};

/** A cell goes on below only where it filled its column. */
const append = (last: string[], cells: readonly string[], columns: readonly Column[]): void => {
  for (const [index, cell] of cells.entries()) {
    const column = columns[index];
    if (cell === '' || !column) continue;
    const before = last[index] ?? '';
    const width = (columns[index + 1]?.from ?? column.to + 1) - column.from - 1;
    if (before === '' || before.length >= width - 1) last[index] = before + cell;
  }
};

const columnsIn = (head: string, below: string, titles: NeighborTitles): readonly Column[] => {
  if (titles.header) return titledColumns(head, titles.header);
  return isRuler(below) && /[-=] +[-=]/.test(below)
    ? ruledColumns([head], below)
    : stackedColumns([head], true);
};

/** What stands below a table. */
const footer = /^\s*(?:total|number of|note\b|\* indicates)/i;

/** ProCurve draws a bar behind its first column. */
const withoutBars = (line: string): string => line.replaceAll('|', ' ');

const tableIn = (lines: readonly string[], header: RegExp, titles: NeighborTitles): Table | undefined => {
  const at = lines.findIndex((line) => header.test(line));
  if (at < 0) return undefined;
  const columns = columnsIn(lines[at] ?? '', lines[at + 1] ?? '', titles);
  return { columns, rows: lines.slice(at + 1).filter((line) => !isRuler(line) && !footer.test(line)) };
};

/** The last cell of a row that has all of them is taken as whole: captures are often stored without a last newline. */
const complete = (cells: readonly string[]): readonly string[] =>
  cells.every((cell) => cell !== '') ? cells.map((cell) => cell.replace(CUT, '')) : cells;

/** A reader of an LLDP table, one line per neighbour; local ports without a neighbour are rows. */
export const lldpTable =
  (header: RegExp, titles: NeighborTitles): Reader<NeighborRow> =>
  (capture) => {
    const table = tableIn(capture.lines.map(withoutBars), header, titles);
    if (!table) return undefined;
    const index = (title: RegExp | undefined): number => (title ? columnAt(table.columns, title) : -1);
    const local = index(titles.local);
    if (local < 0) return undefined;
    const cell = (cells: readonly string[], title: RegExp | undefined): string | undefined =>
      cells[index(title)];
    const rows = joined(table.rows, table.columns, local).filter((cells) => port.test(cells[local] ?? ''));
    return {
      rows: rows.map(complete).map((cells) =>
        neighborRow({
          localPort: cells[local],
          neighbor: cell(cells, titles.neighbor),
          port: cell(cells, titles.port),
          portId: cell(cells, titles.portId),
          portDesc: cell(cells, titles.portDesc),
          chassisId: cell(cells, titles.chassisId),
        }),
      ),
    };
  };
