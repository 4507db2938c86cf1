import type { RankedFinding } from '../model/finding.ts';
import type { PastRun, PastRuns } from '../model/run.ts';
import { subjectKey, type Subject } from '../model/subject.ts';
import type { Fixed } from '../model/wire.ts';
import { fold } from '../text/nodeset.ts';
import { createFixedKept, dropProof, type Kept } from './fixed-kept.ts';
import type { HistoryStore } from './history-store.ts';

/** What was cured is told for so long, and a run counts as the cure of what goes within this time after its begin, ms. */
const HOUR = 3_600_000;

/** Something that a finding is about no more. */
interface Left {
  finding: RankedFinding;
  subject: Subject;
  /** UTC ms. */
  at: number;
}

/** Keeps what findings were about and are no more. */
export interface FixedFindings {
  /** `gone`: ids of findings that are gone for certain: what they rest on was read and is fresh. */
  record(findings: readonly RankedFinding[], gone: readonly string[], now: number): void;
  /** What went in the last hour after somebody acted on it, newest first. */
  list(runs: PastRuns | undefined, now: number): readonly Fixed[];
}

const subjectsOf = ({ subject, members = [subject] }: RankedFinding): readonly Subject[] => members;

/** `history`: what earlier consoles saw cured is read from it. `now`: UTC ms. */
export const createFixed = (history: HistoryStore, now: number): FixedFindings => {
  const kept = createFixedKept(history, now - HOUR);
  const last = new Map<string, RankedFinding>();
  const left = new Map<string, Left>();
  const keyOf = (id: string, subject: Subject): string => `${id} ${subjectKey(subject)}`;
  return {
    record: (findings, gone, now) => {
      const leave = (was: RankedFinding, still: readonly Subject[]): void => {
        const kept = new Set(still.map(subjectKey));
        for (const subject of subjectsOf(was))
          if (!kept.has(subjectKey(subject)))
            left.set(keyOf(was.id, subject), { finding: was, subject, at: now });
      };
      for (const finding of findings) {
        const was = last.get(finding.id);
        // What could not be read again says nothing of who left.
        if (finding.lastRead !== undefined) continue;
        if (was !== undefined && was !== finding) leave(was, subjectsOf(finding));
        for (const subject of subjectsOf(finding)) left.delete(keyOf(finding.id, subject));
        last.set(finding.id, finding);
      }
      for (const id of gone) {
        const was = last.get(id);
        if (was) leave(was, []);
        last.delete(id);
      }
      for (const [key, { at }] of left) if (now - at > HOUR) left.delete(key);
    },
    list: (runs, now) => {
      if (runs === undefined) return [];
      const cured = [...left.values()].flatMap((one) => {
        const run = now - one.at > HOUR ? undefined : cureOf(one, runs);
        return run === undefined ? [] : [{ ...one, run }];
      });
      const together = Map.groupBy(cured, ({ finding, run }) => `${finding.id} ${run.run}`);
      const fixed = [...together.values()].flatMap((items) => fixedOf(items));
      kept.keep(fixed);
      const known = new Set(fixed.map(({ id }) => id));
      const earlier = kept.list(runs, last, now - HOUR).filter(({ id }) => !known.has(id));
      const own = fixed.map(dropProof);
      return [...own, ...earlier].toSorted((a, b) => b.at - a.at);
    },
  };
};

/**
 * The newest run on what left, or on what its finding named to be acted on, that had begun before and is known to be done; of a colleague's no
 * outcome is known here.
 */
const cureOf = ({ finding, subject, at }: Left, runs: PastRuns): PastRun | undefined => {
  const { beside = [], remedies } = finding;
  const elsewhere = remedies.flatMap(({ subjects }) => {
    const own = new Set(subjectsOf(finding).map(subjectKey));
    return subjects.filter((one) => !own.has(subjectKey(one)));
  });
  const isCure = (run: PastRun): boolean =>
    run.at <= at && at - run.at <= HOUR && (run.outcome === undefined || run.outcome === 'done');
  return [subject, finding.subject, ...beside, ...elsewhere]
    .flatMap((one) => runs.runsOf(one))
    .filter(isCure)
    .toSorted((a, b) => b.at - a.at)[0];
};

const fixedOf = (items: readonly (Left & { run: PastRun })[]): readonly Kept[] => {
  const [first] = items;
  if (first === undefined) return [];
  const { finding, run } = first;
  const { id, system, summary, subject } = finding;
  return [
    {
      id: `${id} ${run.run}`,
      system,
      summary,
      subject,
      members: items.map((one) => one.subject),
      on: fold(items.map((one) => one.subject.id)),
      at: Math.max(...items.map(({ at }) => at)),
      run: run.run,
      verb: run.verb,
      operator: run.operator,
      finding: id,
      done: run.subject,
    },
  ];
};
