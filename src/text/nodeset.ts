/** The longest list one expression may stand for: a typo like `n[1-999999999]` is refused, not expanded. */
export const MOST_NAMES = 100_000;

/**
 * `node[1-3,7],gl1` to its names, in the order written, padding kept (`n[08-11]`: n08 n09 n10 n11), `n[1-9/2]` every
 * second; several brackets multiply. As ClusterShell's `nodeset -e`, but nothing is sorted or dropped. Throws RangeError
 * naming what is wrong.
 */
export const expand = (expression: string): string[] =>
  collect(
    splitOutside(expression).map((part) => part.trim()),
    expandOne,
    expression,
  );

/** All results together, given up as soon as there are too many. */
const collect = (
  parts: readonly string[],
  results: (part: string) => readonly string[],
  text: string,
): string[] => {
  const all: string[] = [];
  for (const part of parts) {
    const some = results(part);
    if (all.length + some.length > MOST_NAMES) throw tooManyError(text);
    for (const name of some) all.push(name);
  }
  return all;
};

export const tooManyError = (text: string): RangeError =>
  new RangeError(
    `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}" stands for more than ${MOST_NAMES} names`,
  );

/** Its parts at the commas that stand in no bracket. Throws RangeError where brackets do not match. */
export const splitOutside = (text: string): string[] => {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '[') depth += 1;
    if (char === ']') depth -= 1;
    if (depth < 0 || depth > 1) throw new RangeError(`brackets do not match in "${text}"`);
    if (char === ',' && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  if (depth !== 0) throw new RangeError(`brackets do not match in "${text}"`);
  parts.push(text.slice(from));
  return parts;
};

const expandOne = (part: string): string[] => {
  if (part === '') throw new RangeError('an empty name in a node set');
  const open = part.indexOf('[');
  if (open < 0) return [part];
  const close = part.indexOf(']', open);
  const head = part.slice(0, open);
  const tails = close + 1 === part.length ? [''] : expandOne(part.slice(close + 1));
  const numbers = collect(part.slice(open + 1, close).split(','), (range) => expandRange(range, part), part);
  if (numbers.length * tails.length > MOST_NAMES) throw tooManyError(part);
  return numbers.flatMap((number) => tails.map((tail) => head + number + tail));
};

/** Every `every`th number from `first` to `last`, written with at least `width` digits. */
export interface NumberRange {
  first: bigint;
  last: bigint;
  every: bigint;
  width: number;
}

const expandRange = (range: string, part: string): string[] => {
  const { first, last, every, width } = parseRange(range, part);
  const length = (last - first) / every + 1n;
  if (length > MOST_NAMES) throw tooManyError(part);
  return Array.from({ length: Number(length) }, (_, at) =>
    String(first + BigInt(at) * every).padStart(width, '0'),
  );
};

/** `1-200`, `7`, `01-99/2` of a part of an expression. Throws RangeError naming what is wrong. */
export const parseRange = (range: string, part: string): NumberRange => {
  const match = /^(\d+)(?:-(\d+)(?:\/(\d+))?)?$/.exec(range.trim());
  if (!match) throw new RangeError(`"${range}" in "${part}" is not a number or range like 1-200`);
  const [, from = '', to = from, step = '1'] = match;
  const first = BigInt(from);
  const last = BigInt(to);
  const every = BigInt(step);
  if ((isPadded(from) || isPadded(to)) && from.length !== to.length) {
    throw new RangeError(`the ends of ${range} in "${part}" are not padded alike`);
  }
  if (last < first) throw new RangeError(`the range ${range} in "${part}" runs backwards`);
  if (every < 1n) throw new RangeError(`the range ${range} in "${part}" has a step of 0`);
  return { first, last, every, width: from.length };
};

const isPadded = (digits: string): boolean => digits.length > 1 && digits.startsWith('0');

/**
 * Names folded as ClusterShell's `nodeset -f` does: `node[1-4,7],gl1`; sorted, duplicates dropped; every number of a
 * name may fold (`r[1-2]n[1-8]`); numbers of other padding are other numbers. Names that hold set syntax themselves
 * stand at the end as they are.
 */
export const fold = (names: Iterable<string>): string => {
  const groups = new Map<string, string[][]>();
  const strange: string[] = [];
  for (const name of new Set(names)) {
    if (/[%,[\]]/.test(name)) {
      strange.push(name);
      continue;
    }
    const pattern = name.replace(/\d+/g, '%s');
    const numbers = name.match(/\d+/g) ?? [];
    const group = groups.get(pattern);
    if (group) group.push(numbers);
    else groups.set(pattern, [numbers]);
  }
  const parts = [...groups]
    .sort(([a], [b]) => compare(a, b))
    .flatMap(([pattern, members]) =>
      boxes(members)
        .map((box) => draw(pattern, box))
        .sort(compare),
    );
  return [...parts, ...strange.sort(compare)].join(',');
};

/** A set of values for each number of a pattern; it stands for all combinations. */
type Box = readonly (readonly string[])[];

/** As few boxes as merging number by number gives, from the last number to the first. */
const boxes = (members: readonly (readonly string[])[]): Box[] => {
  let all: Box[] = members.map((numbers) => numbers.map((value) => [value]));
  for (let place = (members[0]?.length ?? 0) - 1; place >= 0; place--) {
    const alike = Map.groupBy(all, (box) =>
      box.map((values, at) => (at === place ? '' : values.join())).join('/'),
    );
    all = [...alike.values()].map((some) =>
      (some[0] ?? []).map((values, at) =>
        at === place ? some.flatMap((box) => box[at] ?? []).sort(byNumber) : values,
      ),
    );
  }
  return all;
};

const draw = (pattern: string, box: Box): string => {
  const texts = pattern.split('%s');
  return texts.map((text, at) => (at === 0 ? text : ranges(box[at - 1] ?? []) + text)).join('');
};

/** Sorted values as `[1-4,7]`; one value stands bare. */
const ranges = (values: readonly string[]): string => {
  const spans: { from: string; to: string }[] = [];
  for (const value of values) {
    const open = spans.at(-1);
    const wide = open && isPadded(open.from) && value.length !== open.from.length;
    if (open && !wide && value === successor(open.to)) open.to = value;
    else spans.push({ from: value, to: value });
  }
  const texts = spans.map(({ from, to }) => (from === to ? from : `${from}-${to}`));
  return values.length === 1 ? texts.join() : `[${texts.join()}]`;
};

const successor = (digits: string): string =>
  String(digits.length < 16 ? Number(digits) + 1 : BigInt(digits) + 1n).padStart(digits.length, '0');

const byNumber = (a: string, b: string): number => a.length - b.length || compare(a, b);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Names in the order people expect: node2 before node10. */
export const compareByName = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });
