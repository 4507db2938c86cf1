import { NotThisFormat } from '../../../src/model/errors.ts';

/** One row of a result: an interval or a whole stream. Seconds, bytes, bits per second; what was not printed is absent. */
export interface ResultRow {
  /** The stream's number as text, `*1` for iperf2's reverse direction, `SUM` for the sum of an interval. */
  id: string;
  start: number;
  end: number;
  bytes: number;
  bps: number;
  dir?: 'tx' | 'rx';
  role?: 'sender' | 'receiver';
  retransmits?: number;
  jitterMs?: number;
  lost?: number;
  total?: number;
  lostPct?: number;
  outOfOrder?: number;
  writes?: number;
  writeErr?: number;
  cwndK?: number;
  rttUs?: number;
  omitted?: boolean;
}

/** A final sum: a row without identity. */
export type ResultSum = Omit<ResultRow, 'id' | 'dir' | 'role' | 'omitted'>;

export interface Connection {
  local?: string;
  lport: number;
  remote: string;
  rport: number;
}

/** What every source form (text, CSV, JSON, JSON stream; iperf 2 and 3) becomes. */
export interface Result {
  tool: 'iperf2' | 'iperf3';
  status: 'ok' | 'partial' | 'error';
  /** The first failure, without the tool's name. */
  error?: string;
  proto?: string;
  version?: string;
  numStreams?: number;
  reverse?: number;
  bidir?: number;
  connections?: Record<string, Connection>;
  streams: ResultRow[];
  intervals: ResultRow[];
  sum?: ResultSum;
  sumSent?: ResultSum;
  sumReceived?: ResultSum;
  sumBidirReverse?: ResultSum;
  sumSentBidirReverse?: ResultSum;
  sumReceivedBidirReverse?: ResultSum;
  /** iperf2 text only: the streams' rates added up (its `[SUM]` is taken over another interval, so both are kept). */
  sumOfStreamsBps?: number;
  /** What an iperf2 UDP server reported back to its client. */
  serverReports?: ResultRow[];
  warnings?: string[];
  notUnderstood?: number;
}

/** A row without its identity, as a final sum. */
export const readSum = (row: ResultRow): ResultSum => {
  const { id: _id, dir: _dir, role: _role, omitted: _omitted, ...sum } = row;
  return sum;
};

/**
 * The verdict on a run. Exit codes are no help: iperf 2 exits 0 on refusal, iperf3 3.12 with -J on every client error
 * (docs/systems/iperf.md). No data, or the error before any: `error`. Data and an error, or no final row: `partial`.
 */
export const statusOf = (rows: {
  intervals: readonly ResultRow[];
  streams: readonly ResultRow[];
  final: boolean;
  error: string | undefined;
  errorFirst?: boolean;
}): Result['status'] => {
  const data = [...rows.intervals, ...rows.streams].some((row) => row.bytes > 0);
  if (!data || (rows.errorFirst ?? false)) return 'error';
  return rows.error === undefined && rows.final ? 'ok' : 'partial';
};

/** `iperf3: error - the server is busy` to `the server is busy`. */
export const bareError = (text: string): string =>
  text
    .trim()
    .replace(/^iperf3?(?:\.exe)?:\s*/, '')
    .replace(/^error - /, '')
    .trim();

/** Errors and warnings of standard error, in order. `exiting` says nothing by itself. */
export const readStderr = (stderr: string | undefined): { errors: string[]; warnings: string[] } => {
  const lines = (stderr ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return {
    errors: lines
      .filter((line) => !isWarning(line))
      .map(bareError)
      .filter((line) => line !== 'exiting' && !line.startsWith('Waiting for server threads')),
    warnings: lines.filter(isWarning),
  };
};

/** Said beside a result, not instead of one; iperf3 3.1 tells every datagram that came late. */
export const isWarning = (line: string): boolean => /\bWARN(?:ING)?\b|^OUT OF ORDER/i.test(line);

export const refuseFormat = (why: string): NotThisFormat =>
  new NotThisFormat(`${why}: not an output of iperf 2 or 3`);

/**
 * Tells iperf2's final rows from its interval rows, which look alike: of one identity, a row from the start is final when
 * it comes after others and ends no sooner than they do, or when it is the only one. `full`: every row ends on the full second
 * to four decimals, so that a single one is the first interval of a test that was killed.
 */
export const splitFinal = (
  rows: readonly ResultRow[],
  full = false,
): { intervals: ResultRow[]; finals: ResultRow[] } => {
  const seen = new Map<string, { count: number; end: number }>();
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(row.id, (counts.get(row.id) ?? 0) + 1);
  const intervals: ResultRow[] = [];
  const finals: ResultRow[] = [];
  const several = rows.some((row) => row.start > 0);
  for (const row of rows) {
    const before = seen.get(row.id);
    const only = counts.get(row.id) === 1 && !several && !full;
    const final = row.start === 0 && (only || (before !== undefined && row.end >= before.end));
    (final ? finals : intervals).push(row);
    seen.set(row.id, { count: (before?.count ?? 0) + 1, end: Math.max(before?.end ?? 0, row.end) });
  }
  return { intervals, finals };
};

/** bits/s as Gbit/s in three digits: `9.47`, `0.095`, `94.1`; always the same unit, so that figures compare. */
export const gbit = (bps: number): string => {
  const gbit = bps / 1e9;
  if (gbit >= 100) return gbit.toFixed(0);
  if (gbit >= 10) return gbit.toFixed(1);
  return gbit >= 1 || gbit === 0 ? gbit.toFixed(2) : gbit.toPrecision(3);
};
