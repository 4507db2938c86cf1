import type { Point } from '../model/reading.ts';
import { ROLL_AFTER, type HistoryStore } from './history-store.ts';

/** A history that ends with the process: for the demo site, tests, and when no folder can be written. Keeps a day. */
export const memoryHistory = (badges: readonly string[] = []): HistoryStore => {
  const series = new Map<string, Point[]>();
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
      for (const points of series.values()) {
        const keep = points.findIndex((point) => point.at >= now - ROLL_AFTER);
        // The last value stays, however old: it is what the next one is compared with.
        points.splice(0, keep < 0 ? points.length - 1 : keep);
      }
    },
    badges: () => badges,
    close: () => undefined,
  };
};
