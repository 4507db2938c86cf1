import type { Past } from '../audit/past-runs.ts';
import type { SharedRead } from '../audit/shared-past.ts';
import type { LoggedAction } from '../audit/logged-actions.ts';
import { subjectKey } from '../model/subject.ts';
import { type KnownPast, pastOf } from './cool-down.ts';
import type { EngineParts } from './parts.ts';

export type RecentPast = ReturnType<typeof createRecentPast>;

/** Guard 13: what was done lately, here and by colleagues; read every minute, for each plan and once more under its locks. */
export const createRecentPast = ({ sharedActions, log }: Pick<EngineParts, 'sharedActions' | 'log'>) => {
  let known: KnownPast = { past: [] };
  let colleagues: readonly Past[] = [];
  /** What nobody could read takes nothing back of what was known, and says so. */
  const take = (all: readonly LoggedAction[], { past = colleagues, unclear }: SharedRead = {}): void => {
    if (unclear !== undefined && unclear !== known.unclear) log(`the actions of colleagues: ${unclear}`);
    colleagues = past;
    const ours = new Set(all.map(({ run, subject }) => `${run} ${subjectKey(subject)}`));
    known = {
      // Of a run of this log the log knows better: what it says counts, whatever stands in the folder.
      past: [...pastOf(all), ...past.filter(({ run, subject }) => !ours.has(`${run} ${subject}`))],
      ...(unclear !== undefined && { unclear }),
    };
  };
  return {
    take,
    /** Reads what colleagues did, too. `all`: our own log. */
    read: async (all: readonly LoggedAction[]) => take(all, await sharedActions?.read()),
    /** What was taken last. */
    known: () => known,
    colleagues: () => colleagues,
  };
};
