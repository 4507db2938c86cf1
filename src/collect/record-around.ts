/** Lines of a text that say one thing; `head`: lines above that say what its columns or its section are. */
export interface TextRecord {
  from: number;
  to: number;
  head: readonly number[];
}

/** A paragraph that begins with a name is about that; a longer one is a table. */
const SHORT_PARAGRAPH = 60;
/** So far is looked for the ends of a record, lines. */
const FAR = 400;

const indentOf = (line: string): number => line.length - line.trimStart().length;

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === '';

const opens = (line: string): boolean => /[{[]\s*$/.test(line);

/**
 * What a line stands in, by the layout alone: the object of laid out JSON, a line with those below it that are indented, a section under a
 * `[heading]`; else the line itself, with the first lines of its table.
 */
export const recordAround = (lines: readonly string[], at: number): TextRecord => {
  const line = lines[at] ?? '';
  const next = lines[at + 1] ?? '';
  if (opens(line) || (!isBlank(next) && indentOf(next) > indentOf(line)))
    return { from: at, to: endOf(lines, at), head: headOf(lines, at) };
  const owner = ownerOf(lines, at);
  if (owner !== undefined && (opens(lines[owner] ?? '') || indentOf(lines[owner] ?? '') === 0))
    return { from: owner, to: endOf(lines, owner), head: headOf(lines, owner) };
  const first = paragraphStart(lines, at);
  if (/^\[.*\]$/.test(lines[first] ?? '')) return { from: first, to: paragraphEnd(lines, at), head: [] };
  if (first === at && indentOf(line) === 0) {
    const last = paragraphEnd(lines, at);
    if (last > at && last - at < SHORT_PARAGRAPH) return { from: at, to: last, head: headOf(lines, at) };
  }
  return { from: at, to: at, head: at - first < 2 ? [] : [...headOf(lines, first), first, first + 1] };
};

/** The line above that is indented less and to which this one belongs. */
const ownerOf = (lines: readonly string[], at: number): number | undefined => {
  const indent = indentOf(lines[at] ?? '');
  if (indent === 0) return undefined;
  for (let above = at - 1; above >= Math.max(0, at - FAR); above--) {
    const line = lines[above];
    if (!isBlank(line) && indentOf(line ?? '') < indent) return above;
  }
  return undefined;
};

/** The last line that belongs to the one at `from`: indented deeper, or its closing bracket. */
const endOf = (lines: readonly string[], from: number): number => {
  const indent = indentOf(lines[from] ?? '');
  let to = from;
  for (let at = from + 1; at < Math.min(lines.length, from + FAR); at++) {
    const line = lines[at] ?? '';
    if (isBlank(line)) break;
    if (indentOf(line) <= indent) {
      if (indentOf(line) === indent && /^\s*[}\]]/.test(line)) to = at;
      break;
    }
    to = at;
  }
  return to;
};

const paragraphStart = (lines: readonly string[], at: number): number => {
  let first = at;
  while (first > 0 && !isBlank(lines[first - 1]) && at - first < FAR && !/^\[.*\]$/.test(lines[first] ?? ''))
    first -= 1;
  return first;
};

const paragraphEnd = (lines: readonly string[], at: number): number => {
  let last = at;
  while (!isBlank(lines[last + 1]) && last - at < FAR && !(lines[last + 1] ?? '').startsWith('[')) last += 1;
  return last;
};

/** The mark of the part of a script's answer that a line stands in (`@@faultline nodes`). */
const headOf = (lines: readonly string[], at: number): readonly number[] => {
  for (let above = at - 1; above >= Math.max(0, at - 4 * FAR); above--)
    if (/^(?:@@faultline|---) /.test(lines[above] ?? '')) return [above];
  return [];
};
