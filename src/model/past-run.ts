import type { Outcome } from './action.ts';
import type { Subject } from './subject.ts';

/** One target of one run that somebody began, here or on a colleague's console. */
export interface PastRun {
  run: string;
  /** `stop-creates`. */
  verb: string;
  subject: Subject;
  operator: string;
  /** UTC ms at which it was begun. */
  at: number;
  /** Absent: no result is known here (a colleague's run, or one under way). */
  outcome?: Outcome;
}

/** What operators did lately: the audit log of this machine, and what colleagues told in the shared folder. */
export interface PastRuns {
  /** Oldest first; undone ones, and those of which nothing came, are left out. */
  of(subject: Subject): readonly PastRun[];
}
