import type { JsonMap } from './json.ts';
import { squeeze } from './words.ts';

/**
 * Titles of columns that may hold blanks, or nothing: what stands before them is counted from the left, what stands
 * behind them from the right.
 */
const WIDE: ReadonlySet<string> = new Set(['Name', 'Model', 'ErrMsg', 'Value']);

const isUnit = (word: string | undefined): boolean => word !== undefined && /^[KMGTP]?i?B$/.test(word);

/** `278.464 GB` are two words of one cell. */
const cellsOf = (titles: readonly string[], words: readonly string[]): [cells: string[], used: number] => {
  const cells: string[] = [];
  let at = 0;
  for (const title of titles) {
    const two = title === 'Size' && isUnit(words[at + 1]);
    cells.push(words.slice(at, at + (two ? 2 : 1)).join(' '));
    at += two ? 2 : 1;
  }
  return [cells, at];
};

const rowByWords = (titles: readonly string[], line: string): JsonMap => {
  const words = line.trim().split(/\s+/);
  const wide = titles.findIndex((title) => WIDE.has(title));
  if (wide < 0) return Object.fromEntries(cellsOf(titles, words)[0].map((cell, at) => [titles[at], cell]));
  const before = titles.slice(0, wide);
  const after = titles.slice(wide + 1);
  const [cells, used] = cellsOf(before, words);
  const end = Math.max(used, words.length - after.length);
  const all = [...cells, words.slice(used, end).join(' '), ...words.slice(end)];
  return Object.fromEntries(titles.map((title, at) => [title, all[at] ?? '']));
};

/** Batteries, and properties with their values: all columns begin where their title does, and cells hold blanks. */
const aligned: readonly (readonly string[])[] = [
  ['Model', 'State', 'RetentionTime', 'Temp', 'Mode', 'MfgDate', 'Next Learn'],
  ['Property', 'Value'],
];

const alignedIn = (heading: string): readonly string[] | undefined => {
  if (heading.includes('MfgDate')) return aligned[0];
  return /^Property\s+Value\s*$/.test(heading) ? aligned[1] : undefined;
};

const rowByColumns = (titles: readonly string[], heading: string, line: string): JsonMap => {
  const starts = titles
    // `Mode` also begins `Model`.
    .map((title) => ({ title, at: `${heading} `.indexOf(`${title} `) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at);
  return Object.fromEntries(
    starts.map(({ title, at }, index) => [title, line.slice(at, starts[index + 1]?.at).trim()]),
  );
};

const rowsOf = (heading: string, lines: readonly string[]): JsonMap[] => {
  const columns = alignedIn(heading);
  if (columns) return lines.map((line) => rowByColumns(columns, heading, line));
  // The last columns of disks in the second edition of the tool may be empty, and nothing of them is taken.
  const end = heading.includes(' LU/NS Count') ? heading.indexOf(' LU/NS Count') : undefined;
  // One column, the last one of the list of host bus adapters.
  const titles = heading.slice(0, end).trim().replace('PCI Address', 'PCI').split(/\s+/);
  return lines.map((line) => rowByWords(titles, line.slice(0, end)));
};

interface OpenPart {
  name: string;
  fields: Record<string, unknown>;
}

interface OpenText {
  status: Record<string, unknown>;
  data: Record<string, unknown>;
}

const isRule = (line: string): boolean => /^-{5,}\s*$/.test(line);

/** One report of the text, in the shape of the JSON: `Command Status` and `Response Data`. */
const reportOf = (lines: readonly string[]): JsonMap => {
  const open: OpenText = { status: {}, data: {} };
  let part: OpenPart | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    // A title stands over a line of equals signs.
    const title = /^\s?(\S.{0,120}?)\s?:$/.exec(line.trimEnd())?.[1];
    if (title !== undefined && /^=+\s*$/.test(lines[at + 1] ?? '')) {
      part = { name: title, fields: {} };
      at += 1;
    } else if (isRule(line) && isRule(lines[at + 2] ?? '')) {
      const from = at + 3;
      let end = from;
      while (end < lines.length && !isRule(lines[end] ?? '')) end += 1;
      const rows = rowsOf(lines[at + 1] ?? '', lines.slice(from, end));
      takeTable(open, part?.name ?? '', rows);
      at = end;
    } else takeField(open, part, line);
  }
  return { 'Command Status': open.status, 'Response Data': open.data };
};

const takeTable = (open: OpenText, name: string, rows: readonly JsonMap[]): void => {
  if (name === 'Detailed Status') open.status[name] = rows;
  else open.data[name] = rows;
};

const ofCommand: ReadonlySet<string> = new Set(['Controller', 'Status', 'Description', 'CLI Version']);

const takeField = (open: OpenText, part: OpenPart | undefined, line: string): void => {
  const at = line.indexOf(' =');
  const key = at <= 0 ? undefined : squeeze(line.slice(0, at));
  if (key === undefined) return;
  const value = line.slice(at + 2).trim();
  const below = part ? (open.data[part.name] ?? part.fields) : undefined;
  // Behind a table stands the number of rows of the next one.
  if (part && below === part.fields) {
    part.fields[key] = value;
    open.data[part.name] = part.fields;
  } else if (ofCommand.has(key)) open.status[key] = value;
  else open.data[key] = value;
};

/** The reports of a text, one for each controller: each begins with `Controller = N` and its status. */
export const textReports = (text: string): JsonMap[] => {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const isStatus = (at: number): boolean => lines[at]?.startsWith('Status = ') === true;
  const isController = (at: number): boolean => /^Controller = \d{1,4}$/.test(lines[at] ?? '');
  const starts = [...lines.keys()].filter(
    (at) => (isController(at) && isStatus(at + 1)) || (isStatus(at) && !isController(at - 1)),
  );
  return starts.map((start, index) => reportOf(lines.slice(start, starts[index + 1])));
};
