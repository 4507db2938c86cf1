import { findTooDeep } from '../../../src/kit/json-depth.ts';
import { dropLogLines } from './parse-lines.ts';

export type Json =
  string | number | bigint | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Whole numbers beyond 2^53 keep all their digits. */
const keepExact = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
    ? BigInt(context?.source ?? '')
    : value;

/** Looking at every value costs five times as much as reading: most answers hold no number of so many digits. */
const parseSource = (source: string): Json | undefined => {
  try {
    return (/\d{16}/.test(source) ? JSON.parse(source, keepExact) : JSON.parse(source)) as Json;
  } catch {
    return undefined;
  }
};

/** Calls `seen` for every character outside of strings with the brackets that are open behind it. */
const scan = (source: string, seen: (char: string, at: number, open: readonly string[]) => boolean): void => {
  const open: string[] = [];
  let quoted = false;
  for (let at = 0; at < source.length; at++) {
    const char = source[at] ?? '';
    if (quoted) {
      if (char === '\\') at += 1;
      else if (char === '"') quoted = false;
      continue;
    }
    if (char === '"') quoted = true;
    else if (char === '{' || char === '[') open.push(char === '{' ? '}' : ']');
    else if (char === '}' || char === ']') open.pop();
    if (!seen(char, at, open)) return;
  }
};

/** A document cut off in the middle, closed behind its last whole member; what was cut is left out. */
const closeDocument = (source: string): string | undefined => {
  let end = 0;
  scan(source, (char, at, open) => {
    if (char === ',') end = at;
    else if ('{}[]'.includes(char)) end = at + 1;
    return open.length > 0 || (char !== '}' && char !== ']');
  });
  let left: readonly string[] = [];
  scan(source.slice(0, end), (_char, _at, open) => {
    left = open;
    return true;
  });
  return end === 0 ? undefined : source.slice(0, end) + left.toReversed().join('');
};

/** A document, and what an answer says before it. */
export interface Found {
  readonly value: Json;
  /** Nothing stands behind it and nothing was cut off; then this is all that is no part of it. */
  readonly before?: string;
}

/** Where a document begins: at the start of a line, after a prompt, an echo or a banner. */
const wholeIn = (answer: string): { source: string; found?: Found } | undefined => {
  const start = /^[ \t]{0,80}[[{]/m.exec(answer);
  if (!start) return undefined;
  const source = answer.slice(start.index).trim();
  // No error: in text of a device, a neighbour's description may look so.
  if (findTooDeep(source) !== undefined) return undefined;
  const value = parseSource(source);
  return { source, ...(value !== undefined && { found: { value, before: answer.slice(0, start.index) } }) };
};

/**
 * The JSON document in an answer, also with log messages between its lines, where a session shows them (`terminal monitor`); one that was
 * cut off gives what is whole.
 */
export const findJson = (answer: string): Found | undefined => {
  const first = wholeIn(answer);
  if (first === undefined || first.found) return first?.found;
  const cleared = answer.includes('%') ? wholeIn(dropLogLines(answer))?.found : undefined;
  if (cleared) return cleared;
  const cut = closeDocument(first.source);
  const value = cut === undefined ? undefined : parseSource(cut);
  return value === undefined ? undefined : { value };
};

/** The same without what stands around it. Undefined when there is none. */
export const jsonIn = (answer: string): Json | undefined => findJson(answer)?.value;

export const isRecord = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value under a path of keys. */
export const valueAt = (value: Json | undefined, ...path: readonly string[]): Json | undefined => {
  let found = value;
  for (const key of path) found = isRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  return found;
};

/** A list as it is, one record as a list of one: NX-OS prints a single row without its brackets. */
export const toList = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

/** Strings and numbers as text. */
export const textOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
    ? String(value)
    : undefined;
