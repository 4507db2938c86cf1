import type { ParseInput } from '../../../src/model/system.ts';
import { requireShallow } from '../../../src/kit/json-depth.ts';
import { firstObject, renameRepeated } from './repeated-keys.ts';
import {
  readSum,
  bareError,
  readStderr,
  refuseFormat,
  statusOf,
  type Result,
  type ResultRow,
  type ResultSum,
} from './result.ts';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const object = (value: unknown): Json => (isObject(value) ? value : {});
const list = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);
const number = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const CUT = 'the output ends in the middle';

/** Reads `iperf3 -J` of any version; also when its end is missing or noise follows. */
export const parseJson = (input: ParseInput): Result => {
  const found = firstObject(requireShallow(input.stdout));
  const document = found && parseText(renameRepeated(found.json, '_bidir_reverse'));
  if (!document) throw refuseFormat('not JSON');
  if (document.start === undefined && document.end === undefined && document.error === undefined) {
    throw refuseFormat('JSON without "start", "end" or "error"');
  }
  const error = text(document.error);
  return build(input, object(document.start), list(document.intervals), object(document.end), {
    error: error ?? (found.cut ? CUT : undefined),
    errorFirst: false,
    notUnderstood: 0,
  });
};

/** Reads `iperf3 --json-stream` (3.17 and later): one event a line. */
export const parseJsonStream = (input: ParseInput): Result => {
  const lines = requireShallow(input.stdout).split('\n');
  // `--json-stream-full-output`: the whole document follows the events and says the same again.
  const whole = lines.findIndex((line) => line.trim() === '{');
  const events = lines.slice(0, whole < 0 ? undefined : whole).filter((line) => line.trim() !== '');
  let start: Json = {};
  let end: Json | undefined;
  let error: string | undefined;
  let errorFirst = false;
  let notUnderstood = 0;
  const intervals: Json[] = [];
  for (const line of events) {
    const event = parseText(renameRepeated(line, '_bidir_reverse'));
    if (event?.event === 'start') start = object(event.data);
    else if (event?.event === 'interval') intervals.push(object(event.data));
    else if (event?.event === 'end') end = object(event.data);
    else if (event?.event === 'error') {
      errorFirst ||= error === undefined && intervals.length === 0;
      error ??= text(event.data);
    } else if (event?.event === undefined) notUnderstood += 1;
  }
  if (notUnderstood === events.length) throw refuseFormat('no line is an event of a JSON stream');
  return build(input, start, intervals, end ?? {}, { error, errorFirst, notUnderstood });
};

/** Old versions print a share of nothing as `-nan`, which is no JSON: read as absent. */
const parseText = (json: string): Json | undefined => {
  for (const text of [json, json.replaceAll(/:\s*[-+]?(?:nan|inf(?:inity)?)(?=\s*[,}\]])/gi, ':null')]) {
    try {
      const value: unknown = JSON.parse(text);
      return isObject(value) ? value : undefined;
    } catch {
      // The next try, or none of it is JSON.
    }
  }
  return undefined;
};

const build = (
  input: ParseInput,
  start: Json,
  intervalRows: readonly Json[],
  end: Json,
  said: { error: string | undefined; errorFirst: boolean; notUnderstood: number },
): Result => {
  const test = object(start.test_start);
  const intervals = intervalRows.flatMap(intervalOf);
  const streams = list(end.streams).flatMap(streamOf);
  const stderr = readStderr(input.stderr);
  const error = said.error === undefined ? stderr.errors[0] : bareError(said.error);
  const wholeNumberOf = (name: string): Partial<Record<string, number>> => {
    const value = number(test[name]);
    return value === undefined ? {} : { [name === 'num_streams' ? 'numStreams' : name]: value };
  };
  const version = text(start.version);
  const proto = text(test.protocol);
  return {
    tool: 'iperf3',
    status: statusOf({ intervals, streams, final: streams.length > 0, error, errorFirst: said.errorFirst }),
    ...(error !== undefined && { error }),
    ...(proto !== undefined && { proto }),
    ...(version !== undefined && { version }),
    ...wholeNumberOf('num_streams'),
    ...wholeNumberOf('reverse'),
    ...wholeNumberOf('bidir'),
    streams,
    intervals,
    ...sums(end),
    ...(stderr.warnings.length > 0 && { warnings: stderr.warnings }),
    ...(said.notUnderstood > 0 && { notUnderstood: said.notUnderstood }),
  };
};

const intervalOf = (interval: Json): ResultRow[] => [
  ...list(interval.streams).flatMap((row) => rowOf(row)),
  ...(['sum', 'sum_bidir_reverse'] as const).flatMap((name) => rowOf(interval[name], 'SUM')),
];

const streamOf = (stream: Json): ResultRow[] => [
  ...rowOf(stream.udp),
  ...rowOf(stream.sender).map((row): ResultRow => ({ ...row, role: 'sender' })),
  ...rowOf(stream.receiver).map((row): ResultRow => ({ ...row, role: 'receiver' })),
];

/** A row object of any version; none when it does not carry bytes and rate. */
const rowOf = (value: unknown, id?: string): ResultRow[] => {
  const row = object(value);
  const bytes = number(row.bytes);
  const bps = number(row.bits_per_second);
  if (bytes === undefined || bps === undefined) return [];
  const extra: readonly (readonly [keyof ResultRow, unknown])[] = [
    ['retransmits', row.retransmits],
    ['jitterMs', row.jitter_ms],
    ['lost', row.lost_packets],
    ['total', row.packets],
    ['lostPct', row.lost_percent],
  ];
  return [
    {
      id: id ?? String(number(row.socket) ?? ''),
      start: number(row.start) ?? 0,
      end: number(row.end) ?? 0,
      bytes,
      bps,
      ...Object.fromEntries(extra.filter(([, one]) => number(one) !== undefined)),
      ...(row.omitted === true && { omitted: true }),
      ...(typeof row.sender === 'boolean' && { dir: row.sender ? 'tx' : 'rx' }),
    },
  ];
};

const sums = (end: Json): Partial<Result> =>
  Object.fromEntries(
    sumNames.flatMap(([key, name]): [string, ResultSum][] =>
      rowOf(end[key]).map((row) => [name, readSum(row)]),
    ),
  );

const sumNames = [
  ['sum', 'sum'],
  ['sum_sent', 'sumSent'],
  ['sum_received', 'sumReceived'],
  ['sum_bidir_reverse', 'sumBidirReverse'],
  ['sum_sent_bidir_reverse', 'sumSentBidirReverse'],
  ['sum_received_bidir_reverse', 'sumReceivedBidirReverse'],
] as const;
