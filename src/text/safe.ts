declare const safe: unique symbol;

/** Text that can be drawn: nothing in it moves a cursor, hides or reorders. Made by `visible`, and only by it. */
export type SafeText = string & { readonly [safe]: true };

/** Nothing but printable ASCII: most text, so this is the fast path. */
const plainAscii = /^[\x20-\x7e]*$/;

/**
 * What must not reach a terminal as it is: C0, DEL and C1 controls, lone surrogates (our mark for invalid UTF-8), bidi
 * controls, zero-width, invisible, private and unassigned characters, line and paragraph separators, variation
 * selectors, tags. After Trojan Source (CVE-2021-42574).
 */
const hostile = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const marks = /(\p{M}{2})\p{M}+/gu;

const caret = (code: number): string => {
  if (code === 0x0a) return '⏎';
  if (code === 0x0d) return '\\r';
  if (code === 0x09) return ' ';
  if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`;
  if (code === 0x7f) return '^?';
  if (code < 0xa0) return `\\x${code.toString(16)}`;
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${(code - 0xdc00).toString(16)}`;
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
};

/**
 * Makes remote text visible and harmless; nothing is dropped: ESC becomes `^[`, a line feed `⏎`, a bidi override
 * `<U+202E>`, an invalid byte `\xNN`; of stacked combining marks two stay and the rest is counted as `<+N marks>`.
 * Idempotent. Text longer than `limit` characters is cut with the number of those left out.
 */
export const visible = (text: string, limit = 10_000): SafeText => {
  const shown = plainAscii.test(text) ? text : makeVisible(text);
  return (shown.length > limit ? cut(shown, limit) : shown) as SafeText;
};

const makeVisible = (text: string): string =>
  text
    .replace(hostile, (found) => caret(found.codePointAt(0) ?? 0))
    .replace(marks, (found, kept: string) => `${kept}<+${[...found].length - 2} marks>`);

const cut = (text: string, limit: number): string => {
  // Cut before, here or on the host: cutting the note again would make its number wrong.
  const note = /<\+\d{1,12} more>$/.exec(text);
  if (note && note.index <= limit) return text;
  const end =
    text.charCodeAt(limit - 1) >= 0xd800 && text.charCodeAt(limit - 1) <= 0xdbff ? limit - 1 : limit;
  return `${text.slice(0, end)}<+${text.length - end} more>`;
};

/** The same for text of several lines, line feeds kept as line breaks. */
export const visibleLines = (text: string): SafeText[] => text.split(/\r?\n/).map((line) => visible(line));

/** True when `visible` has nothing to change: the only kind of text that may name a target. */
export const isPlain = (text: string): boolean => visible(text) === text;

/**
 * Every string leaf (and key) of a value made visible; numbers, bigints, booleans and `null` stay. A part in which nothing had to be
 * changed is the same object again. With `keep`, which gets every safe leaf and gives the same text, all is made anew.
 */
export const safeDeep = <T>(value: T, keep?: (text: SafeText) => SafeText): T => walk(value, keep) as T;

type Keep = ((text: SafeText) => SafeText) | undefined;

const walk = (value: unknown, keep: Keep): unknown => {
  if (typeof value === 'string') return keep ? keep(visible(value)) : visible(value);
  if (Array.isArray(value)) {
    const list = value.map((one) => walk(one, keep));
    return !keep && list.every((one, at) => one === value[at]) ? value : list;
  }
  if (value instanceof Set) return new Set([...value].map((one) => walk(one, keep)));
  if (value instanceof Map)
    return new Map([...value].map(([key, one]) => [walk(key, keep), walk(one, keep)]));
  return value !== null && typeof value === 'object' ? walkFields(value, keep) : value;
};

/** Without lists of names or of pairs: thousands of ports and nodes pass here at every poll. */
const walkFields = (value: object, keep: Keep): object => {
  const fields = value as Readonly<Record<string, unknown>>;
  if (keep) return copyOf(fields, keep);
  for (const name in fields) {
    if (visible(name) !== name || walk(fields[name], keep) !== fields[name]) return copyOf(fields, keep);
  }
  return value;
};

const copyOf = (fields: Readonly<Record<string, unknown>>, keep: Keep): object => {
  const copy: Record<string, unknown> = {};
  for (const name in fields) {
    const one = walk(fields[name], keep);
    // A host may call a field so: plain assignment would set what it is made of, not a field.
    if (name === '__proto__') Object.defineProperty(copy, name, { ...own, value: one });
    else copy[visible(name)] = one;
  }
  return copy;
};

const own = { enumerable: true, writable: true, configurable: true };
