import type { Readings, Source } from '../model/reading.ts';

const seconds = (ms: number): string => `${Math.max(0, Math.round(ms / 1000))} s`;

/**
 * Why what a probe reads on a host is not known just now: one line that names the host, what was wrong, and how old what is known is.
 * Undefined when the reading is fresh. `now`: UTC ms.
 */
export const whyUnread = (probe: string, source: Source | undefined, now: number): string | undefined => {
  if (!source) return `no host of the site is asked for it (${probe})`;
  const { host, good, failure, state, askedAt } = source;
  if (state === 'fresh') return undefined;
  if (failure) return failure.message;
  if (state === 'notAsked') return `${host} is not asked for it now (${probe})`;
  if (good) return `${host} last answered ${seconds(now - good.at)} ago (${probe})`;
  const asked = askedAt === undefined ? ': it was not asked' : `, asked ${seconds(now - askedAt)} ago`;
  return `${host} gave no answer yet (${probe}${asked})`;
};

/** The same for all hosts that are asked: what is wrong at the first that fails; undefined when one of them has a fresh reading. */
export const whyAllUnread = (probe: string, readings: Readings, now: number): string | undefined => {
  const sources = readings.sources(probe);
  if (sources.some(({ state }) => state === 'fresh')) return undefined;
  return whyUnread(probe, sources.find(({ failure }) => failure) ?? sources[0], now);
};
