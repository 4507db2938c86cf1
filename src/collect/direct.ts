import type { Readings, Source } from '../model/reading.ts';

/** The readings without those of these probes: what was asked of the machines themselves. */
export const directOf = (readings: Readings, given: ReadonlySet<string>): Readings => {
  const isDirect = ({ probe }: Source): boolean => !given.has(probe);
  return {
    source: (probe, host) => (given.has(probe) ? undefined : readings.source(probe, host)),
    sources: (probe) => (given.has(probe) ? [] : readings.sources(probe)),
    listOnHost: (host) => readings.listOnHost(host).filter(isDirect),
    listUnreached: () => readings.listUnreached(),
    listUnread: () => readings.listUnread().filter(isDirect),
  };
};
