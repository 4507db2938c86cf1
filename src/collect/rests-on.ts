import type { Finding } from '../model/finding.ts';
import type { Readings, Source } from '../model/reading.ts';
import type { System } from '../model/system.ts';

/**
 * Whether what a finding rests on (else all that its system asks regularly) is fresh: only then its absence says something. A system that
 * asks nothing regularly judges by what others read.
 */
export const hasFreshReadings = (
  { system, kind, evidence }: Pick<Finding, 'system' | 'evidence'> & { kind?: string },
  readings: Readings,
  systems: readonly System[],
): boolean => {
  const named = evidence.flatMap(({ probe, host }) =>
    probe !== undefined && host !== undefined ? (readings.source(probe, host) ?? []) : [],
  );
  const regular = (systems.find(({ id }) => id === system)?.probes ?? []).filter(
    ({ everyMs, background }) => everyMs > 0 && !background,
  );
  if (named.length === 0 && (kind === BUG || regular.length === 0)) return true;
  const sources: readonly Source[] =
    named.length > 0 ? named : regular.flatMap(({ id }) => readings.sources(id));
  return sources.length > 0 && sources.every(({ state }) => state === 'fresh' || state === 'notAsked');
};

/** A fault of the program itself rests on no reading. */
const BUG = 'bug';

/**
 * UTC ms of the reading that a finding rests on first of all, where it could not be read again since; undefined: that one is no older than it should be, or the
 * finding is about what fails, and rests on no reading. What fails stays a finding, but nobody knows whether it is still so.
 */
export const lastRead = ({ evidence }: Pick<Finding, 'evidence'>, readings: Readings): number | undefined => {
  for (const { probe, host, at } of evidence) {
    const source = probe === undefined || host === undefined ? undefined : readings.source(probe, host);
    // What is asked on demand only does not grow old.
    if (!source?.good || at === undefined || source.everyMs === 0) continue;
    const isOld = source.old === true || source.state === 'stale' || source.state === 'failed';
    return isOld && at <= source.good.at ? at : undefined;
  }
  return undefined;
};
