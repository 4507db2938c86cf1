import { worstState, type CheckReading, type State, type Value } from '../readings.ts';

/** A range of the Nagios plug-in guidelines: both ends belong to it. */
export interface Range {
  from: number;
  to: number;
  /** `@`: a value within it alerts, not one outside. */
  inside: boolean;
}

const NUMBER = String.raw`-?\d{1,30}(?:\.\d{1,30})?(?:[eE][-+]?\d{1,3})?`;
const FORM = new RegExp(`^(@?)(?:(~|${NUMBER})?:)?(${NUMBER})?$`);

/**
 * `10` (0 to 10), `10:` (from 10 on), `~:10` (up to 10), `10:20`, `@10:20`, as the guidelines of the Monitoring Plugins have
 * them under "Threshold and Ranges"; undefined for anything else, and where it ends before it begins.
 */
export const parseRange = (text: string): Range | undefined => {
  const found = FORM.exec(text.trim());
  if (!found || !/\d/.test(text)) return undefined;
  const [, at, start, end] = found;
  const from = start === '~' ? -Infinity : Number(start ?? 0);
  const to = end === undefined ? Infinity : Number(end);
  return from <= to ? { from, to, inside: at === '@' } : undefined;
};

/** Whether this value is one that the range warns of. */
export const isAlarming = (value: number, { from, to, inside }: Range): boolean =>
  (value >= from && value <= to) === inside;

export type Thresholds = Readonly<
  Record<string, { warning?: string | number | undefined; critical?: string | number | undefined }>
>;

const isOutside = (value: number, range: string | number | undefined): boolean => {
  const parsed = range === undefined ? undefined : parseRange(String(range));
  return parsed !== undefined && isAlarming(value, parsed);
};

const stateOf = (value: number | undefined, { warning, critical }: Thresholds[string]): State =>
  value === undefined
    ? 'unknown'
    : isOutside(value, critical)
      ? 'critical'
      : isOutside(value, warning)
        ? 'warning'
        : 'ok';

/**
 * The reading with the site file's ranges on its values. They make it worse, never better; a value that has a range and was not given
 * leaves it unknown.
 */
export const withThresholds = <T extends CheckReading>(reading: T, thresholds: Thresholds): T => {
  const names = Object.keys(thresholds);
  if (names.length === 0) return reading;
  const values = reading.values.map((one): Value => {
    const own = Object.hasOwn(thresholds, one.name) ? thresholds[one.name] : undefined;
    if (!own) return one;
    const { warning = one.warning, critical = one.critical } = own;
    return {
      ...one,
      ...(warning !== undefined && { warning: String(warning) }),
      ...(critical !== undefined && { critical: String(critical) }),
      state: stateOf(one.value, own),
    };
  });
  const missing = names.filter((name) => !values.some((one) => one.name === name));
  const judged = values.filter(({ state }) => state !== undefined && state !== 'ok');
  const state = worstState([
    reading.state,
    ...values.flatMap((one) => one.state ?? []),
    ...(missing.length > 0 ? (['unknown'] as const) : []),
  ]);
  const why = [
    ...judged.map((one) => `${one.name} ${one.value ?? 'not given'}${one.unit ?? ''}${rangeOf(one)}`),
    ...missing.map((name) => `${name} not given`),
  ].join(', ');
  const text = [why, reading.text].filter((part) => part !== '').join('; ');
  return state === reading.state && why === '' ? { ...reading, values } : { ...reading, values, state, text };
};

/** ` (critical outside 0:90)` */
const rangeOf = ({ state, warning, critical }: Value): string => {
  const range = state === 'critical' ? critical : state === 'warning' ? warning : undefined;
  if (range === undefined) return '';
  return range.startsWith('@') ? ` (${state} within ${range.slice(1)})` : ` (${state} outside ${range})`;
};
