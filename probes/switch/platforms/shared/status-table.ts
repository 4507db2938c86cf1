import type { Reader } from '../../read/parse-capture.ts';
import { isRuler } from '../../read/parse-lines.ts';
import {
  cellsIn,
  cellsOf,
  columnAt,
  ruledColumns,
  stackedColumns,
  titledColumns,
  type Column,
} from '../../read/parse-table.ts';
import { count, text } from '../../read/parse-values.ts';
import { dropAbsent, type PortRow } from '../../read/rows.ts';

/** Titles of a table of port states, lower case. */
export interface StatusTitles {
  readonly port: RegExp;
  readonly link: RegExp;
  readonly admin?: RegExp;
  readonly protocol?: RegExp;
  /** All titles of the header, where blanks do not part them. */
  readonly header?: readonly string[];
}

/** A port at the start of a row. */
const port = /^(?:[A-Za-z][\w-]* ?)?\d[\w/.:-]*$|^(?:mgmt|Trk\d+|lag\d+)$/i;

/** A ruler with a gap between its columns: where a row has as many cells they go by order. */
const gapped = /[-=] +[-=|+]/;

const columnsIn = (lines: readonly string[], at: number, titles: StatusTitles): readonly Column[] => {
  const [head = '', below = ''] = [lines[at], lines[at + 1]];
  if (titles.header) return titledColumns(head, titles.header);
  return isRuler(below) && gapped.test(below) ? ruledColumns([head], below) : stackedColumns([head], true);
};

/** The cells of a row that its titles ask for. */
const cellsUnder = (
  cells: readonly string[],
  columns: readonly Column[],
  titles: StatusTitles,
): Partial<Record<'name' | 'link' | 'admin' | 'protocol', string>> => {
  const cell = (title: RegExp | undefined): string | undefined =>
    title && text(cells[columnAt(columns, title)]);
  return dropAbsent({
    name: cell(titles.port),
    link: cell(titles.link),
    admin: cell(titles.admin),
    protocol: cell(titles.protocol),
  });
};

/** A state is one word: a blank parts two cells that stand under one title, a figure is no state. What they say is not known. */
const isMixed = (state: string | undefined): boolean => state !== undefined && /\s|^\d/.test(state);

/** A reader of tables that list ports with their states and no counters. */
export const statusTable =
  (header: RegExp, titles: StatusTitles): Reader<PortRow> =>
  (capture) => {
    const lines = capture.lines.map((line) => line.replaceAll('|', ' '));
    const rows: PortRow[] = [];
    let columns: readonly Column[] | undefined;
    let ruled = false;
    let notUnderstood = 0;
    for (const [at, line] of lines.entries()) {
      if (header.test(line)) {
        columns = columnsIn(lines, at, titles);
        ruled = gapped.test(lines[at + 1] ?? '');
        continue;
      }
      if (!columns || isRuler(line)) continue;
      const cells = [cellsOf(line, columns), cellsIn(line, columns)];
      const readings = (ruled ? cells.toReversed() : cells).map((one) =>
        cellsUnder(one, columns ?? [], titles),
      );
      const name = readings[0]?.name;
      if (!name || !port.test(name)) continue;
      const found = readings.find(({ link, admin, protocol }) => ![link, admin, protocol].some(isMixed));
      if (!found) notUnderstood += 1;
      if (!found?.link) continue;
      const { link, admin, protocol } = found;
      const [, own = name, memberOf] = /^(\S+)-(Trk\d+)$/i.exec(name) ?? [];
      rows.push(
        dropAbsent<PortRow>({
          port: own,
          link,
          memberOf,
          admin,
          protocol,
        }),
      );
    }
    return columns ? { rows, notUnderstood } : undefined;
  };

/**
 * The same for rows without blanks in their cells: `row` names its groups `port`, `link`, `admin`, `protocol`, and
 * `rxErrors`, `txErrors` where the table counts them.
 */
export const statusLines =
  (header: RegExp, row: RegExp): Reader<PortRow> =>
  (capture) => {
    const at = capture.lines.findIndex((line) => header.test(line));
    if (at < 0) return undefined;
    return {
      rows: capture.lines.slice(at + 1).flatMap((line): PortRow[] => {
        const groups = row.exec(line)?.groups;
        const name = groups?.['port'];
        if (!groups || !name) return [];
        return [
          dropAbsent<PortRow>({
            port: name,
            link: text(groups['link']),
            admin: text(groups['admin']),
            protocol: text(groups['protocol']),
            rxErrors: count(groups['rxErrors']),
            txErrors: count(groups['txErrors']),
          }),
        ];
      }),
    };
  };

const columns: StatusTitles = {
  port: /^port/,
  link: /^status/,
  header: ['Port', 'Name', 'Description', 'Status', 'Vlan', 'Speed', 'Duplex', 'Type'],
};

/** `show interfaces status` of IOS, NX-OS and EOS. */
export const interfacesStatus = statusTable(/^Port\s+Name\s+Status\s/i, columns);

/** The same of FTOS and OS10; FTOS parts titles by single blanks. */
export const dellStatus = statusTable(/^Port\s+Description\s+Status\s/i, columns);
