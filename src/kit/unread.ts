import type { Readings, Source } from '../model/reading.ts';
import type { Cause } from '../model/dependency.ts';
import { NOT_READ } from '../model/finding.ts';

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

/**
 * Findings of these kinds say themselves why their system, or a host of it, can't be read: what was not read there is folded below
 * them. `everywhere`: what they tell of is asked through any host (a controller).
 */
export const saysWhyNotRead = (kinds: readonly string[], where: 'there' | 'everywhere' = 'there'): Cause => ({
  name: 'says-why-not-read',
  causes: kinds,
  effects: [NOT_READ],
  explain: ({ severity, subject, evidence }, effect) => {
    const allFailed = effect.evidence.every(({ values }) => values?.['failed'] !== undefined);
    if (severity === 'notice' || !allFailed) return undefined;
    const hosts = new Set([subject.id, ...evidence.flatMap(({ host }) => host ?? [])]);
    const own = effect.members ?? [effect.subject];
    return where === 'everywhere' || own.every(({ id }) => hosts.has(id)) ? 'it says why' : undefined;
  },
});
