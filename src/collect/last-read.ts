import type { Finding } from '../model/finding.ts';
import type { Readings } from '../model/reading.ts';

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
