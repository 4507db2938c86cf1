import type { Finding } from '../model/finding.ts';
import type { Track } from '../model/reading.ts';
import { textOf } from '../model/words.ts';
import type { HistoryStore } from './history-store.ts';
import { FINDING, KEEP, SUMMARY_OF } from './history-store.ts';

/** Since when each finding is there, over restarts of the console. */
export interface FirstSeen {
  findFirstSeen(finding: Finding, now: number): number;
  /**
   * Writes what came and what went. A finding is gone only when what it rests on could be read well enough to say so: a
   * failing source makes nothing fine. Gives the ids of those that went.
   */
  record(
    findings: readonly Finding[],
    hasFreshReadings: (finding: Known) => boolean,
    now: number,
  ): readonly string[];
}

/** What is remembered of a finding that is not there now. */
export type Known = Pick<Finding, 'system' | 'evidence'> & Partial<Pick<Finding, 'kind'>>;

const GONE = 'gone';

/** Reads the open findings from the history; writes to it as they come and go. `nameNow`: what an id of an older version is called now. */
export const createFirstSeen = (
  history: HistoryStore,
  now: number,
  nameNow: (id: string) => string = (id) => id,
): FirstSeen => {
  const open = new Map<string, Known & { since: number; severity?: string }>();
  for (const { series, points } of history.listChanged(FINDING, now - KEEP)) {
    const former = series.slice(FINDING.length);
    const id = nameNow(former);
    const lastGone = points.findLastIndex((point) => point.value === GONE);
    const since = points[lastGone + 1]?.at;
    if (since === undefined) continue;
    const [system = '', kind = ''] = id.split(':');
    open.set(id, { since, system, kind, evidence: [] });
    if (id !== former) history.record([{ series, value: GONE }], now);
  }
  const firstSeenOf = (finding: Finding, moment: number): number => {
    const known = open.get(finding.id);
    const since = known?.since ?? moment;
    const { system, kind, evidence } = finding;
    open.set(finding.id, { ...known, since, system, kind, evidence });
    return since;
  };
  return {
    findFirstSeen: firstSeenOf,
    record: (findings, hasFreshReadings, moment) => {
      const present = new Set(findings.map((finding) => finding.id));
      const tracks = findings.flatMap((finding): Track[] => {
        firstSeenOf(finding, moment);
        const known = open.get(finding.id);
        const same = known?.severity === finding.severity;
        if (known) known.severity = finding.severity;
        // Its figures change with every poll: what it said is kept for when it came or got worse, for the hand-over.
        const said = { series: SUMMARY_OF + finding.id, value: textOf(finding.summary) };
        return [{ series: FINDING + finding.id, value: finding.severity }, ...(same ? [] : [said])];
      });
      const gone = [...open].flatMap(([id, known]) =>
        present.has(id) || !hasFreshReadings(known) ? [] : [id],
      );
      for (const id of gone) {
        open.delete(id);
        tracks.push({ series: FINDING + id, value: GONE });
      }
      history.record(tracks, moment);
      return gone;
    },
  };
};
