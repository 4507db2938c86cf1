import type { Finding } from '../model/finding.ts';
import type { Track } from '../model/history.ts';
import type { HistoryStore } from './history-store.ts';
import { KEEP } from './history-store.ts';

/** Since when each finding is there, over restarts of the console. */
export interface FirstSeen {
  of(finding: Finding, now: number): number;
  /**
   * Writes what came and what went. A finding is gone only when what it rests on could be read well enough to say so: a
   * failing source makes nothing fine.
   */
  record(findings: readonly Finding[], canTell: (finding: Known) => boolean, now: number): void;
}

/** What is remembered of a finding that is not there now. */
export type Known = Pick<Finding, 'system' | 'evidence'>;

const PREFIX = 'finding/';
const GONE = 'gone';

/** Reads the open findings from the history; writes to it as they come and go. */
export const createFirstSeen = (history: HistoryStore, now: number): FirstSeen => {
  const open = new Map<string, Known & { since: number }>();
  for (const { series, points } of history.changedSince(PREFIX, now - KEEP)) {
    const id = series.slice(PREFIX.length);
    const lastGone = points.findLastIndex((point) => point.value === GONE);
    const since = points[lastGone + 1]?.at;
    if (since !== undefined) open.set(id, { since, system: id.split(':')[0] ?? '', evidence: [] });
  }
  const of = (finding: Finding, moment: number): number => {
    const since = open.get(finding.id)?.since ?? moment;
    open.set(finding.id, { since, system: finding.system, evidence: finding.evidence });
    return since;
  };
  return {
    of,
    record: (findings, canTell, moment) => {
      const present = new Set(findings.map((finding) => finding.id));
      const tracks: Track[] = findings.map((finding) => {
        of(finding, moment);
        return { series: PREFIX + finding.id, value: finding.severity };
      });
      for (const [id, known] of open) {
        if (present.has(id) || !canTell(known)) continue;
        open.delete(id);
        tracks.push({ series: PREFIX + id, value: GONE });
      }
      history.record(tracks, moment);
    },
  };
};
