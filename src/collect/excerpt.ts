import type { Excerpt, ExcerptPart } from '../model/evidence.ts';
import { expand } from '../text/nodeset.ts';
import { recordAround, type TextRecord } from './record-around.ts';

/** What is looked for in a text. */
export interface Wanted {
  /** As the text spells it. */
  names: readonly string[];
  /** Names of values. */
  words: readonly string[];
}

/** Lines shown of one text; a group of hundreds of nodes has more. */
const MOST_LINES = 300;
/** A record of at most so many lines is shown whole; of a longer one what is marked, with what stands around it. */
const WHOLE_RECORD = 24;
/** Where nothing is marked, so many lines from the begin. */
const HEAD = 20;
/** Where nothing needs to be folded, folding is no help. */
const SHORT = 30;

/** A text opened at the lines that are wanted: what they stand in around them, everything else folded. */
export const excerptOf = (lines: readonly string[], wanted: Wanted, whole = false): Excerpt => {
  const { marks, shown, marked } = mark(lines, wanted);
  const all = whole || lines.length <= SHORT;
  return { lines: lines.length, marked, parts: partsOf(lines, marks, all ? undefined : shown) };
};

/** The same cut after so many characters, for a text that is shown whole. */
export const cutLines = (lines: readonly string[], most: number): readonly string[] => {
  let room = most;
  const at = lines.findIndex((line) => (room -= line.length + 1) < 0);
  return at < 0 ? lines : lines.slice(0, at);
};

const escapeText = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

const anyOf = (texts: readonly string[], before: string, after: string): RegExp | undefined =>
  texts.length === 0 ? undefined : new RegExp(`${before}(?:${texts.map(escapeText).join('|')})${after}`, 'i');

/** `node[12-28,31]` in a text names node13. */
const nodeSet = /[\w.-]*\w\[[\d,-]{1,500}\]/g;

const isNamedInSet = (line: string, names: ReadonlySet<string>): boolean =>
  line.includes('[') &&
  (line.match(nodeSet) ?? []).some((set) => {
    try {
      return expand(set).some((name) => names.has(name));
    } catch {
      return false;
    }
  });

const mark = (lines: readonly string[], { names, words }: Wanted) => {
  const name = anyOf(names, '(?<![\\w-])', '(?!\\w|-\\d)');
  const word = anyOf(words, '(?<!\\w)', '(?![a-z])');
  const known = new Set(names);
  const named = lines.flatMap((line, at) =>
    (name?.test(line) ?? false) || isNamedInSet(line, known) ? [at] : [],
  );
  const records = mergeRecords(named.slice(0, MOST_LINES).map((at) => recordAround(lines, at)));
  // A text that does not name what is wanted says nothing of it; where nothing is wanted by name all of the text is about it.
  const inside = names.length > 0 ? records : [{ from: 0, to: lines.length - 1 }];
  const values = word
    ? inside.flatMap(({ from, to }) => lineNumbers(from, to).filter((at) => word.test(lines[at] ?? '')))
    : [];
  const shown = new Set<number>();
  for (const record of records.filter(({ from, to }) => values.length === 0 || to > from)) {
    const isLong = record.to - record.from >= WHOLE_RECORD;
    const kept = isLong ? [record.from, record.to] : lineNumbers(record.from, record.to);
    for (const at of [...kept, ...record.head]) shown.add(at);
  }
  // Of lines that each say one thing, those of the values only; the name of a longer record says whose values they are.
  const heads = values.length === 0 ? named : named.filter((at) => isInLonger(records, at));
  const marks = new Set(
    [...heads.slice(0, MOST_LINES), ...values.slice(0, MOST_LINES)].flatMap((at) => [
      at,
      ...valueLines(lines, at),
    ]),
  );
  for (const at of marks) for (const near of [at - 1, at, at + 1]) shown.add(near);
  if (marks.size === 0) for (const at of lineNumbers(0, HEAD - 1)) shown.add(at);
  const about = names.length === 0 ? 'all' : 'nothing';
  const marked: Excerpt['marked'] = values.length > 0 ? 'values' : named.length > 0 ? 'names' : about;
  return { marks, shown, marked };
};

const lineNumbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);

/** `"state": [` goes on over the next lines to its bracket. */
const valueLines = (lines: readonly string[], at: number): readonly number[] => {
  if (!/[[{]\s*$/.test(lines[at] ?? '')) return [];
  const { from, to } = recordAround(lines, at + 1);
  return from === at && to - from <= 8 ? lineNumbers(from + 1, to) : [];
};

const isInLonger = (records: readonly TextRecord[], line: number): boolean =>
  records.some(({ from, to }) => to > from && line >= from && line <= to);

const mergeRecords = (records: readonly TextRecord[]): readonly TextRecord[] => [
  ...new Map(records.map((record) => [`${record.from} ${record.to}`, record])).values(),
];

/** `shown`: which lines; absent: all. */
const partsOf = (
  lines: readonly string[],
  marks: ReadonlySet<number>,
  shown: ReadonlySet<number> | undefined,
): readonly ExcerptPart[] => {
  const parts: ({ at: number; lines: { text: string; mark?: true }[] } | { at: number; folded: number })[] =
    [];
  let room = shown === undefined ? Infinity : MOST_LINES;
  for (const [index, text] of lines.entries()) {
    const last = parts.at(-1);
    if ((shown === undefined || shown.has(index)) && room > 0) {
      room -= 1;
      const line = { text, ...(marks.has(index) && { mark: true as const }) };
      if (last && 'lines' in last) last.lines.push(line);
      else parts.push({ at: index + 1, lines: [line] });
    } else if (last && 'folded' in last) last.folded += 1;
    else parts.push({ at: index + 1, folded: 1 });
  }
  return parts;
};
