import type { History, Track } from '../model/reading.ts';

/** A history that can be written: on disk, or in memory. */
export interface HistoryStore extends History {
  /** Keeps the values that differ from the last ones of their series. Never throws: trouble becomes a badge. `at`: UTC ms. */
  record(tracks: readonly Track[], at: number): void;
  /** One slice of rolling up and pruning, a few ms; to be called every few seconds. */
  tidy(now: number): void;
  /** What the strip must say: `history in /var/tmp/faultline-0`, `history not written: disk full`. */
  badges(): readonly string[];
  close(): void;
}

/** Numbers are kept as they came for a day, then one value for each 5 minutes; texts (states) as they came. */
export const ROLL_AFTER = 24 * 3600 * 1000;
export const KEEP = 30 * ROLL_AFTER;
export const BUCKET = 5 * 60 * 1000;

/** Series of findings: their severity while they are there, `gone` when they went; and how they read when that last changed. */
export const FINDING = 'finding/';
export const SUMMARY_OF = 'summary/';

type Value = Track['value'];

/** How a value lies in the database: SQLite integers are signed 64 bit, counters are not. */
export interface Stored {
  kind: number;
  value: string | number | bigint;
}

const TEXT = 0;
const NUMBER = 1;
const COUNTER = 2;
const SIGNED = 3;
const HUGE = 4;

/** Kinds that are rolled up. */
export const numericKinds: readonly number[] = [NUMBER, COUNTER, SIGNED, HUGE];

/** For the database; undefined for NaN and infinities, which it would keep as nothing. */
export const store = (value: Value): Stored | undefined => {
  if (typeof value === 'string') return { kind: TEXT, value };
  if (typeof value === 'number') return Number.isFinite(value) ? { kind: NUMBER, value } : undefined;
  if (value >= 0n && value < 2n ** 64n) return { kind: COUNTER, value: BigInt.asIntN(64, value) };
  if (value < 0n && value >= -(2n ** 63n)) return { kind: SIGNED, value };
  return { kind: HUGE, value: value.toString() };
};

/** What `store` put there. */
export const restore = (kind: unknown, value: unknown): Value => {
  if (typeof value === 'bigint') {
    if (Number(kind) === COUNTER) return BigInt.asUintN(64, value);
    return Number(kind) === NUMBER ? Number(value) : value;
  }
  if (typeof value === 'number') return value;
  return Number(kind) === HUGE ? BigInt(String(value)) : String(value);
};
