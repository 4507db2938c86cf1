import type { PastRun, PastRuns } from '../model/run.ts';
import { subjectKey } from '../model/subject.ts';

/** Holds what the remedies tell of earlier runs, for those who judge: they never read an audit log themselves. */
export interface KnownRuns {
  /** Undefined until something was told. */
  runs(): PastRuns | undefined;
  /** Takes the place of what was told before. */
  tell(runs: readonly PastRun[]): void;
  /** Changes with every telling that differs. */
  version(): number;
}

export const createKnownRuns = (): KnownRuns => {
  let known: PastRuns | undefined;
  let said: string | undefined;
  let version = 0;
  return {
    runs: () => known,
    version: () => version,
    tell: (runs) => {
      const saying = JSON.stringify(runs);
      if (saying === said) return;
      said = saying;
      version += 1;
      const bySubject = Map.groupBy(
        runs.toSorted((a, b) => a.at - b.at),
        ({ subject }) => subjectKey(subject),
      );
      known = { runsOf: (subject) => bySubject.get(subjectKey(subject)) ?? [] };
    },
  };
};
