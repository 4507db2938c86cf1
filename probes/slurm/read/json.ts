import { NotThisFormat, ParseError } from '../../../src/model/errors.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { jsonError, type SlurmError } from './errors.ts';

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether an output is one of the JSON forms; a message of the day may stand before it. */
export const isJson = (text: string): boolean => /^\s*\{/.test(text) || /^\{\s*$/m.test(text);

/**
 * The JSON document in an output. Throws NotThisFormat when there is none, ParseError when it is cut or broken.
 * How deep it nests is not looked at: `JSON.parse` keeps its place in a list of its own, and of what it gives only fields are read
 * that stand at known places, so that no call of ours goes down with the levels.
 */
export const readJson = (text: string): Json => {
  const start = /^\s*\{/.test(text) ? text.indexOf('{') : text.search(/^\{\s*$/m);
  if (start < 0) throw new NotThisFormat('not a JSON document');
  const json = start === 0 ? text : text.slice(start);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new ParseError('broken JSON', placeOf(cause), text.slice(-120), { cause });
  }
  if (!isObject(value)) throw new NotThisFormat('not a JSON object');
  return value;
};

const placeOf = (cause: unknown): string =>
  (cause instanceof Error ? /(?:line \d+ column \d+|position \d+)/.exec(cause.message)?.[0] : undefined) ??
  'end';

/** A text that is there: no null, no empty string. */
export const text = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return undefined;
  const trimmed = value.trim();
  return trimmed === '' ? undefined : trimmed;
};

/** A string or a list of strings as a list: node and job states changed from one to the other in 23.02 and 24.05. */
export const wordsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return value === '' ? [] : [value];
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
};

/**
 * The list of this name in one of the JSON forms, read row by row: what is no row is counted. A document without it is one all the
 * same when it reports an error.
 */
export const rowsIn = <T>(
  root: Json,
  name: string,
  rowOf: (row: Json) => T | undefined,
): { rows: T[]; notUnderstood: number; error?: SlurmError } => {
  const error = jsonError(root['errors']);
  const list = root[name];
  if (!Array.isArray(list) && !error) throw new NotThisFormat(`a JSON document without a list of ${name}`);
  const all: readonly unknown[] = Array.isArray(list) ? list : [];
  const rows = all.flatMap((one) => (isObject(one) ? (rowOf(one) ?? []) : []));
  return { rows, notUnderstood: all.length - rows.length, ...dropUndefined({ error }) };
};
