import type { Format, Formats, ParseInput } from '../../../src/model/system.ts';
import type { SlurmError } from './errors.ts';
import { parseConfig } from './parse-config.ts';
import { parseJobs } from './parse-jobs.ts';
import { parseNodes } from './parse-nodes.ts';
import { parsePartitions } from './parse-partitions.ts';
import { parsePing } from './parse-ping.ts';
import { parseReservations } from './parse-reservations.ts';
import { parseSdiag } from './parse-sdiag.ts';
import { iso } from './times.ts';

/** Fields that hold UTC ms inside and are printed as ISO 8601. */
const times = new Set(['reasonAt', 'bootAt', 'endTime', 'startTime', 'dataSince']);

/** A parser's result as `faultline parse` prints it: times as text, the error as kind and message, zeros left out. */
const printParsed =
  (parse: (input: ParseInput) => { notUnderstood?: number; error?: SlurmError }): Format =>
  (input) => {
    const { notUnderstood, error, ...rest } = parse(input);
    return {
      ...printTimes(rest),
      ...(notUnderstood ? { notUnderstood } : {}),
      ...(error ? { error: { kind: error.kind, message: error.message } } : {}),
    };
  };

const printTimes = (value: object): object =>
  Object.fromEntries(
    Object.entries(value).flatMap(([key, one]): [string, unknown][] => {
      if (times.has(key)) {
        const text = iso(Number(one));
        return text === undefined ? [] : [[key, text]];
      }
      return [[key, Array.isArray(one) ? one.map((row) => (isRow(row) ? printTimes(row) : row)) : one]];
    }),
  );

const isRow = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const slurmFormats: Formats = {
  'slurm.nodes': printParsed(parseNodes),
  'slurm.ping': printParsed(parsePing),
  'slurm.sdiag': printParsed(parseSdiag),
  'slurm.jobs': printParsed(parseJobs),
  'slurm.partitions': printParsed(parsePartitions),
  'slurm.reservations': printParsed(parseReservations),
  'slurm.config': printParsed(parseConfig),
};
