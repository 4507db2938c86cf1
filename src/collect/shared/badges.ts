import { clockTime } from '../../text/ages.ts';
import { count } from '../../text/units.ts';
import type { Odd } from './book.ts';
import { lockText, type LockSeen } from './lock-seen.ts';

/** What the strip says of the shared folder. */
export interface FolderState {
  /** The site names one. */
  named: boolean;
  /** `writing`: it can be read all the same. */
  problem?: { reason: string; since: number; writing: boolean } | undefined;
  localProblem?: string | undefined;
  locks: readonly LockSeen[];
  odd: Odd;
  /** What is odd about whose files lie there. */
  owners: readonly string[];
}

/**
 * Why what colleagues wrote in the folder may not be all: `shared folder down since 02:14, notes stay here: ...`. Empty where the site
 * names none.
 */
export const folderProblems = (
  { problem, odd: { broken, newer, doubts }, owners }: Pick<FolderState, 'problem' | 'odd' | 'owners'>,
  now: number,
): readonly string[] => [
  ...(problem
    ? [
        `shared folder ${problem.writing ? 'cannot be written' : 'down'} since ${clockTime(problem.since, now)}, notes stay here: ${problem.reason}`,
      ]
    : []),
  ...(broken > 0 ? [`shared folder: ${count(broken, 'line')} not understood`] : []),
  ...(newer > 0 ? [`shared folder: ${count(newer, 'line')} of a newer console`] : []),
  ...[...doubts, ...owners].map((one) => `shared folder: ${one}`),
];

/** All that the strip says of it. */
export const folderBadges = (state: FolderState, now: number): readonly string[] => [
  ...(state.named ? [] : ['shared folder: none']),
  ...folderProblems(state, now),
  ...state.locks.map((one) => lockText(one, now)),
  ...(state.localProblem === undefined ? [] : [`notes cannot be kept here: ${state.localProblem}`]),
];
