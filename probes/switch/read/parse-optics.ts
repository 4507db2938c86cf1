import { decimal } from './parse-values.ts';
import { readingNames, type Limits, type OpticRow, type ReadingName, type Thresholds } from './rows.ts';

/** The four limits of a reading, by any of the words that devices use. */
export const limitNames = ['alarmHigh', 'warnHigh', 'warnLow', 'alarmLow'] as const;

export type LimitName = (typeof limitNames)[number];

/** `High Alarm`, `low warning threshold`, `HighAlarm` as the name of a limit. */
export const limitIn = (words: string): LimitName | undefined => {
  const high = /high|(?:\b|_)hi\b/i.test(words);
  const low = /low|_lo\b/i.test(words);
  const alarm = /alarm|alrm/i.test(words);
  const warning = /warn/i.test(words);
  if (high === low || alarm === warning) return undefined;
  return alarm ? (high ? 'alarmHigh' : 'alarmLow') : high ? 'warnHigh' : 'warnLow';
};

/** Which reading some words are about; power is in the unit the value has. */
export const readingIn = (words: string): 'tempC' | 'voltageV' | 'biasMa' | 'tx' | 'rx' | undefined => {
  if (/temp/i.test(words)) return 'tempC';
  if (/volt|vcc/i.test(words)) return 'voltageV';
  // Before the bias: `Current RX Power` is no current.
  if (/power|signal/i.test(words)) {
    if (/\brx|receive|rx_|^rx/i.test(words)) return 'rx';
    if (/\btx|transmit|output|tx_|^tx/i.test(words)) return 'tx';
    return undefined;
  }
  return /bias|current|\bcrnt\b/i.test(words) ? 'biasMa' : undefined;
};

/** A reading, or a limit of it, of one lane (0: of the whole module) of a module. */
export interface Reading {
  readonly name: ReadingName;
  readonly value: number;
  readonly limit?: LimitName;
  readonly lane?: number;
}

/**
 * `0.6560 mW / -1.83 dBm`, `0.62mW, -2.07dBm`, `-1.83 dBm (0.6560 mW)`, `3.29 V`, `36 degrees C / 97 degrees F`: every part
 * with its unit.
 */
export const readMeasures = (
  words: string,
  cell: string,
  unit?: 'dBm' | 'mW',
): { name: ReadingName; value: number }[] => {
  const about = readingIn(words);
  // A limit whose kind is not understood is no reading.
  if (!about || (/thresh|alarm|warn/i.test(words) && !limitIn(words))) return [];
  if (about !== 'rx' && about !== 'tx') {
    const value = decimal(cell.split('/')[0]);
    return value === undefined ? [] : [{ name: about, value }];
  }
  return cell.split(/[/,()]/).flatMap((part) => {
    const value = decimal(part);
    const own = /dBm/i.test(part) ? 'dBm' : /mW/i.test(part) ? 'mW' : unit;
    if (value === undefined || !own) return [];
    return [{ name: `${about}${own === 'dBm' ? 'Dbm' : 'Mw'}` as ReadingName, value }];
  });
};

/** Readings as limits, where their words name one, and of a lane, where there is one. */
export const placeValues = (
  found: readonly Pick<Reading, 'name' | 'value'>[],
  limit: LimitName | undefined,
  lane?: string,
): Reading[] =>
  found.map((one) => ({ ...one, ...(limit && { limit }), ...(lane && { lane: Number(lane) }) }));

/** Lanes count from 1: those of a module that counts from 0 are shifted. */
export const shiftLanes = (readings: readonly Reading[]): readonly Reading[] =>
  readings.some((one) => one.lane === 0)
    ? readings.map((one) => (one.lane === undefined ? one : { ...one, lane: one.lane + 1 }))
    : readings;

/** One module's rows: what belongs to the whole module stands on each of its lanes. */
export const opticRows = (
  port: string | undefined,
  readings: readonly Reading[],
  lanes: readonly number[] = [],
): OpticRow[] => {
  const numbers = [...new Set([...lanes, ...readings.flatMap((one) => one.lane ?? [])])].sort(
    (a, b) => a - b,
  );
  const ownReadings = (lane?: number): Reading[] => [
    ...readings.filter((one) => one.lane === lane),
    ...readings.filter((one) => lane !== undefined && one.lane === undefined),
  ];
  if (numbers.length === 0) return [opticRow(port, undefined, ownReadings())];
  return numbers.map((lane) => opticRow(port, lane, ownReadings(lane)));
};

const opticRow = (
  port: string | undefined,
  lane: number | undefined,
  readings: readonly Reading[],
): OpticRow => {
  const values: Partial<Record<ReadingName, number>> = {};
  const limits: Partial<Record<ReadingName, Limits>> = {};
  for (const { name, value, limit } of readings) {
    if (!limit) values[name] ??= value;
    else if (limits[name]?.[limit] === undefined) limits[name] = { ...limits[name], [limit]: value };
  }
  return {
    ...(port === undefined ? {} : { port }),
    ...(lane === undefined ? {} : { lane }),
    ...orderReadings(values),
    ...(Object.keys(limits).length > 0 ? { thresholds: orderReadings(limits) as Thresholds } : {}),
  };
};

const orderReadings = <T>(values: Partial<Record<ReadingName, T>>): Partial<Record<ReadingName, T>> =>
  Object.fromEntries(
    readingNames.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
  );
