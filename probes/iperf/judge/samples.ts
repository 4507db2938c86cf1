import type { IperfRun } from '../readings.ts';
import type { ResultRow } from '../read/result.ts';

/** What one direction of a run rests on. Bits per second. */
export interface Samples {
  /** Of the intervals, without the first, the tail and those left out by the tool; several streams added up. */
  intervals: readonly number[];
  /** Of each stream over the whole test, with its source port where known. */
  streams: readonly { id: string; bps: number; port?: number }[];
  /** The whole test: streams added up. */
  total: number;
  retransmits?: number;
  bytes: number;
  /** What the first interval had of these, where the tool counts by interval: TCP looks for its rate by losing at the start. */
  start?: { bytes: number; retransmits: number };
  /** Share of the intervals after the first in which nothing was sent again, where the tool counts by interval. */
  lossless?: number;
}

export type Direction = 'there' | 'back';

/** Which rows carry which direction: `rx` and iperf 2's `*1` came back; a reverse test has nothing else. */
const directionOf = (row: ResultRow, run: IperfRun): Direction =>
  run.mode === 'reverse' || (run.mode === 'both' && (row.dir === 'rx' || row.id.startsWith('*')))
    ? 'back'
    : 'there';

/** The samples of a direction (`there`: client to server); undefined when the run says nothing about it. */
export const samplesOf = (run: IperfRun, direction: Direction): Samples | undefined => {
  const own = (row: ResultRow): boolean => directionOf(row, run) === direction;
  const streams = finalRows(run.streamRows.filter(own), run);
  const intervals = intervalsOf(run.intervals.filter(own));
  const done = streams.reduce((sum, row) => sum + row.bps, 0);
  const total = done > 0 ? done : mean(intervals);
  if (streams.length === 0 && intervals.length === 0) return undefined;
  const retransmits = run.streamRows
    .filter(own)
    .reduce<number | undefined>(
      (sum, row) => (row.retransmits === undefined ? sum : (sum ?? 0) + row.retransmits),
      undefined,
    );
  return {
    intervals,
    streams: streams.map(({ id, bps }) => ({
      id,
      bps,
      ...(run.sourcePorts[id] !== undefined && { port: run.sourcePorts[id] }),
    })),
    total,
    bytes: streams.reduce((sum, row) => sum + row.bytes, 0),
    ...(retransmits !== undefined && { retransmits }),
    ...startOf(run.intervals.filter(own)),
    ...losslessOf(run.intervals.filter(own)),
  };
};

const startOf = (rows: readonly ResultRow[]): Pick<Samples, 'start'> => {
  const first = rows.filter((row) => isFirst(row) && !row.id.includes('SUM') && row.omitted !== true);
  if (first.length === 0 || first.some((row) => row.retransmits === undefined)) return {};
  const sum = (of: (row: ResultRow) => number): number => first.reduce((all, row) => all + of(row), 0);
  return { start: { bytes: sum((row) => row.bytes), retransmits: sum((row) => row.retransmits ?? 0) } };
};

const losslessOf = (rows: readonly ResultRow[]): Pick<Samples, 'lossless'> => {
  const later = rows.filter((row) => !isFirst(row) && !row.id.includes('SUM') && row.omitted !== true);
  const counted = [...Map.groupBy(later, (row) => row.start.toFixed(1)).values()];
  if (counted.length === 0 || later.some((row) => row.retransmits === undefined)) return {};
  const clean = counted.filter((group) => group.every((row) => row.retransmits === 0));
  return { lossless: clean.length / counted.length };
};

/** Of the beginning of a test. */
const isFirst = (row: ResultRow): boolean => row.start <= 0.05;

/** What arrived, where the tool says both; after an interrupt the receiver's row reads 0 (iperf3 3.12). */
const finalRows = (rows: readonly ResultRow[], run: IperfRun): ResultRow[] => {
  const plain = rows.filter((row) => !row.id.includes('SUM'));
  const received = plain.filter((row) => row.role === 'receiver' && row.bps > 0);
  const sent = plain.filter((row) => row.role !== 'receiver');
  return received.length > 0 && run.status === 'ok' ? received : sent;
};

/** First interval out (buffers fill), tail out (shorter than the others), streams of one interval added up. */
const intervalsOf = (rows: readonly ResultRow[]): number[] => {
  const kept = rows.filter((row) => !row.id.includes('SUM') && row.omitted !== true);
  const byStart = [...Map.groupBy(kept, (row) => row.start.toFixed(1)).values()];
  const lengths = byStart.map((group) => (group[0]?.end ?? 0) - (group[0]?.start ?? 0)).sort((a, b) => a - b);
  const usual = lengths[Math.floor(lengths.length / 2)] ?? 0;
  return byStart
    .filter((group) => {
      const [row] = group;
      return row !== undefined && !isFirst(row) && row.end - row.start > usual * 0.7;
    })
    .map((group) => group.reduce((sum, row) => sum + row.bps, 0));
};

export const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, one) => sum + one, 0) / values.length;

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[half] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
};
