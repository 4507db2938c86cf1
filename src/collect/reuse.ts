/**
 * A fresh value with everything in it that is equal to what was there before replaced by that: what did not change is kept once, not
 * once for each of the readings that a probe keeps. Most of a switch's counters stand still, and each is 24 bytes. For plain data;
 * `fresh` is changed in place and must be nobody else's yet.
 */
export const reuse = <T>(before: T, fresh: T): T => reuseValue(before, fresh) as T;

const reuseValue = (before: unknown, fresh: unknown): unknown => {
  if (before === fresh) return before;
  if (!isPlain(before) || !isPlain(fresh)) return fresh;
  return Array.isArray(fresh) ? reuseList(before, fresh) : reuseFields(before, fresh);
};

type Plain = Record<string, unknown> | unknown[];

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' &&
  value !== null &&
  (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype);

const reuseList = (before: Plain, fresh: unknown[]): unknown => {
  if (!Array.isArray(before)) return fresh;
  let equal = before.length === fresh.length;
  for (let at = 0; at < Math.min(before.length, fresh.length); at++) {
    fresh[at] = reuseValue(before[at], fresh[at]);
    equal &&= fresh[at] === before[at];
  }
  return equal ? before : fresh;
};

const reuseFields = (before: Plain, fresh: Record<string, unknown>): unknown => {
  if (Array.isArray(before)) return fresh;
  let equal = true;
  for (const key in fresh) {
    const value = reuseValue(before[key], fresh[key]);
    fresh[key] = value;
    equal &&= value === before[key] && key in before;
  }
  for (const key in before) equal &&= key in fresh;
  return equal ? before : fresh;
};
