declare const safe: unique symbol;

/** Text that can be drawn: nothing in it moves a cursor, hides or reorders. Made by `makeSafe`, and only by it. */
export type SafeText = string & { readonly [safe]: true };

/** A value of whatever shape, all of whose texts are safe: what the store takes, and what a probe's schema gives its shape. */
export interface SafeData {
  readonly [safe]: true;
}

/** A value all of whose texts, in whatever depth, are safe; words that only the program itself chose stay what they are. Made by `makeSafeDeep`. */
export type Safe<T> = unknown extends T ? SafeData : SafeOf<T>;

type SafeOf<T> = T extends string
  ? string extends T
    ? SafeText
    : T
  : T extends ReadonlySet<infer E>
    ? ReadonlySet<Safe<E>>
    : T extends ReadonlyMap<infer K, infer V>
      ? ReadonlyMap<Safe<K>, Safe<V>>
      : T extends symbol
        ? T
        : T extends object
          ? { [K in keyof T]: Safe<T[K]> }
          : T;

/** Nothing but printable ASCII: most text, so this is the fast path. */
const plainAscii = /^[\x20-\x7e]*$/;
const plainAsciiLines = /^[\x20-\x7e\n]*$/;

/**
 * Everything but what all terminals draw alike: alphabets without conjuncts, CJK, digits, punctuation, signs, and the common combining
 * marks. So it takes in C0, DEL and C1 controls, lone surrogates (our mark for invalid UTF-8), bidi controls and letters written from
 * right to left, zero-width, invisible, private and unassigned characters, separators, variation selectors, tags (after Trojan Source,
 * CVE-2021-42574); and what terminals give different columns: emoji, flags, conjoining jamo, scripts whose letters join, and characters
 * younger than Unicode 12 (compared by test with xterm.js, tmux and string-width: docs/decisions/0295).
 */
const oddlyDrawn =
  /[^\u0300-\u036f\uac00-\ud7a3\u{20000}-\u{2a6d6}[[[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Common}]&&[\p{L}\p{N}\p{P}\p{S}\p{Zs}]&&[\x20-\uffff]]--[\p{Emoji_Presentation}\p{Default_Ignorable_Code_Point}\u1c80-\u1c8f\u20c0-\u20cf\u2427-\u243f\u2630-\u2637\u268a-\u268f\u2b96\u2ffc-\u2fff\u31e4-\u31ef\u3248-\u324f\ua7c0-\ua7ff]]]/gv;

/** Marks with the letter that bears them. */
const marks = /(\p{L}?)(\p{M}+)/gu;

const escapeCharacter = (char: string): string => {
  const code = char.codePointAt(0) ?? 0;
  if (code === 0x0a) return '⏎';
  if (code === 0x0d) return '\\r';
  if (code === 0x09) return ' ';
  if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`;
  if (code === 0x7f) return '^?';
  if (code < 0xa0) return `\\x${code.toString(16)}`;
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${(code - 0xdc00).toString(16)}`;
  return asNumber(code);
};

const asNumber = (code: number): string => `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;

/**
 * Makes remote text visible and harmless, as wide on every terminal; nothing is dropped: ESC becomes `^[`, a line feed `⏎`, a bidi
 * override `<U+202E>`, an invalid byte `\xNN`, an emoji `<U+1F525>`; of a letter's combining marks two stay and the rest is counted as
 * `<+N marks>`, those of anything else are shown as numbers.
 * Idempotent. Text longer than `limit` characters is cut with the number of those left out.
 */
export const makeSafe = (text: string, limit = 10_000): SafeText => {
  const shown = plainAscii.test(text) ? text : escapeOddlyDrawn(text);
  return (shown.length > limit ? cut(shown, limit) : shown) as SafeText;
};

const escapeOddlyDrawn = (text: string): string =>
  text.replace(oddlyDrawn, escapeCharacter).replace(marks, (_, letter: string, stack: string) => {
    if (letter === '') return stack.replaceAll(/./gu, escapeCharacter);
    const left = stack.length - 2;
    return left > 0 ? `${letter}${stack.slice(0, 2)}<+${left} marks>` : letter + stack;
  });

const cut = (text: string, limit: number): string => {
  // Cut before, here or on the host: cutting the note again would make its number wrong.
  const note = /<\+\d{1,12} more>$/.exec(text);
  if (note && note.index <= limit) return text;
  const end =
    text.charCodeAt(limit - 1) >= 0xd800 && text.charCodeAt(limit - 1) <= 0xdbff ? limit - 1 : limit;
  return `${text.slice(0, end)}<+${text.length - end} more>`;
};

/**
 * JSON text in which everything that `makeSafe` would make visible is written as `\uXXXX`: it parses to the same value, and a terminal
 * draws nothing of it otherwise than it is. Its own line feeds, between its parts, stay.
 */
export const makeSafeJson = (json: string): string =>
  plainAsciiLines.test(json)
    ? json
    : json
        .replace(oddlyDrawn, (char) => (char === '\n' ? char : escapeUnits(char)))
        .replace(marks, (_, letter: string, stack: string) => {
          const kept = letter === '' ? 0 : 2;
          return letter + stack.slice(0, kept) + escapeUnits(stack.slice(kept));
        });

const escapeUnits = (char: string): string =>
  Array.from(
    { length: char.length },
    (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/** Every letter that is not of ASCII as a number, too: a name with a Cyrillic `о` looks like another one. */
export const makeAscii = (text: string): string =>
  text.replaceAll(/[^ -~]/gu, (char) => asNumber(char.codePointAt(0) ?? 0));

/** The same for text of several lines, line feeds kept as line breaks. */
export const makeSafeLines = (text: string): SafeText[] => text.split(/\r?\n/).map((line) => makeSafe(line));

/** True when `makeSafe` has nothing to change: the only kind of text that may name a target. */
export const isPlain = (text: string): boolean => makeSafe(text) === text;

/**
 * Every string leaf (and key) of a value made visible; numbers, bigints, booleans and `null` stay. A part in which nothing had to be
 * changed is the same object again. With `keep`, which gets every safe leaf and gives the same text, all is made anew.
 */
export const makeSafeDeep = <T>(value: T, keep?: (text: SafeText) => SafeText): Safe<T> =>
  walk(value, keep) as Safe<T>;

type Keep = ((text: SafeText) => SafeText) | undefined;

const walk = (value: unknown, keep: Keep): unknown => {
  if (typeof value === 'string') return keep ? keep(makeSafe(value)) : makeSafe(value);
  if (Array.isArray(value)) {
    const list = value.map((one) => walk(one, keep));
    return !keep && list.every((one, at) => one === value[at]) ? value : list;
  }
  if (value instanceof Set) return new Set([...value].map((one) => walk(one, keep)));
  if (value instanceof Map)
    return new Map([...value].map(([key, one]) => [walk(key, keep), walk(one, keep)]));
  return value !== null && typeof value === 'object' ? walkFields(value, keep) : value;
};

/**
 * Without lists of names or of pairs: thousands of ports and nodes pass here at every poll. Each part is looked at once, whatever has to
 * be changed in it: looked at again at every level, thirty objects inside each other would take minutes.
 */
const walkFields = (value: object, keep: Keep): object => {
  const fields = value as Readonly<Record<string, unknown>>;
  let copy: Record<string, unknown> | undefined = keep && {};
  for (const name in fields) {
    const safeName = makeSafe(name);
    const part = fields[name];
    const safePart = walk(part, keep);
    if (!copy && safeName === name && safePart === part) continue;
    copy ??= copyBefore(fields, name);
    setField(copy, safeName, safePart);
  }
  return copy ?? value;
};

const copyBefore = (fields: Readonly<Record<string, unknown>>, end: string): Record<string, unknown> => {
  const copy: Record<string, unknown> = {};
  for (const name in fields) {
    if (name === end) break;
    setField(copy, name, fields[name]);
  }
  return copy;
};

/** A host may call a field `__proto__`: plain assignment would set what the copy is made of, not a field. */
const setField = (copy: Record<string, unknown>, name: string, value: unknown): void => {
  if (name === '__proto__') Object.defineProperty(copy, name, { ...own, value });
  else copy[name] = value;
};

const own = { enumerable: true, writable: true, configurable: true };

/** Most of what hosts say in a minute they said the minute before. */
const MOST = 50_000;
const LONGEST = 100;
const table = new Map<SafeText, SafeText>();

/**
 * The same text, kept once. And on its own: what was cut out of an answer holds on to the whole answer, 100 kB for the name of a
 * port. For what is kept for long.
 */
export const internText = (text: SafeText): SafeText => {
  if (text.length > LONGEST) return copyText(text);
  const known = table.get(text);
  if (known !== undefined) return known;
  if (table.size >= MOST) table.clear();
  const copy = copyText(text);
  table.set(copy, copy);
  return copy;
};

/** V8 copies a text shorter than 13 characters by itself; safe text has no lone surrogates that would be lost on the way. */
const copyText = (text: SafeText): SafeText =>
  text.length < 13 ? text : (Buffer.from(text).toString() as SafeText);
