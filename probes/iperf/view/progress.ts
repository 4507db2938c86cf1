import { gbit } from '../read/result.ts';
import type { IperfRun } from '../readings.ts';

const barWidth = 10;

/** `██████░░░░ 12/20 s`. */
export const barText = (done: number, all: number): string => {
  const full = Math.round((Math.min(done, all) / Math.max(1, all)) * barWidth);
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)} ${Math.floor(done)}/${Math.round(all)} s`;
};

/** How far a running test is: a bar with the seconds, the last figure, and the intervals as they came. */
export const progressText = (run: IperfRun, now: number): { bar: string; now: string; last: string } => {
  const rows = [
    ...Map.groupBy(
      run.intervals.filter((row) => !row.id.includes('SUM')),
      (row) => row.start.toFixed(1),
    ).values(),
  ].map((group) => ({ end: group[0]?.end ?? 0, bps: group.reduce((sum, row) => sum + row.bps, 0) }));
  const done = Math.min(run.seconds, rows.at(-1)?.end ?? Math.max(0, (now - run.startedAt) / 1000));
  return {
    bar: barText(done, run.seconds),
    now: rows.length === 0 ? '' : gbit(rows.at(-1)?.bps ?? 0),
    last: rows
      .slice(-6)
      .map(({ bps }) => gbit(bps))
      .join(' '),
  };
};

/** No byte for so many seconds of a running test: the link is gone. */
export const silenceMs = (run: IperfRun): number => {
  const last = run.intervals.findLast((row) => row.bps > 0)?.end ?? 0;
  return Math.max(0, (run.intervals.at(-1)?.end ?? 0) - last);
};
