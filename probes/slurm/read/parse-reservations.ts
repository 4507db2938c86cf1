import { dropUndefined } from '../../../src/kit/known.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import type { SlurmError } from './errors.ts';
import { type Json, isJson, readJson, rowsIn, text, wordsIn } from './json.ts';
import { readRecords } from './parse-records.ts';
import type { ReservationsReading, SlurmReservation } from '../readings.ts';
import { jsonTime, stampToMs } from './times.ts';

export interface ReservationsDocument extends ReservationsReading {
  notUnderstood: number;
  error?: SlurmError;
}

/** `scontrol show reservation`, text and JSON (23.02 on). Throws NotThisFormat, ParseError. */
export const parseReservations = (input: ParseInput): ReservationsDocument => {
  const { rows: reservations, ...rest } = isJson(input.stdout)
    ? rowsIn(readJson(input.stdout), 'reservations', jsonReservation)
    : readRecords(input, 'ReservationName', 'reservations', (record) => reservationOf(record, input.tz));
  return { reservations, ...rest };
};

const reservationOf = (record: ReadonlyMap<string, string>, tz = 'UTC'): SlurmReservation => ({
  reservationName: record.get('ReservationName') ?? '',
  flags: record.get('Flags')?.split(',') ?? [],
  ...dropUndefined({
    startTime: stampToMs(record.get('StartTime') ?? '', tz),
    endTime: stampToMs(record.get('EndTime') ?? '', tz),
    nodes: record.get('Nodes'),
    state: record.get('State'),
    users: record.get('Users'),
  }),
});

const jsonReservation = (from: Json): SlurmReservation | undefined => {
  const reservationName = text(from['name']);
  return reservationName === undefined
    ? undefined
    : {
        reservationName,
        flags: wordsIn(from['flags']).flatMap((flag) => flag.split(',')),
        ...dropUndefined({
          startTime: jsonTime(from['start_time']),
          endTime: jsonTime(from['end_time']),
          nodes: text(from['node_list']),
          users: text(from['users']),
        }),
      };
};
