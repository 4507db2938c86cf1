import type { Finding } from '../model/finding.ts';
import type { Track } from '../model/history.ts';
import type { HistoryStore } from './history-store.ts';
import { FINDING, KEEP, SUMMARY_OF } from './history-store.ts';

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

const GONE = 'gone';

/** Reads the open findings from the history; writes to it as they come and go. */
export const createFirstSeen = (history: HistoryStore, now: number): FirstSeen => {
  const open = new Map<string, Known & { since: number; severity?: string }>();
  for (const { series, points } of history.changedSince(FINDING, now - KEEP)) {
    const id = series.slice(FINDING.length);
    const lastGone = points.findLastIndex((point) => point.value === GONE);
    const since = points[lastGone + 1]?.at;
    if (since !== undefined) open.set(id, { since, system: id.split(':')[0] ?? '', evidence: [] });
  }
  const of = (finding: Finding, moment: number): number => {
    const known = open.get(finding.id);
    const since = known?.since ?? moment;
    open.set(finding.id, { ...known, since, system: finding.system, evidence: finding.evidence });
    return since;
  };
  return {
    of,
    record: (findings, canTell, moment) => {
      const present = new Set(findings.map((finding) => finding.id));
      const tracks = findings.flatMap((finding): Track[] => {
        of(finding, moment);
        const known = open.get(finding.id);
        const same = known?.severity === finding.severity;
        if (known) known.severity = finding.severity;
        // Its figures change with every poll: what it said is kept for when it came or got worse, for the hand-over.
        const said = { series: SUMMARY_OF + finding.id, value: finding.summary };
        return [{ series: FINDING + finding.id, value: finding.severity }, ...(same ? [] : [said])];
      });
      for (const [id, known] of open) {
        if (present.has(id) || !canTell(known)) continue;
        open.delete(id);
        tracks.push({ series: FINDING + id, value: GONE });
      }
      history.record(tracks, moment);
    },
  };
};
