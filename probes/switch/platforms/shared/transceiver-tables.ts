import type { Reader } from '../../read/parse-capture.ts';
import { shiftLanes, limitIn, opticRows, readingIn, type Reading } from '../../read/parse-optics.ts';
import { cellsIn, columnAt, ruledTables, type Column } from '../../read/parse-table.ts';
import { decimal } from '../../read/parse-values.ts';
import type { OpticRow, ReadingName } from '../../read/rows.ts';

/** A value with its flag or raw reading: `-14.05  --`, `27.48 (27.40)`. */
const number = (cell: string): number | undefined => decimal(cell.replace(/\s.*$|\(.*$/, ''));

/** Which reading a column or a table is about; power columns of these tables are in dBm. */
const nameOf = (title: string): ReadingName | undefined => {
  const about = readingIn(title);
  return about === 'rx' || about === 'tx' ? (about === 'rx' ? 'rxDbm' : 'txDbm') : about;
};

/** The unit below a title and the word that belongs to it. */
const units: readonly (readonly [RegExp, RegExp])[] = [
  [/\(celsius\)/, /temp/],
  [/\(volts\)/, /voltage/],
  [/\((?:ma|milliamperes)\)/, /current/],
  [/\(dbm\)/, /power/],
];

/** Whether the units stand below other titles than theirs: a header that lost its blanks tells no columns. */
const isMisplaced = (columns: readonly Column[]): boolean => {
  const first = columns.findIndex((column) => limitIn(column.title));
  if (first >= 0) return first < 2 || /\blane\b/.test(columns[first - 1]?.title ?? '');
  return columns.some(({ title }) =>
    units.some(([unit, word]) => unit.test(title) && !word.test(title) && readingIn(title) !== undefined),
  );
};

/**
 * A table with limits is about one reading: the words of its whole header tell which, and the reading stands left of the
 * first limit. Else every column is a reading of its own.
 */
const namesOf = (columns: readonly Column[]): readonly (ReadingName | undefined)[] => {
  const first = columns.findIndex((column) => limitIn(column.title));
  if (isMisplaced(columns)) return [];
  if (first < 0) return columns.map((column, index) => (index === 0 ? undefined : nameOf(column.title)));
  const subject = nameOf(columns.map((column) => column.title).join(' '));
  return columns.map((_, index) => (index >= first - 1 && index > 0 ? subject : undefined));
};

const readingsOf = (
  columns: readonly Column[],
  cells: readonly string[],
  lane: number | undefined,
): Reading[] => {
  const names = namesOf(columns);
  return columns.flatMap((column, index): Reading[] => {
    const limit = limitIn(column.title);
    const [name, value] = [names[index], number(cells[index] ?? '')];
    if (!name || value === undefined) return [];
    return [{ name, value, ...(limit ? { limit } : {}), ...(lane === undefined ? {} : { lane }) }];
  });
};

/** Titles and units: another table begins, whether its ruler is there or not. */
const heading = /(?:high|low) alarm|\((?:celsius|volts|mA|dBm)\)/i;

/**
 * `show interfaces transceiver [detail]` of IOS and EOS: one table of readings, or a table per reading with its limits
 * (in another order on each). A `Lane` column parts the lanes of a module.
 */
export const transceiverTables: Reader<OpticRow> = (capture) => {
  const tables = ruledTables(capture.lines, /^\s*Port\s.*\(/i, 3).filter((table) =>
    namesOf(table.columns).some((name) => name !== undefined),
  );
  if (tables.length === 0) return undefined;
  const ports = new Map<string, Reading[]>();
  for (const table of tables) {
    const lanes = columnAt(table.columns, /\blane\b/);
    const other = table.rows.findIndex((row) => heading.test(row));
    for (const row of table.rows.slice(0, other < 0 ? undefined : other)) {
      const cells = cellsIn(row, table.columns);
      const port = cells[0] ?? '';
      if (!/^[A-Za-z][\w-]*\d[\w/.:]*$/.test(port)) continue;
      const lane = lanes < 0 ? undefined : decimal(cells[lanes]);
      const readings = ports.get(port) ?? [];
      ports.set(port, readings);
      readings.push(...readingsOf(table.columns, cells, lane));
    }
  }
  return { rows: [...ports].flatMap(([port, readings]) => opticRows(port, shiftLanes(readings))) };
};
