import type { Reader } from '../parse-capture.ts';
import { blocks, doubledIn, untilRepeated, type Marks } from '../parse-lines.ts';
import { fromOne, limitIn, measured, opticRows, readingIn, type Reading } from '../parse-optics.ts';
import { cellsIn, columnAt, ruledTables, type Column } from '../parse-table.ts';
import { decimal } from '../parse-values.ts';
import type { OpticRow, ReadingName } from '../rows.ts';

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
const misplaced = (columns: readonly Column[]): boolean => {
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
  if (misplaced(columns)) return [];
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
  return { rows: [...ports].flatMap(([port, readings]) => opticRows(port, fromOne(readings))) };
};

/** The five figures of a line of NX-OS: reading, high and low alarm, high and low warning. */
const figures = (cells: string): readonly (string | undefined)[] =>
  [...cells.matchAll(/(N\/A|[-+]?inf|[-+]?\d+(?:\.\d+)?)(?: ?(C|V|mA|dBm)\b)?/gi)].map(
    (match) => `${match[1]} ${match[2] ?? ''}`,
  );

const order = [undefined, 'alarmHigh', 'alarmLow', 'warnHigh', 'warnLow'] as const;

const line = /^\s*(Temperature|Voltage|Current|Tx Power|Rx Power)\s+(.*)$/i;

/** What is read of a line, whatever figures it has. */
const label = /^\s*(?:Temperature|Voltage|Current|Tx Power|Rx Power)\s+(?=[-+\d]|N\/A)/i;

/** With some of the figures left out it is not known which they are. */
const isPartial = (text: string): boolean => {
  const count = figures(line.exec(text)?.[2] ?? '').length;
  return count > 1 && count !== order.length;
};

const readingsIn = (text: string, lane: number | undefined): Reading[] => {
  const match = line.exec(text);
  if (!match) return [];
  const words = match[1] ?? '';
  const found = figures(match[2] ?? '');
  if (isPartial(text)) return [];
  return found.flatMap((figure, index): Reading[] =>
    measured(words, figure ?? '', 'dBm').flatMap(({ name, value }) => {
      const reading = { name, value, ...(order[index] ? { limit: order[index] } : {}) };
      // Temperature and voltage are the module's: some releases print them with its first lane only.
      const shared = name === 'tempC' || name === 'voltageV' ? [reading] : [];
      return lane === undefined ? [reading] : [{ ...reading, lane }, ...shared];
    }),
  );
};

/** Of any kind: what stands below a name that is not understood would be read as the port's above. */
const portLine = /^([A-Za-z][\w-]*\d[\w/.:-]*)$/;

const laneLine = /^\s*Lane Number: ?(\d+)/i;

/** A port says these once, a lane each of its readings. */
const ofPort: Marks = { once: /^\s*(?:transceiver|sfp) is |^\s*Lane Number: ?\d+/i };
const ofLane: Marks = { once: new RegExp(`${label.source}|^\\s*SFP Detail Diagnostics`, 'i') };

/** `show interface transceiver [details]` of NX-OS: a block per port, a table per lane. */
export const nxosTransceivers: Reader<OpticRow> = (capture) => {
  if (!capture.lines.some((one) => /^\s*(?:transceiver|sfp) is |^\s*DOM is not supported/i.test(one)))
    return undefined;
  const ports = blocks(capture.lines, portLine, ofPort);
  return {
    rows: ports.flatMap(({ head, lines }) => {
      const first = lines.findIndex((one) => laneLine.test(one));
      const own = untilRepeated(lines.slice(0, first < 0 ? undefined : first), label);
      const lanes = blocks(lines, laneLine, ofLane);
      const readings = lanes.flatMap((lane) =>
        lane.lines.flatMap((one) => readingsIn(one, Number(lane.head[1]))),
      );
      return opticRows(
        head[1],
        [...own.flatMap((one) => readingsIn(one, undefined)), ...readings],
        lanes.map((lane) => Number(lane.head[1])),
      );
    }),
    notUnderstood: doubledIn(ports) + capture.lines.filter(isPartial).length,
  };
};
