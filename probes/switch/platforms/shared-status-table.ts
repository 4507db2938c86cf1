import type { Reader } from '../parse-capture.ts';
import { isRuler } from '../parse-lines.ts';
import {
  cellsOf,
  columnAt,
  ruledColumns,
  stackedColumns,
  titledColumns,
  type Column,
} from '../parse-table.ts';
import { text } from '../parse-values.ts';
import { present, type PortRow } from '../rows.ts';

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

const columnsIn = (lines: readonly string[], at: number, titles: StatusTitles): readonly Column[] => {
  const [head = '', below = ''] = [lines[at], lines[at + 1]];
  if (titles.header) return titledColumns(head, titles.header);
  return isRuler(below) && /[-=] +[-=|+]/.test(below)
    ? ruledColumns([head], below)
    : stackedColumns([head], true);
};

/** A reader of tables that list ports with their states and no counters. */
export const statusTable =
  (header: RegExp, titles: StatusTitles): Reader<PortRow> =>
  (capture) => {
    const lines = capture.lines.map((line) => line.replaceAll('|', ' '));
    const rows: PortRow[] = [];
    let columns: readonly Column[] | undefined;
    for (const [at, line] of lines.entries()) {
      if (header.test(line)) {
        columns = columnsIn(lines, at, titles);
        continue;
      }
      if (!columns || isRuler(line)) continue;
      const cells = cellsOf(line, columns);
      const cell = (title: RegExp | undefined): string | undefined =>
        title && columns ? text(cells[columnAt(columns, title)]) : undefined;
      const name = cell(titles.port);
      const link = cell(titles.link);
      if (!name || !link || !port.test(name)) continue;
      const [, own = name, memberOf] = /^(\S+)-(Trk\d+)$/i.exec(name) ?? [];
      rows.push(
        present<PortRow>({
          port: own,
          link,
          memberOf,
          admin: cell(titles.admin),
          protocol: cell(titles.protocol),
        }),
      );
    }
    return columns ? { rows } : undefined;
  };

/** The same for rows without blanks in their cells: `row` names its groups `port`, `link`, `admin`, `protocol`. */
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
          present<PortRow>({
            port: name,
            link: text(groups['link']),
            admin: text(groups['admin']),
            protocol: text(groups['protocol']),
          }),
        ];
      }),
    };
  };

/** `show interfaces status` of IOS, NX-OS, EOS, FTOS and OS10. */
export const interfacesStatus = statusTable(/^Port\s+(?:Name|Description)\s+Status\s/i, {
  port: /^port/,
  link: /^status/,
});
