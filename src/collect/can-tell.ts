import type { Finding } from '../model/finding.ts';
import type { Readings, Source } from '../model/reading.ts';
import type { System } from '../model/system.ts';

/** Whether what a finding rests on (else all that its system asks regularly) is fresh: only then its absence says something. */
export const canTell = (
  finding: Pick<Finding, 'system' | 'evidence'>,
  readings: Readings,
  systems: readonly System[],
): boolean => {
  if (finding.system === 'site') return true;
  const named = finding.evidence.flatMap(({ probe, host }) =>
    probe !== undefined && host !== undefined ? (readings.source(probe, host) ?? []) : [],
  );
  const sources: readonly Source[] =
    named.length > 0
      ? named
      : (systems.find((one) => one.id === finding.system)?.probes ?? [])
          .filter((probe) => probe.everyMs > 0 && !probe.background)
          .flatMap((probe) => readings.sources(probe.id));
  return sources.length > 0 && sources.every(({ state }) => state === 'fresh' || state === 'notAsked');
};
