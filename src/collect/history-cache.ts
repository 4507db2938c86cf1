import type { History, Track } from '../model/history.ts';

type Changed = ReturnType<History['changedSince']>;

/** An answer is good for this long, in ms of the asked times; what other consoles write shows after it. */
const STEP = 60_000;
const MOST = 100;

/**
 * Findings ask the same question (`the last 14 days of all nodes`) at every judgement: the answer is kept for a minute, and what
 * we write ourselves makes it void at once.
 */
export const recentQuestions = (
  ask: History['changedSince'],
): { changedSince: History['changedSince']; written(tracks: readonly Track[]): void } => {
  const answers = new Map<string, { prefix: string; changed: Changed }>();
  const last = new Map<string, Track['value']>();
  return {
    changedSince: (prefix, since) => {
      const from = Math.floor(since / STEP) * STEP;
      const key = `${prefix} ${from}`;
      const known = answers.get(key) ?? { prefix, changed: ask(prefix, from) };
      if (answers.size >= MOST) answers.clear();
      answers.set(key, known);
      return known.changed
        .map(({ series, points }) => ({ series, points: points.filter((point) => point.at >= since) }))
        .filter(({ points }) => points.length > 0);
    },
    written: (tracks) => {
      const news = tracks.filter(({ series, value }) => last.get(series) !== value);
      for (const { series, value } of news) last.set(series, value);
      for (const [key, { prefix }] of answers) {
        if (news.some(({ series }) => series.startsWith(prefix))) answers.delete(key);
      }
    },
  };
};
