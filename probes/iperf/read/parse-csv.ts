import type { ParseInput } from '../../../src/model/system.ts';
import {
  readSum,
  readStderr,
  isWarning,
  refuseFormat,
  splitFinal,
  statusOf,
  type Connection,
  type Result,
  type ResultRow,
} from './result.ts';

/** Date, local address and port, remote address and port, id, interval, bytes, rate; UDP: jitter, lost, total, %, disorder. */
const columnsOf = (line: string): readonly string[] | undefined => {
  const columns = line.split(',');
  const [stamp = '', , lport = '', , rport = '', id = '', interval = '', bytes = '', bps = ''] = columns;
  const isRow =
    /^\d{14}(?:\.\d+)?(?:[+-]\d{4})?$/.test(stamp) &&
    [lport, rport].every((port) => /^\d+$/.test(port)) &&
    [id, bytes, bps].every((figure) => /^-?\d+$/.test(figure)) &&
    /^[\d.]+-[\d.]+$/.test(interval);
  return isRow ? columns : undefined;
};

export const isCsv = (text: string): boolean =>
  text.split('\n').some((line) => columnsOf(line.trim()) !== undefined);

interface CsvRow extends ResultRow {
  connection: Connection;
  /** A UDP server's report as the client prints it: the ends are swapped. */
  report: boolean;
}

/** Reads `iperf -y C` (iperf 2): 9 columns for TCP, 14 for UDP; 2.0.x adds a sum with id -1. */
export const parseCsv = (input: ParseInput): Result => {
  const connections: Record<string, Connection> = {};
  const rows: ResultRow[] = [];
  const reports: ResultRow[] = [];
  let udp = false;
  let skipped = 0;
  const lines = input.stdout.split('\n');
  const noted = lines.filter(isWarning).map((line) => line.trim());
  for (const [at, line] of lines.entries()) {
    const found = csvRow(line.trim(), connections);
    if (!found || (at === lines.length - 1 && isCut(found.row, found.columns))) {
      if (line.trim() !== '' && !isWarning(line)) skipped += 1;
      continue;
    }
    udp ||= found.columns > 0;
    const { connection, report, ...row } = found.row;
    if (report) reports.push(row);
    else rows.push(row);
    if (row.id !== 'SUM') connections[row.id] ??= connection;
  }
  if (rows.length === 0 && reports.length === 0) throw refuseFormat('no row of iperf CSV');
  const stderr = readStderr(input.stderr);
  const error = stderr.errors[0];
  const warnings = [...noted, ...stderr.warnings];
  const { intervals, finals } = splitFinal(rows);
  const streams = finals.filter((row) => row.id !== 'SUM');
  const sum = finals.find((row) => row.id === 'SUM');
  return {
    tool: 'iperf2',
    status: statusOf({ intervals, streams, final: streams.length > 0, error }),
    ...(error !== undefined && { error }),
    ...(udp && { proto: 'UDP' }),
    connections,
    streams,
    intervals,
    ...(sum && { sum: readSum(sum) }),
    ...(reports.length > 0 && { serverReports: reports }),
    ...(warnings.length > 0 && { warnings }),
    ...(skipped > 0 && { notUnderstood: skipped }),
  };
};

/** A last line without its line feed may have lost digits: then its rate does not fit its bytes, or columns are missing. */
const isCut = ({ start, end, bytes, bps }: ResultRow, columns: number): boolean => {
  const rate = (bytes * 8) / Math.max(0.1, end - start);
  return (columns > 0 && columns < 5) || (end > start && (bps < rate / 2 || bps > rate * 2));
};

const csvRow = (
  line: string,
  known: Readonly<Record<string, Connection>>,
): { row: CsvRow; columns: number } | undefined => {
  const columns = columnsOf(line);
  if (!columns) return undefined;
  const [, local = '', lport, remote = '', rport, id = '', interval = '', bytes, bps, ...more] = columns;
  const [start, end] = interval.split('-');
  const connection = { local, lport: Number(lport), remote, rport: Number(rport) };
  const before = known[id];
  const [jitter, lost, total, share, disorder] = more.map(Number);
  // Total -1 or 0: the client got no report.
  const loss =
    total !== undefined && total > 0
      ? {
          jitterMs: jitter ?? 0,
          lost: lost ?? 0,
          total,
          ...(share !== undefined && Number.isFinite(share) && { lostPct: share }),
          ...(disorder !== undefined && { outOfOrder: disorder }),
        }
      : {};
  return {
    columns: more.length,
    row: {
      id: id === '-1' ? 'SUM' : id,
      start: Number(start),
      end: Number(end),
      bytes: Number(bytes),
      bps: Number(bps),
      ...loss,
      connection,
      report:
        more.length > 0 && before !== undefined && before.local === remote && before.lport === Number(rport),
    },
  };
};
