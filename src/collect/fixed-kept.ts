import * as z from 'zod';
import type { RankedFinding } from '../model/finding.ts';
import type { PastRuns } from '../model/run.ts';
import { subjectKey, subjectKinds, type Subject } from '../model/subject.ts';
import type { Fixed } from '../model/wire.ts';
import { textOf, wordsOf } from '../model/words.ts';
import { makeSafe } from '../text/safe.ts';
import type { HistoryStore } from './history-store.ts';

const FIXED = 'fixed/';
/** Members that are written down; `on` names them all. */
const MOST = 200;

const subjectSchema: z.ZodType<Subject> = z.object({ kind: z.enum(subjectKinds), id: z.string() });

const fixedSchema = z.object({
  id: z.string(),
  finding: z.string(),
  system: z.string(),
  summary: z.string().transform((text) => wordsOf(makeSafe(text))),
  subject: subjectSchema,
  members: z.array(subjectSchema),
  on: z.string(),
  at: z.number(),
  run: z.string(),
  verb: z.string(),
  operator: z.string(),
  done: subjectSchema,
});

/** `finding`: its id; `done`: what the run acted on, which may be something else than what was cured by it. */
export interface Kept extends Fixed {
  finding: string;
  done: Subject;
}

const readKept = (text: string): readonly Kept[] => {
  try {
    const { success, data } = fixedSchema.safeParse(JSON.parse(text));
    return success ? [data] : [];
  } catch {
    // Written by another version, or cut off: it is not shown, and what was done stands in the audit log.
    return [];
  }
};

/** What earlier consoles of this machine saw cured, so that a restart does not hide it. */
export interface FixedKept {
  /** Writes down what is new or has more members. */
  keep(fixed: readonly Kept[]): void;
  /** Of the last hour, what the audit log still tells as done (not what was undone), and what did not come back. */
  list(runs: PastRuns, found: ReadonlyMap<string, RankedFinding>, from: number): readonly Fixed[];
}

/** `from`: UTC ms; what was cured before is not read. */
export const createFixedKept = (history: HistoryStore, from: number): FixedKept => {
  const earlier = history
    .listChanged(FIXED, from)
    .flatMap(({ points }) => readKept(String(points.at(-1)?.value ?? '')));
  return {
    keep: (fixed) => {
      if (fixed.length === 0) return;
      const newest = Math.max(...fixed.map(({ at }) => at));
      const tracks = fixed.map((one) => ({ series: FIXED + one.id, value: writeKept(one) }));
      history.record(tracks, newest);
    },
    list: (runs, found, since) =>
      earlier
        .filter(({ at, run, done }) => at >= since && runs.runsOf(done).some((one) => one.run === run))
        .filter(({ finding, members }) => !isBack(found.get(finding), members))
        .map(dropProof),
  };
};

/** What the screen is told of it. */
export const dropProof = (kept: Kept): Fixed => {
  const { finding: _, done: __, ...fixed } = kept;
  return fixed;
};

const writeKept = (one: Kept): string =>
  JSON.stringify({ ...one, summary: textOf(one.summary), members: one.members.slice(0, MOST) });

const isBack = (finding: RankedFinding | undefined, members: readonly Subject[]): boolean => {
  if (finding === undefined) return false;
  const there = new Set([finding.subject, ...(finding.members ?? [])].map(subjectKey));
  return members.some((member) => there.has(subjectKey(member)));
};
