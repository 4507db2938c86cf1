import type { Reader } from '../../read/parse-capture.ts';
import { isRuler } from '../../read/parse-lines.ts';
import { CUT } from '../../read/parse-values.ts';
import { neighborRow } from '../../read/parse-neighbors.ts';
import {
  cellsOf,
  columnAt,
  isOverflowing,
  ruledColumns,
  stackedColumns,
  titledColumns,
  type Column,
  type Table,
} from '../../read/parse-table.ts';
import type { NeighborRow } from '../../read/rows.ts';

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

const isFilled = (cells: readonly string[]): boolean => cells.some((cell) => cell !== '');

/** Words of a cell that go on across a border with more words behind them: where it ends and the next begins is not known. */
const dropUncertain = (
  row: string,
  columns: readonly Column[],
  cells: readonly string[],
): readonly string[] => {
  const unsure = columns.map((column, index) => {
    const left = columns[index - 1];
    if (!left) return false;
    const run = /^\S+(?: \S+)*/.exec(row.slice(left.from))?.[0] ?? '';
    const [, upTo = '', behind] = new RegExp(`^(.{${column.from - left.from}}\\S+)(.*)$`).exec(run) ?? [];
    return / /.test(upTo) && behind !== '' && !/^[A-Za-z]+ \d[\d/:.]*$/.test(upTo);
  });
  return cells.map((cell, index) => (unsure[index] || unsure[index + 1] ? '' : cell));
};

/** Where the cells behind a word begin, as far as blanks part them. */
const begunBehind = (row: string, from: number): readonly number[] => {
  const [word = ''] = /^\S+/.exec(row.slice(from)) ?? [];
  const rest = row.slice(from + word.length);
  return [...rest.matchAll(/(?<=^\s|\s{2})\S/g)].map((match) => from + word.length + match.index);
};

/**
 * Borders that a word stands across and where two cells touch, or one goes on: which is not known. A cell behind stands
 * right below its title as if nothing was pushed to the right; or there are too few, and no gap for an empty one.
 */
const touchedColumns = (row: string, columns: readonly Column[]): readonly number[] =>
  columns.flatMap(({ from, to }, index) => {
    if (index === 0 || !/^\S\S$/.test(row.slice(from - 1, from + 1))) return [];
    const begun = begunBehind(row, from);
    const gap = /^\S+(\s*)/.exec(row.slice(from))?.[1] ?? '';
    const isAligned = begun.some((at, nth) => {
      const below = columns.findIndex((column) => column.from === at);
      return below > 0 && begun.length - nth <= columns.length - below;
    });
    const isShort = begun.length < columns.length - index && gap.length < to - from;
    return begun.length === 0 || isAligned || isShort ? [index] : [];
  });

/**
 * The cells of a row; undefined where its local port cannot be told from what touches it. A name may run into the local port without a blank (IOS cuts names to the width of their column),
 * or push what follows to the right (EOS, OS10): then single words go by their order.
 */
const splitRow = (row: string, columns: readonly Column[], local: number): readonly string[] | undefined => {
  const cut = columns.map((column, index) => row.slice(column.from, columns[index + 1]?.from).trim());
  if (isOverflowing(row, columns, local) && /^[A-Za-z]/.test(cut[local] ?? '') && port.test(cut[local] ?? ''))
    return cut;
  // A name on a line of its own goes with the line below.
  const borders = /\S\s/.test(row.trim()) ? touchedColumns(row, columns) : [];
  const isUnsure = (index: number): boolean => borders.includes(index) || borders.includes(index + 1);
  if (isUnsure(local)) return undefined;
  if (borders.length > 0)
    return dropUncertain(row, columns, cut).map((cell, index) => (isUnsure(index) ? '' : cell));
  const words = row.trim().split(/\s+/);
  const pushed = columns.some((_, index) => isOverflowing(row, columns, index));
  if (pushed && words.length === columns.length) return words;
  const cells = dropUncertain(row, columns, cellsOf(row, columns));
  if (cells[local] !== '' || !cells.some((cell, index) => index > local && cell !== '')) return cells;
  const touching = row[(columns[local]?.from ?? 0) - 1];
  return local === 0 || touching === undefined || touching === ' ' ? cells : cut;
};

interface Joined {
  readonly rows: readonly string[][];
  /** Pieces that are neither a row nor a part of one, such as a second neighbour below its port's first. */
  readonly lost: number;
}

/** Wrapped rows joined: a name on a line of its own belongs to the row below, other pieces to the row above. */
const joinWrapped = (rows: readonly string[], columns: readonly Column[], local: number): Joined => {
  const found: string[][] = [];
  let waiting: readonly string[] | undefined;
  let lost = 0;
  const all = rows.flatMap((row) => {
    const cells = splitRow(row, columns, local);
    lost += cells ? 0 : 1;
    return cells && isFilled(cells) ? [cells] : [];
  });
  for (const [index, cells] of all.entries()) {
    if (cells[local] !== '') {
      found.push(cells.map((cell, at) => (cell === '' ? (waiting?.[at] ?? '') : cell)));
      waiting = undefined;
      continue;
    }
    const next = all[index + 1];
    const alone = cells.filter((cell) => cell !== '').length === 1;
    const named =
      alone &&
      next !== undefined &&
      next[local] !== '' &&
      cells.every((cell, at) => cell === '' || next[at] === '');
    const last = found.at(-1);
    if (named) waiting = cells;
    else if (last && !waiting && (alone || isContinued(last, cells, columns))) append(last, cells, columns);
    else if (!alone) lost += 1;
  }
  return { rows: found, lost };
};

/** A cell goes on below only where it filled its column. */
const isFilledUp = (before: string, index: number, columns: readonly Column[]): boolean => {
  const column = columns[index];
  const width = column ? (columns[index + 1]?.from ?? column.to + 1) - column.from - 1 : Infinity;
  return before.length >= width - 1;
};

const isContinued = (
  last: readonly string[],
  cells: readonly string[],
  columns: readonly Column[],
): boolean => cells.every((cell, index) => cell === '' || isFilledUp(last[index] ?? '', index, columns));

const append = (last: string[], cells: readonly string[], columns: readonly Column[]): void => {
  for (const [index, cell] of cells.entries()) {
    const before = last[index] ?? '';
    if (cell !== '' && (before === '' || isFilledUp(before, index, columns))) last[index] = before + cell;
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
const fillCells = (cells: readonly string[]): readonly string[] =>
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
    // Blanks within a cell are what parts columns: it holds more than one, the titles do not stand above them.
    const cell = (cells: readonly string[], title: RegExp | undefined): string | undefined => {
      const text = cells[index(title)];
      return text?.includes('   ') ? undefined : text;
    };
    const { rows, lost } = joinWrapped(table.rows, table.columns, local);
    const known = rows.filter((cells) => port.test(cells[local] ?? ''));
    // Words below a table are no row of it, but what fills all its columns is.
    const strange = rows.filter(
      (cells) => !port.test(cells[local] ?? '') && cells.every((one) => one !== ''),
    );
    return {
      notUnderstood: lost + strange.length,
      rows: known.map(fillCells).map((cells) =>
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
