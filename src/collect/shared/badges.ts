import { moment } from '../../text/ages.ts';
import { count } from '../../text/units.ts';
import { lockText, type LockSeen } from './lock-seen.ts';

/** What the strip says of the shared folder. */
export interface FolderState {
  /** The site names one. */
  named: boolean;
  /** `writing`: it can be read all the same. */
  problem?: { reason: string; since: number; writing: boolean } | undefined;
  localProblem?: string | undefined;
  locks: readonly LockSeen[];
  /** Lines that are no events, and events of a newer program. */
  odd: { broken: number; newer: number };
}

/** `shared folder down since 02:14, notes stay here: ...`. */
export const folderBadges = (
  { named, problem, localProblem, locks, odd: { broken, newer } }: FolderState,
  now: number,
): readonly string[] => [
  ...(named ? [] : ['shared folder: none']),
  ...(problem
    ? [
        `shared folder ${problem.writing ? 'cannot be written' : 'down'} since ${moment(problem.since, now)}, notes stay here: ${problem.reason}`,
      ]
    : []),
  ...locks.map((one) => lockText(one, now)),
  ...(localProblem === undefined ? [] : [`notes cannot be kept here: ${localProblem}`]),
  ...(broken > 0 ? [`shared folder: ${count(broken, 'line')} not understood`] : []),
  ...(newer > 0 ? [`shared folder: ${count(newer, 'line')} of a newer console`] : []),
];
