import type { History, Point, Track } from '../model/reading.ts';

type Changed = ReturnType<History['listChanged']>;

/** An answer is good for this long, ms; what other consoles write shows after it. */
const STEP = 60_000;
const MOST = 100;
/** Points of single series that are kept, 5 MB at most; a series without any counts as one. */
const MOST_POINTS = 50_000;

/** What was answered of one series: all of its points from then on, UTC ms. */
interface OfSeries {
  from: number;
  points: readonly Point[];
}

/** Points from then on; the same list where nothing is to be left off. */
const pointsFrom = (points: readonly Point[], since: number): readonly Point[] =>
  (points[0]?.at ?? Infinity) >= since ? points : points.filter((point) => point.at >= since);

/**
 * Findings ask the same questions (`the last 14 days of all nodes`, `the last hour of this port`) at every judgement: the answer is kept
 * for a minute and no longer (of 10,000 nodes it is 2 MB), and what we write ourselves makes it void at once. `now`: UTC ms.
 */
export const recentQuestions = (
  ask: History,
  now: () => number,
): History & { noteWritten(news: readonly Track[]): void } => {
  const answers = new Map<string, { prefix: string; changed: Changed }>();
  const ofSeries = new Map<string, OfSeries>();
  /** Most ports never came or went: what says so is one object for all of them. */
  const nothing = new Map<number, OfSeries>();
  let kept = 0;
  let minute = -Infinity;
  const forgetOld = (): void => {
    const current = Math.floor(now() / STEP);
    if (current === minute) return;
    minute = current;
    answers.clear();
    ofSeries.clear();
    nothing.clear();
    kept = 0;
  };
  return {
    listChanged: (prefix, since) => {
      forgetOld();
      const from = Math.floor(since / STEP) * STEP;
      const key = `${prefix} ${from}`;
      const known = answers.get(key) ?? { prefix, changed: ask.listChanged(prefix, from) };
      if (answers.size >= MOST) answers.clear();
      answers.set(key, known);
      return known.changed.flatMap((one) => {
        // Points are in order: of most series nothing is to be left off.
        const points = pointsFrom(one.points, since);
        if (points === one.points) return points.length > 0 ? one : [];
        return points.length > 0 ? { series: one.series, points } : [];
      });
    },
    changes: (series, since) => {
      forgetOld();
      const known = ofSeries.get(series);
      if (known && known.from <= since) return pointsFrom(known.points, since);
      const from = Math.floor(since / STEP) * STEP;
      const points = ask.changes(series, from);
      kept += Math.max(1, points.length);
      if (kept > MOST_POINTS) {
        ofSeries.clear();
        kept = points.length;
      }
      const answer = (points.length === 0 ? nothing.get(from) : undefined) ?? { from, points };
      if (points.length === 0) nothing.set(from, answer);
      ofSeries.set(series, answer);
      return pointsFrom(points, since);
    },
    noteWritten: (news) => {
      for (const { series } of news) ofSeries.delete(series);
      for (const [key, { prefix }] of answers) {
        if (news.some(({ series }) => series.startsWith(prefix))) answers.delete(key);
      }
    },
  };
};
