import { ParseError } from '../../../src/model/errors.ts';
import { requireShallow } from '../../../src/kit/json-depth.ts';
import { cellText } from './words.ts';

export type JsonMap = Readonly<Record<string, unknown>>;

/** What a tool printed as JSON, and the keys that stood twice in one object: the last of each counts. */
export interface LooseJson {
  value: unknown;
  duplicateKeys: readonly string[];
}

const [QUOTE, ESCAPE, COLON] = ['"', '\\', ':'];

/** Where the string that begins at `start` ends (its closing quote), or the end of the text. */
const endOfString = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === ESCAPE) at += 1;
    else if (text[at] === QUOTE) return at;
  }
  return text.length;
};

/** Where a comment that begins at `start` ends; `start` where none begins. */
const endOfComment = (text: string, start: number): number => {
  if (text.startsWith('//', start)) {
    const end = text.indexOf('\n', start);
    return end < 0 ? text.length : end;
  }
  if (!text.startsWith('/*', start)) return start;
  const end = text.indexOf('*/', start + 2);
  return end < 0 ? text.length : end + 2;
};

/** The text without comments: some releases of storcli print them within their JSON. Strings stay as they are. */
const withoutComments = (text: string): string => {
  if (!text.includes('//') && !text.includes('/*')) return text;
  const kept: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === QUOTE) at = endOfString(text, at);
    else if (text[at] === '/') {
      const end = endOfComment(text, at);
      if (end === at) continue;
      kept.push(text.slice(from, at));
      from = end;
      at = end - 1;
    }
  }
  return [...kept, text.slice(from)].join(' ');
};

const isBlank = (letter: string | undefined): boolean =>
  letter === ' ' || letter === '\n' || letter === '\t' || letter === '\r';

/** Keys that stand twice in one object: JSON.parse keeps the last of them and says nothing. */
const duplicatesIn = (text: string): string[] => {
  const open: Set<string>[] = [];
  const twice = new Set<string>();
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (letter === '{' || letter === '[') open.push(new Set());
    else if (letter === '}' || letter === ']') open.pop();
    else if (letter === QUOTE) {
      const end = endOfString(text, at);
      const name = text.slice(at + 1, end);
      at = end;
      while (isBlank(text[at + 1])) at += 1;
      if (text[at + 1] !== COLON) continue;
      const keys = open.at(-1);
      if (keys?.has(name) === true) twice.add(name);
      keys?.add(name);
    }
  }
  return [...twice];
};

/** Whole numbers beyond 2^53 stay exact. */
const keepExact = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
    ? BigInt(context?.source ?? '')
    : value;

/** Reads JSON with comments and keys that stand twice, exactly. Throws ParseError. */
export const readLooseJson = (text: string): LooseJson => {
  const plain = withoutComments(requireShallow(text));
  try {
    return { value: JSON.parse(plain, keepExact), duplicateKeys: duplicatesIn(plain) };
  } catch (cause) {
    throw new ParseError('not valid JSON', 'line 1', text, { cause });
  }
};

export const isMap = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const mapOf = (value: unknown): JsonMap => (isMap(value) ? value : {});

export const mapsOf = (value: unknown): JsonMap[] => (Array.isArray(value) ? value.filter(isMap) : []);

/** A field as text, trimmed; numbers as they are written. Undefined for an empty cell and for what is neither. */
export const textIn = (map: JsonMap, key: string): string | undefined => {
  const value = map[key];
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return typeof value === 'string' ? cellText(value) : undefined;
};

/** A field as a number: a number, or text that is nothing but one. */
export const numberIn = (map: JsonMap, key: string): number | bigint | undefined => {
  const value = map[key];
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value !== 'string' || !/^-?\d{1,20}(?:\.\d{1,20})?$/.test(value.trim())) return undefined;
  const read = Number(value);
  return Number.isInteger(read) && !Number.isSafeInteger(read) ? BigInt(value.trim()) : read;
};
