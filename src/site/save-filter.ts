import { randomUUID } from 'node:crypto';
import { mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isMap, parseDocument, type Pair, type ParsedNode } from 'yaml';
import { probePath } from './file.ts';
import { isRecord } from './inventory.ts';
import { readBounded } from './regular.ts';
import { filterEntry, MOST_USER_BYTES, readUserText } from './user-file.ts';

/** Why a filter was not written; the message says it. */
class NotSaved extends Error {}

const DEADLINE_MS = 1000;

/** The line that sets it, as YAML. */
const lineOf = (name: string, filter: string): string => `${name}: ${JSON.stringify(filter)}`;

/**
 * Writes a filter into an operator's own file of settings, of which every line stays as it is. Rejects with `NotSaved` where that can't
 * be done, with what to write by hand.
 */
export const saveFilter = async (file: string, name: string, filter: string): Promise<void> => {
  const wrong = filterEntry(name, filter);
  if (wrong !== undefined) throw new NotSaved(wrong);
  const byHand = `write into ${file}, under "filters:": ${lineOf(name, filter)}`;
  try {
    const there = await probePath(file, DEADLINE_MS);
    if (there === 'hung') throw new Error('its file system does not answer');
    if (there === 'absent') {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(file, withFilter('', name, filter), { flag: 'wx', mode: 0o600 });
      return;
    }
    // A link stays one: what it leads to is written.
    const target = await realpath(file);
    const text = await readUserText(target);
    if (!Buffer.from(text).equals(await readBounded(target, MOST_USER_BYTES)))
      throw new Error('it holds bytes that are no UTF-8');
    await replace(target, withFilter(text, name, filter));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new NotSaved(`${why}; ${byHand}`, { cause: error });
  }
};

/** In one step: who reads it meanwhile has the old file or the new one. */
const replace = async (file: string, text: string): Promise<void> => {
  const draft = join(dirname(file), `.${basename(file)}.${randomUUID()}`);
  try {
    await writeFile(draft, text, { flag: 'wx', mode: (await stat(file)).mode & 0o777 });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
};

/** The text with the filter set and all else as it was. Throws where that is not certain. */
export const withFilter = (text: string, name: string, filter: string): string => {
  const document = parseDocument(text, { logLevel: 'error' });
  const before: unknown = document.toJS() ?? {};
  if (document.errors.length > 0 || !isRecord(before)) throw new Error('it is not understood');
  const next = change(text, document.contents, name, filter);
  const filters = isRecord(before['filters']) ? before['filters'] : {};
  const wanted = { ...before, filters: { ...filters, [name]: filter } };
  const after = parseDocument(next, { logLevel: 'error' });
  // What was written by hand in another form than is known here is left alone.
  if (after.errors.length > 0 || !isDeepStrictEqual(after.toJS(), wanted))
    throw new Error('it is written in a form that this console does not edit');
  return next;
};

type Entry = Pair<ParsedNode, ParsedNode | null>;

const find = (map: unknown, key: string): Entry | undefined =>
  isMap<ParsedNode, ParsedNode | null>(map)
    ? (map.items as readonly Entry[]).find(({ key: own }) => own.toJSON() === key)
    : undefined;

const change = (text: string, contents: unknown, name: string, filter: string): string => {
  const line = lineOf(name, filter);
  const filters = find(contents, 'filters');
  if (filters === undefined) {
    const gap = text === '' || text.endsWith('\n') ? '' : '\n';
    return `${text}${gap}filters:\n  ${line}\n`;
  }
  const known = find(filters.value, name);
  if (known?.value) {
    const [start, end] = known.value.range;
    return `${text.slice(0, start)}${JSON.stringify(filter)}${text.slice(end)}`;
  }
  const last = isMap<ParsedNode, ParsedNode | null>(filters.value)
    ? (filters.value.items as readonly Entry[]).at(-1)
    : undefined;
  const [, end] = (last?.value ?? last?.key ?? filters.key).range;
  const indent = last === undefined ? 2 : columnOf(text, last.key.range[0]);
  const at = text.indexOf('\n', end);
  const [head, tail] = at < 0 ? [`${text}\n`, ''] : [text.slice(0, at + 1), text.slice(at + 1)];
  return `${head}${' '.repeat(indent)}${line}\n${tail}`;
};

const columnOf = (text: string, offset: number): number => offset - (text.lastIndexOf('\n', offset - 1) + 1);
