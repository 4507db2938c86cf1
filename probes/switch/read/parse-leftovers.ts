import { CUT } from './parse-values.ts';

/** A port's name at the start of a line: two letters or more with digits, or digits with `/` or `:` between them. */
const named =
  /^\s*((?:[A-Za-z][A-Za-z-]{1,24} ?)?\d+(?:[/:.]\d+){1,4}|[A-Za-z][A-Za-z-]{1,24}\d+\w{0,6})(?=\s)/;

/** A figure in a cell, grouped or not, or the words for none. */
const figure = /^(?:-?\d[\d,]*(?:\.\d+)?%?|N\/A|--?)$/i;

/** Where a port's lines begin in the style of `show interfaces`. */
export const begins = /^(?:Interface )?(\S+(?: \d[\d/:.]*)?) is (?:administratively |admin )?(?:up|down)\b/i;

const names = (row: object): string[] =>
  Object.entries(row).flatMap(([key, value]) =>
    ['port', 'lag', 'member', 'localPort'].includes(key) && typeof value === 'string' ? [value] : [],
  );

/** The port of a line of a table: its name, then three cells or more that are mostly figures. */
const portOfTableLine = (line: string): string | undefined => {
  const match = named.exec(line);
  const cells = match ? line.slice(match[0].length).trim().split(/\s+/) : [];
  return cells.length >= 3 && cells.filter((cell) => figure.test(cell)).length >= 0.7 * cells.length
    ? match?.[1]
    : undefined;
};

/**
 * How many lines are a port's own and stand in no row: what a reader passed over is told, not hidden. Where nothing at all was read, a
 * port's name at the start is enough.
 */
export const countLeftover = (lines: readonly string[], rows: readonly object[]): number => {
  const known = new Set(rows.flatMap(names));
  return lines.filter((line) => {
    if (line.length > 400 || line.includes(CUT)) return false;
    const name =
      begins.exec(line)?.[1] ?? (rows.length === 0 ? named.exec(line)?.[1] : portOfTableLine(line));
    // Junos lists the units of a LAG's members (`ge-0/0/6.0`) below the LAG.
    return name !== undefined && !/\.\d+$/.test(name) && !known.has(name);
  }).length;
};
