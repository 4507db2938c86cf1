import { NotThisFormat } from '../../src/model/errors.ts';

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
export const asSum = (row: ResultRow): ResultSum => {
  const { id: _id, dir: _dir, role: _role, omitted: _omitted, ...sum } = row;
  return sum;
};

/**
 * The verdict on a run. Exit codes are no help: iperf 2 exits 0 on refusal, iperf3 3.12 with -J on every client error
 * (domain/network.md section 3.1). No data, or the error before any: `error`. Data and an error, or no final row: `partial`.
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
export const fromStderr = (stderr: string | undefined): { errors: string[]; warnings: string[] } => {
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

export const notIperf = (why: string): NotThisFormat =>
  new NotThisFormat(`${why}: not an output of iperf 2 or 3`);
