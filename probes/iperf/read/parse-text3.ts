import type { ParseInput } from '../../../src/model/system.ts';
import {
  readSum,
  bareError,
  readStderr,
  isWarning,
  refuseFormat,
  statusOf,
  type Result,
  type ResultRow,
} from './result.ts';
import { lossOf, textRow, type Columns } from './text-row.ts';

const dashForm = /^(?:- ){5}/;
const headerForm = /^\[\s*ID\](?:\[Role\])?\s+Interval/;

/** Reads iperf3's text: interval rows, a line of dashes, final rows with their role. */
export const parseText3 = (input: ParseInput): Result => {
  const rows = read(input.stdout);
  const stderr = readStderr(input.stderr);
  const error = rows.errors[0] ?? stderr.errors[0];
  const warnings = [...rows.warnings, ...stderr.warnings];
  if (!rows.seen && error === undefined && warnings.length === 0) throw refuseFormat('no line of iperf3');
  return {
    tool: 'iperf3',
    status: statusOf({ ...rows, final: rows.streams.length > 0, error, errorFirst: rows.errorFirst }),
    ...(error !== undefined && { error }),
    ...(rows.proto !== undefined && { proto: rows.proto }),
    streams: rows.streams,
    intervals: rows.intervals,
    ...rows.sums,
    ...(warnings.length > 0 && { warnings }),
    ...(rows.skipped > 0 && { notUnderstood: rows.skipped }),
  };
};

interface Rows {
  seen: boolean;
  errorFirst: boolean;
  proto?: string;
  streams: ResultRow[];
  intervals: ResultRow[];
  sums: Partial<Result>;
  errors: string[];
  warnings: string[];
  skipped: number;
}

const read = (stdout: string): Rows => {
  const rows: Rows = {
    seen: false,
    errorFirst: false,
    streams: [],
    intervals: [],
    sums: {},
    errors: [],
    warnings: [],
    skipped: 0,
  };
  let final = false;
  let dashes = false;
  let columns: Columns = 'plain';
  for (const line of ownLines(stdout)) {
    const found = textRow(line);
    if (found) {
      const row = { ...found.row, ...columnsOf(columns, found.rest) };
      if (!final) rows.intervals.push(row);
      else if (row.id.startsWith('SUM')) Object.assign(rows.sums, { [sumName(row)]: readSum(row) });
      else rows.streams.push(row);
    } else if (headerForm.test(line)) {
      // Dashes alone stand between the intervals of several streams too.
      final ||= dashes;
      columns = columnsFrom(line);
      // Columns without a sign are those of a receiver of TCP; SCTP has them too, and is printed by name with -V.
      rows.proto = columns === 'datagrams' || columns === 'lost' ? 'UDP' : (rows.proto ?? 'TCP');
    } else if (line.startsWith('iperf3: ')) {
      rows.errorFirst ||= rows.intervals.length === 0;
      rows.errors.push(bareError(line));
    } else if (isWarning(line)) rows.warnings.push(line.trim());
    else if (!knownForm.test(line)) rows.skipped += 1;
    // A server's log goes on with the next test.
    final &&= !line.startsWith('Accepted connection');
    const named = protocolForm.exec(line)?.[1];
    if (named !== undefined) rows.proto = named;
    dashes = dashForm.test(line) || line.startsWith('Test Complete. Summary');
    rows.seen ||= found !== undefined || headerForm.test(line) || openingForm.test(line);
  }
  return rows;
};

const protocolForm = /^Starting Test: protocol: (\w+),/;

/** Without the usage that follows a bad option, and without what the server printed (`--get-server-output`). */
const ownLines = (stdout: string): string[] => {
  const end = /^(?:Usage: iperf3|Server output:)/m.exec(stdout)?.index;
  return stdout.slice(0, end).split('\n');
};

const openingForm =
  /^Connecting to host |^Server listening on \d|^Accepted connection from |^\[\s*\d+\] local |^iperf 3\.|^Reverse mode,/;
const knownForm =
  /^\s*$|^(?:- ){5}|^Connecting to host |^Reverse mode|^\[\s*\d+\] (?:local |Sent )|^\[[\s\w]+\].* ?(?:sent|statistics not available\)|datagrams received out-of-order)|^Setting |^iperf Done|^-{5,}|^Server listening|^Accepted connection|^iperf 3\.|^(?:Linux|Darwin|FreeBSD)|^Time: |^\s+(?:Cookie|TCP MSS|Target|Congestion)|^Control connection|^Starting Test|^Test Complete|^CPU Utilization|^(?:snd|rcv)_tcp_congestion|^Summary Results/;

const columnsFrom = (header: string): Columns =>
  header.includes('Lost/Total')
    ? 'lost'
    : header.includes('Total Datagrams')
      ? 'datagrams'
      : /\bRetr\b/.test(header)
        ? 'retr'
        : 'plain';

const columnsOf = (columns: Columns, rest: string): Partial<ResultRow> => {
  const role = /\b(sender|receiver)\b/.exec(rest)?.[1];
  const first = /^\s+(\d+)(?=\s|$)/.exec(rest)?.[1];
  return {
    ...(columns === 'lost' && lossOf(rest)),
    ...(columns === 'datagrams' && first !== undefined && { total: Number(first) }),
    ...(columns === 'retr' && first !== undefined && { retransmits: Number(first) }),
    ...(role !== undefined && { role: role === 'sender' ? 'sender' : 'receiver' }),
    ...(rest.includes('(omitted)') && { omitted: true }),
  };
};

const sumName = (row: ResultRow): string =>
  `sum${row.role === 'sender' ? 'Sent' : row.role === 'receiver' ? 'Received' : ''}${row.dir === 'rx' ? 'BidirReverse' : ''}`;
