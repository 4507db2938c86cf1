/** A JSON value; integers that a number can't hold exactly are bigint. */
export type Json = string | number | bigint | boolean | null | Json[] | { [key: string]: Json };

/** JSON text with whole numbers kept exact. */
export const parseExact = (text: string): Json =>
  JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const source = context?.source;
    return typeof value === 'number' &&
      source !== undefined &&
      /^-?\d+$/.test(source) &&
      !Number.isSafeInteger(value)
      ? BigInt(source)
      : value;
  }) as Json;

/** Keys by which rows of a list are the same row, most telling first (as docs/formats.md names rows). */
const identities: readonly (readonly string[])[] = [
  ['port', 'lane'],
  ['lag', 'member'],
  ['localPort', 'neighbor', 'neighborPort'],
  ['name'],
  ['uuid'],
  ['id', 'controller'],
  ['device'],
  ['index'],
  ['target'],
];

/** Texts of which one may contain the other. */
const loose = new Set(['error', 'message', 'text']);

/** Made from printed figures: may be off by one. */
const offByOne = new Set(['bytes', 'bps']);

/**
 * How the actual document differs from the expected one, one line each, with the place. More keys are allowed, more rows
 * are not; null and an empty list count as absent; `_capture` is a note.
 */
export const differences = (
  actual: Json | undefined,
  expected: Json | undefined,
  path = '$',
  key = '',
): string[] => {
  const want = present(expected);
  const have = present(actual);
  if (want === undefined)
    return Array.isArray(expected) && have !== undefined
      ? [`${path}: ${show(have)}, expected an empty list`]
      : [];
  if (have === undefined) return [`${path}: missing, expected ${show(want)}`];
  if (Array.isArray(want)) {
    return Array.isArray(have) ? rows(have, want, path) : [`${path}: ${show(have)} is no list`];
  }
  if (isMap(want)) {
    if (!isMap(have)) return [`${path}: ${show(have)}, expected a map`];
    return Object.entries(want)
      .filter(([name]) => name !== '_capture')
      .flatMap(([name, value]) => differences(have[name], value, `${path}.${name}`, name));
  }
  return same(have, want, key) ? [] : [`${path}: ${show(have)}, expected ${show(want)}`];
};

/** Lists that are empty in the expected document must be empty or absent. */
const rows = (have: readonly Json[], want: readonly Json[], path: string): string[] => {
  const extra = have.length > want.length ? [`${path}: ${have.length} rows, expected ${want.length}`] : [];
  const left = new Set(have.keys());
  const found = want.flatMap((row, at) => {
    const candidates = [...left].filter((index) => sameRow(have[index], row));
    // Duplicates are kept: among rows of one identity the nearest in order is meant, or the one that fits.
    const chosen =
      candidates.find((index) => differences(have[index], row).length === 0) ??
      candidates[0] ??
      (hasIdentity(row) ? undefined : [...left].find((index) => index === at));
    if (chosen === undefined) return [`${path}[${at}]: missing, expected ${show(row)}`];
    left.delete(chosen);
    return differences(have[chosen], row, `${path}[${at}]`);
  });
  return [...extra, ...found];
};

const identityOf = (row: Json | undefined): readonly string[] | undefined =>
  isMap(row) ? identities.find((keys) => keys[0] !== undefined && row[keys[0]] !== undefined) : undefined;

const hasIdentity = (row: Json): boolean => identityOf(row) !== undefined;

const sameRow = (have: Json | undefined, want: Json): boolean => {
  const keys = identityOf(want);
  if (!keys || !isMap(want) || !isMap(have)) return false;
  return keys.every((key) => {
    const [a, b] = [present(have[key]), present(want[key])];
    return a === undefined || b === undefined ? a === b : same(a, b, key);
  });
};

/** Null and the empty list count as absent; a list that must be empty is checked by its rows. */
const present = (value: Json | undefined): Json | undefined =>
  value === null || (Array.isArray(value) && value.length === 0) ? undefined : value;

const isMap = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const same = (have: Json, want: Json, key: string): boolean => {
  if (isNumber(have) && isNumber(want)) return sameNumber(have, want, key);
  if (typeof have !== 'string' || typeof want !== 'string') return have === want;
  const [a, b] = [have.trim(), want.trim()];
  if (a === b) return true;
  if (loose.has(key) && a !== '' && b !== '') return a.includes(b) || b.includes(a);
  return isTime(a) && isTime(b) && Math.abs(Date.parse(a) - Date.parse(b)) <= 1;
};

const isNumber = (value: Json): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

const sameNumber = (have: number | bigint, want: number | bigint, key: string): boolean => {
  const whole = [have, want].every((one) => typeof one === 'bigint' || Number.isInteger(one));
  if (!whole) return Math.abs(Number(have) - Number(want)) <= 1e-6;
  const apart = BigInt(have) - BigInt(want);
  return (apart < 0n ? -apart : apart) <= (offByOne.has(key) ? 1n : 0n);
};

const isTime = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text));

const show = (value: Json): string => {
  const text = JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? String(one) : one));
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
};
