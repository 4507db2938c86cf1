import type { Row } from '../model/view.ts';
import { makeSafeDeep, makeSafe, type Safe, type SafeText } from '../text/safe.ts';

/** What changed in a table since the last time, and what to compare with the next time. */
export interface RowsDiff {
  upsert: readonly Safe<Row>[];
  remove: readonly string[];
  order?: readonly string[];
}

/** The rows of one table as the screen has them. */
export interface SentRows {
  /** Gives what the screen has to be told, and takes it as told; undefined when nothing changed. */
  diff(rows: readonly Row[]): RowsDiff | undefined;
}

interface Sent {
  raw: Row;
  key: string;
}

/**
 * The screen has no rows yet. Every row that leaves is made safe here, keys included; two rows with one key become two keys,
 * because the screen holds rows by key.
 */
export const createSentRows = (): SentRows => {
  let sent: readonly Sent[] = [];
  let byKey = new Map<string, Sent>();
  let last: readonly Row[] | undefined;
  return {
    diff: (rows) => {
      if (rows === last) return undefined;
      last = rows;
      const upsert: Safe<Row>[] = [];
      const next: Sent[] = [];
      const nextByKey = new Map<string, Sent>();
      for (const [at, raw] of rows.entries()) {
        const before = sent[at]?.raw.key === raw.key ? sent[at] : byKey.get(raw.key);
        const unchanged = before !== undefined && !nextByKey.has(before.key) && isSame(before.raw, raw);
        const one = unchanged ? before : changedRow(raw, nextByKey, upsert);
        next.push(one);
        nextByKey.set(one.key, one);
      }
      const remove = [...byKey.keys()].filter((key) => !nextByKey.has(key));
      const moved = next.length !== sent.length || next.some((one, at) => one.key !== sent[at]?.key);
      sent = next;
      byKey = nextByKey;
      if (upsert.length === 0 && remove.length === 0 && !moved) return undefined;
      return { upsert, remove, ...(moved && { order: next.map((one) => one.key) }) };
    },
  };
};

const changedRow = (raw: Row, taken: ReadonlyMap<string, unknown>, upsert: Safe<Row>[]): Sent => {
  const safe = makeSafeDeep(raw);
  let key: SafeText = safe.key;
  for (let copy = 2; taken.has(key); copy += 1) key = makeSafe(`${safe.key} (${copy})`);
  upsert.push(key === safe.key ? safe : { ...safe, key });
  return { raw, key };
};

/** Whether two values of plain data are equal: objects, arrays, strings, numbers, bigints. Absent and undefined are the same. */
export const isSame = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return Number.isNaN(a) && Number.isNaN(b);
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((one, at) => isSame(one, b[at]))
    );
  }
  return hasSameFields(a, b);
};

const hasSameFields = (a: object, b: object): boolean => {
  if (!isRecord(a) || !isRecord(b)) return false;
  for (const key in a) if (!isSame(a[key], b[key])) return false;
  for (const key in b) if (!(key in a) && b[key] !== undefined) return false;
  return true;
};

const isRecord = (value: object): value is Record<string, unknown> => !Array.isArray(value);
