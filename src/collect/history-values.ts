import type { Track } from '../model/history.ts';

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
