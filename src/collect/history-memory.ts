import type { Point } from '../model/reading.ts';
import { BUCKET, ROLL_AFTER, type HistoryStore } from './history-store.ts';
import { nextShare } from './history-tidy.ts';

/** Numbers are kept as they came for an hour, then one value for each 5 minutes; all of it for a day. On disk that is a day, and thirty. */
const RAW_MS = 3600 * 1000;
/** Points in all: some 15 MB. With more of them less time is kept, as on disk. */
const MOST = 150_000;
/** Rolling up looks at every point. */
const EVERY_MS = 60_000;

/** A history that ends with the process: for the demo site, tests, and when no folder can be written. `most`: points. */
export const memoryHistory = (badges: readonly string[] = [], most = MOST): HistoryStore => {
  const series = new Map<string, Point[]>();
  let tidiedAt = -Infinity;
  let share = 1;
  const pointsSince = (points: readonly Point[], from: number): readonly Point[] =>
    points.slice(points.findIndex((point) => point.at >= from)).filter((point) => point.at >= from);
  return {
    record: (tracks, at) => {
      for (const { series: name, value } of tracks) {
        const points = series.get(name);
        if (!points) series.set(name, [{ at, value }]);
        else if (points.at(-1)?.value !== value) points.push({ at, value });
      }
    },
    changes: (name, from) => pointsSince(series.get(name) ?? [], from),
    listChanged: (prefix, from) =>
      [...series]
        .filter(([name]) => name.startsWith(prefix))
        .map(([name, points]) => ({ series: name, points: pointsSince(points, from) }))
        .filter(({ points }) => points.length > 0),
    tidy: (now) => {
      if (Math.abs(now - tidiedAt) < EVERY_MS) return;
      tidiedAt = now;
      let count = 0;
      for (const [name, points] of series) {
        const kept = rollUp(points, { raw: now - RAW_MS * share, oldest: now - ROLL_AFTER * share });
        if (kept.length < points.length) series.set(name, kept);
        count += kept.length;
      }
      share = nextShare(share, count / most);
    },
    badges: () => badges,
    close: () => undefined,
  };
};

/** Without what is too old, and of each 5 minutes before `raw` the last number only. The last value of all stays: the next one is compared with it. */
const rollUp = (points: readonly Point[], { raw, oldest }: { raw: number; oldest: number }): Point[] =>
  points.filter(({ at, value }, index) => {
    const next = points[index + 1];
    if (!next) return true;
    if (at < oldest) return false;
    return typeof value === 'string' || at >= raw || bucketOf(at) !== bucketOf(next.at);
  });

const bucketOf = (at: number): number => Math.floor(at / BUCKET);
