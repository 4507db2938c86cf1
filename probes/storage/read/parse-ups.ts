import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { cellText, errorOfMessage, fieldIn, leadingNumber, messagesOf, type ReportedError } from './words.ts';

export interface Ups {
  tool?: 'nut' | 'apcaccess';
  status?: string[];
  onBattery?: boolean;
  lowBattery?: boolean;
  replaceBattery?: boolean;
  commLost?: boolean;
  name?: string;
  model?: string;
  manufacturer?: string;
  serial?: string;
  chargePct?: number;
  runtimeS?: number;
  runtimeLowS?: number;
  loadPct?: number;
  inputV?: number;
  batteryV?: number;
  /** As printed: one UPS may write it in several ways. */
  batteryDate?: string;
  selfTest?: string;
  lastTransfer?: string;
  driver?: string;
  error?: ReportedError;
}

type Values = ReadonlyMap<string, string>;

/** The first of these variables that has a value. */
const first = (values: Values, ...names: readonly string[]): string | undefined =>
  names.map((name) => cellText(values.get(name))).find((value) => value !== undefined);

const number = (values: Values, name: string): number | undefined => leadingNumber(first(values, name));

/** What a UPS says of its battery holds only while it says where its power comes from: a lost one says nothing. */
const batteryWords = (
  words: readonly string[],
  [mains, battery, low, replace]: readonly [string, string, string, string],
): Pick<Ups, 'onBattery' | 'lowBattery' | 'replaceBattery'> => {
  const [on, off] = [words.includes(battery), words.includes(mains)];
  const known = on || off;
  const flag = (word: string): boolean | undefined =>
    words.includes(word) ? true : known ? false : undefined;
  return dropUndefined({
    onBattery: known ? on : undefined,
    lowBattery: flag(low),
    replaceBattery: flag(replace),
  });
};

const wordsIn = (status: string | undefined): string[] => status?.split(/\s+/) ?? [];

/** Variables of NUT (docs of its developers' guide, "NUT command and variable naming scheme"). */
const readNut = (values: Values): Ups => {
  const status = wordsIn(first(values, 'ups.status'));
  return dropUndefined({
    tool: 'nut' as const,
    status,
    ...batteryWords(status, ['OL', 'OB', 'LB', 'RB']),
    model: first(values, 'ups.model', 'device.model'),
    manufacturer: first(values, 'ups.mfr', 'device.mfr'),
    serial: first(values, 'ups.serial', 'device.serial'),
    chargePct: number(values, 'battery.charge'),
    runtimeS: number(values, 'battery.runtime'),
    runtimeLowS: number(values, 'battery.runtime.low'),
    loadPct: number(values, 'ups.load'),
    inputV: number(values, 'input.voltage'),
    batteryV: number(values, 'battery.voltage'),
    batteryDate: first(values, 'battery.mfr.date', 'battery.date'),
    selfTest: first(values, 'ups.test.result'),
    lastTransfer: first(values, 'input.transfer.reason'),
    driver: first(values, 'driver.name'),
  });
};

/** Minutes, tens of seconds or seconds, as apcupsd writes them behind the figure. */
const secondsOf = (text: string | undefined): number | undefined => {
  const value = leadingNumber(text);
  if (value === undefined) return undefined;
  return /minutes/i.test(text ?? '') ? Math.round(value * 60) : value;
};

const readApc = (values: Values): Ups => {
  const status = wordsIn(first(values, 'STATUS'));
  const lost = status.includes('COMMLOST');
  const battery = batteryWords(status, ['ONLINE', 'ONBATT', 'LOWBATT', 'REPLACEBATT']);
  return dropUndefined({
    tool: 'apcaccess' as const,
    status,
    ...battery,
    commLost: lost ? true : battery.onBattery === undefined ? undefined : false,
    name: first(values, 'UPSNAME'),
    model: first(values, 'MODEL', 'APCMODEL'),
    serial: first(values, 'SERIALNO'),
    chargePct: number(values, 'BCHARGE'),
    runtimeS: secondsOf(first(values, 'TIMELEFT')),
    loadPct: number(values, 'LOADPCT'),
    inputV: number(values, 'LINEV'),
    batteryV: number(values, 'BATTV'),
    batteryDate: first(values, 'BATTDATE'),
    selfTest: first(values, 'SELFTEST'),
    lastTransfer: first(values, 'LASTXFER'),
  });
};

/** NUT says this of every connection without certificates; it means nothing. */
const isNoise = (line: string): boolean => line.startsWith('Init SSL without certificate database');

/** Reads `upsc UPS@HOST` (NUT) and `apcaccess status` (apcupsd), with what they say when they fail. */
export const parseUps = ({ stdout, stderr }: ParseInput): Ups => {
  const fields = stdout.split('\n').flatMap((line) => {
    const field = fieldIn(line);
    return field ? [field] : [];
  });
  const values: Values = new Map(fields);
  if (
    values.has('ups.status') ||
    fields.some(([key]) => /^(?:ups|battery|driver|device)\.[a-z.]+$/.test(key))
  )
    return readNut(values);
  if (values.has('STATUS') && (values.has('STARTTIME') || values.has('HOSTNAME') || values.has('APC')))
    return readApc(values);
  const printed = stdout.split('\n').filter((line) => line.startsWith('Error'));
  const said = messagesOf(/^Error: /, [stderr ?? '', ...printed].join('\n')).find((line) => !isNoise(line));
  if (said === undefined || said.includes('invalid option'))
    throw new NotThisFormat('neither variables of NUT nor a status of apcupsd');
  return { error: errorOfMessage(said) };
};
