/** The longest list one expression may stand for: a typo like `n[1-999999999]` is refused, not expanded. */
const LIMIT = 100_000;

/**
 * `node[1-3,7],gl1` to its names, in order, padding kept (`n[08-11]`: n08 n09 n10 n11); several brackets multiply.
 * Throws RangeError naming what is wrong.
 */
export const expand = (expression: string): string[] => {
  const names = splitOutside(expression).flatMap((part) => expandOne(part.trim()));
  if (names.length > LIMIT) throw new RangeError(`"${expression}" stands for more than ${LIMIT} names`);
  return names;
};

const splitOutside = (text: string): string[] => {
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
  const numbers = part
    .slice(open + 1, close)
    .split(',')
    .flatMap((range) => expandRange(range, part));
  if (numbers.length * tails.length > LIMIT)
    throw new RangeError(`"${part}" stands for more than ${LIMIT} names`);
  return numbers.flatMap((number) => tails.map((tail) => head + number + tail));
};

const expandRange = (range: string, part: string): string[] => {
  const match = /^(\d+)(?:-(\d+))?$/.exec(range.trim());
  if (!match) throw new RangeError(`"${range}" in "${part}" is not a number or range like 1-200`);
  const from = match[1] ?? '';
  const to = match[2] ?? from;
  const first = Number(from);
  const last = Number(to);
  if (last < first) throw new RangeError(`the range ${range} in "${part}" runs backwards`);
  if (last - first >= LIMIT) throw new RangeError(`"${part}" stands for more than ${LIMIT} names`);
  const padding = from.length > 1 && from.startsWith('0') ? from.length : 0;
  return Array.from({ length: last - first + 1 }, (_, index) => String(first + index).padStart(padding, '0'));
};

/**
 * Names folded as ClusterShell's `nodeset -f` does: `node[1-4,7],gl1`; sorted, duplicates dropped, one number folded (the
 * last one of the name), numbers of other padding kept apart.
 */
export const fold = (names: Iterable<string>): string => {
  const groups = new Map<string, Map<number, Set<number>>>();
  const plain = new Set<string>();
  for (const name of names) {
    const match = /^(.*?)(\d+)(\D*)$/.exec(name);
    const digits = match?.[2] ?? '';
    if (!match || digits.length > 15) {
      plain.add(name);
      continue;
    }
    const key = `${match[1]}\0${match[3]}`;
    const padding = digits.length > 1 && digits.startsWith('0') ? digits.length : 0;
    const paddings = groups.get(key) ?? new Map<number, Set<number>>();
    groups.set(key, paddings);
    const numbers = paddings.get(padding) ?? new Set<number>();
    paddings.set(padding, numbers);
    numbers.add(Number(digits));
  }
  const folded = [...groups].flatMap(([key, paddings]) => {
    const [head = '', tail = ''] = key.split('\0');
    return [...mergePaddings(paddings)].map(([padding, numbers]) => ({
      key: head,
      text: foldOne(head, tail, padding, [...numbers]),
    }));
  });
  return [...folded, ...[...plain].map((name) => ({ key: name, text: name }))]
    .sort((a, b) => compare(a.key, b.key) || compare(a.text, b.text))
    .map((one) => one.text)
    .join(',');
};

/** `n08 n09 n10`: 10 has no leading zero but the width of the padded ones, so it belongs to them. */
const mergePaddings = (paddings: Map<number, Set<number>>): Map<number, Set<number>> => {
  const bare = paddings.get(0);
  if (!bare) return paddings;
  for (const [padding, numbers] of paddings) {
    if (padding === 0) continue;
    for (const number of bare) {
      if (String(number).length !== padding) continue;
      numbers.add(number);
      bare.delete(number);
    }
  }
  if (bare.size === 0) paddings.delete(0);
  return paddings;
};

const foldOne = (head: string, tail: string, padding: number, numbers: number[]): string => {
  numbers.sort((a, b) => a - b);
  const show = (value: number): string => String(value).padStart(padding, '0');
  const ranges: string[] = [];
  let from = numbers[0] ?? 0;
  let last = from;
  const close = (): void => {
    ranges.push(from === last ? show(from) : `${show(from)}-${show(last)}`);
  };
  for (const number of numbers.slice(1)) {
    if (number !== last + 1) {
      close();
      from = number;
    }
    last = number;
  }
  close();
  const only = ranges.length === 1 && !ranges[0]?.includes('-');
  return only ? `${head}${ranges[0]}${tail}` : `${head}[${ranges.join(',')}]${tail}`;
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Names in the order people expect: node2 before node10. */
export const byName = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });
