import type { ResultRow } from './result.ts';

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
