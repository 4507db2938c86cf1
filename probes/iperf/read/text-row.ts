import type { ResultRow } from './result.ts';

/** `[  5][TX-C]   0.00-1.01   sec  14.1 MBytes   117 Mbits/sec    3   1.02 MBytes`, of iperf 2 and 3. */
const rowForm =
  /^\[\s*(\*?[\w-]+)\](?:\[(TX|RX)-[A-Z]\])?\s+(\d+(?:\.\d*)?)\s*-\s*(\d+(?:\.\d*)?)\s+sec\s+(\d+(?:\.\d*)?)\s+([KMGTP]?)Bytes\s+(\d+(?:\.\d*)?)\s+([KMGTP]?)(bits|Bytes)\/sec(.*)$/;

const steps: Readonly<Record<string, number>> = { '': 0, K: 1, M: 2, G: 3, T: 4, P: 5 };

/** Bits count in thousands, bytes in 1024s (iperf 2 and 3). */
const scale = (figure: string, prefix: string, base: 1000 | 1024): number =>
  Number(figure) * base ** (steps[prefix] ?? 0);

/** What a header line says of the columns behind the rate. */
export type Columns = 'plain' | 'retr' | 'datagrams' | 'lost';

/** A row; `rest` is what stands behind the rate. */
export interface TextRow {
  row: ResultRow;
  /** Ends on the full second by iperf 2.1's four decimals, as an interval does and a whole test does not. */
  full: boolean;
  rest: string;
}

/** Reads the columns that all versions share; undefined for any other line. */
export const textRow = (line: string): TextRow | undefined => {
  const match = rowForm.exec(line.trimEnd());
  if (!match) return undefined;
  const [
    ,
    id = '',
    direction,
    start = '',
    end = '',
    bytes = '',
    bytesPrefix = '',
    rate = '',
    ratePrefix = '',
    unit,
    rest = '',
  ] = match;
  const bps = unit === 'bits' ? scale(rate, ratePrefix, 1000) : scale(rate, ratePrefix, 1024) * 8;
  return {
    row: {
      // `[SUM-3]`: the sum of three streams (iperf 2 with --sum-only).
      id: id.startsWith('SUM') ? 'SUM' : id,
      start: Number(start),
      end: Number(end),
      bytes: Math.round(scale(bytes, bytesPrefix, 1024)),
      bps: Math.round(bps),
      ...(direction !== undefined && { dir: direction === 'TX' ? 'tx' : 'rx' }),
    },
    full: end.endsWith('.0000'),
    rest,
  };
};

/** `0.016 ms  107/2095 (5.1%)`; a share that is no number (`nan`) is absent. */
export const lossOf = (rest: string): Partial<ResultRow> => {
  const match = /(?<![\d.])([\d.]+)\s+ms\s+(-?\d+)\s*\/\s*(-?\d+)\s+\(([^)]*)%\)/.exec(rest);
  if (!match) return {};
  const share = Number(match[4]);
  return {
    jitterMs: Number(match[1]),
    lost: Number(match[2]),
    total: Number(match[3]),
    ...(Number.isFinite(share) && { lostPct: share }),
  };
};
