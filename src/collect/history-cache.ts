import type { History, Track } from '../model/reading.ts';

type Changed = ReturnType<History['listChanged']>;

/** An answer is good for this long, ms; what other consoles write shows after it. */
const STEP = 60_000;
const MOST = 100;

/**
 * Findings ask the same question (`the last 14 days of all nodes`) at every judgement: the answer is kept for a minute and no longer
 * (of 10,000 nodes it is 2 MB), and what we write ourselves makes it void at once. `now`: UTC ms.
 */
export const recentQuestions = (
  ask: History['listChanged'],
  now: () => number,
): { listChanged: History['listChanged']; noteWritten(news: readonly Track[]): void } => {
  const answers = new Map<string, { prefix: string; changed: Changed }>();
  let minute = -Infinity;
  return {
    listChanged: (prefix, since) => {
      const current = Math.floor(now() / STEP);
      if (current !== minute) answers.clear();
      minute = current;
      const from = Math.floor(since / STEP) * STEP;
      const key = `${prefix} ${from}`;
      const known = answers.get(key) ?? { prefix, changed: ask(prefix, from) };
      if (answers.size >= MOST) answers.clear();
      answers.set(key, known);
      return known.changed.flatMap((one) => {
        // Points are in order: of most series nothing is to be left off.
        if ((one.points[0]?.at ?? -Infinity) >= since) return one;
        const points = one.points.filter((point) => point.at >= since);
        return points.length > 0 ? { series: one.series, points } : [];
      });
    },
    noteWritten: (news) => {
      for (const [key, { prefix }] of answers) {
        if (news.some(({ series }) => series.startsWith(prefix))) answers.delete(key);
      }
    },
  };
};
