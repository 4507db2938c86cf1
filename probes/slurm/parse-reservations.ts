import { NotThisFormat } from '../../src/model/errors.ts';
import type { ParseInput } from '../../src/model/system.ts';
import { findError, jsonError, type SlurmError } from './errors.ts';
import { isObject, type Json, looksLikeJson, readJson, text, words } from './json.ts';
import { parseRecords } from './parse-records.ts';
import type { ReservationsReading, SlurmReservation } from './readings.ts';
import { jsonTime, stampToMs } from './times.ts';

export interface ReservationsDocument extends ReservationsReading {
  notUnderstood: number;
  error?: SlurmError;
}

/** `scontrol show reservation`, text and JSON (23.02 on). Throws NotThisFormat, ParseError. */
export const parseReservations = ({
  stdout,
  stderr = '',
  exitCode,
  tz = 'UTC',
}: ParseInput): ReservationsDocument => {
  if (looksLikeJson(stdout)) return fromJson(readJson(stdout));
  const { records, notUnderstood } = parseRecords(stdout, 'ReservationName');
  const error =
    records.length > 0 && !exitCode ? undefined : findError(`${stderr}\n${records.length > 0 ? '' : stdout}`);
  if (error) return { reservations: [], notUnderstood: 0, error };
  if (records.length === 0 && !/^No reservations in the system/m.test(stdout)) {
    throw new NotThisFormat('no line starts with ReservationName=');
  }
  return { reservations: records.map((record) => reservationOf(record, tz)), notUnderstood };
};

const reservationOf = (record: ReadonlyMap<string, string>, tz: string): SlurmReservation => {
  const one: SlurmReservation = {
    reservationName: record.get('ReservationName') ?? '',
    flags: record.get('Flags')?.split(',') ?? [],
  };
  const startTime = stampToMs(record.get('StartTime') ?? '', tz);
  if (startTime !== undefined) one.startTime = startTime;
  const endTime = stampToMs(record.get('EndTime') ?? '', tz);
  if (endTime !== undefined) one.endTime = endTime;
  for (const [key, name] of [
    ['nodes', 'Nodes'],
    ['state', 'State'],
    ['users', 'Users'],
  ] as const) {
    const value = record.get(name);
    if (value !== undefined) one[key] = value;
  }
  return one;
};

const fromJson = (root: Json): ReservationsDocument => {
  const error = jsonError(root['errors']);
  const list = root['reservations'];
  if (!Array.isArray(list)) {
    if (error) return { reservations: [], notUnderstood: 0, error };
    throw new NotThisFormat('a JSON document without a list of reservations');
  }
  const reservations = list.flatMap((one) => (isObject(one) ? (jsonReservation(one) ?? []) : []));
  return { reservations, notUnderstood: list.length - reservations.length, ...(error && { error }) };
};

const jsonReservation = (from: Json): SlurmReservation | undefined => {
  const reservationName = text(from['name']);
  if (reservationName === undefined) return undefined;
  const one: SlurmReservation = {
    reservationName,
    flags: words(from['flags']).flatMap((flag) => flag.split(',')),
  };
  const startTime = jsonTime(from['start_time']);
  if (startTime !== undefined) one.startTime = startTime;
  const endTime = jsonTime(from['end_time']);
  if (endTime !== undefined) one.endTime = endTime;
  const nodes = text(from['node_list']);
  if (nodes !== undefined) one.nodes = nodes;
  const users = text(from['users']);
  if (users !== undefined) one.users = users;
  return one;
};
