import type { ActionSet } from '../../model/action.ts';
import { parametersProblem } from '../../remedy/parameters.ts';
import { isOfLocks } from '../../remedy/reserved.ts';
import { UsageError } from '../io.ts';
import { requireKnownWord, type ActOptions } from '../options.ts';

interface Found {
  set: ActionSet;
  action: ActionSet['actions'][number];
}

/** What is asked of `act`, as far as it decides whether it may be. */
export interface Asked {
  id: string;
  options: ActOptions;
  set: Readonly<Record<string, string>>;
  isUndo: boolean;
}

/**
 * The action, its settings checked; undefined where only the site file can bring one of this name: then it is known when that is read.
 * Throws UsageError.
 */
export const findEarly = (sets: readonly ActionSet[], asked: Asked): Found | undefined => {
  const isOfSite = sets.some(
    ({ system, onSite }) => onSite !== undefined && asked.id.startsWith(`${system}.`),
  );
  return isOfSite ? undefined : findChecked(sets, asked);
};

/** The action with its settings checked, among those that the site file brings, too. Throws UsageError. */
export const findChecked = (sets: readonly ActionSet[], { id, options, set, isUndo }: Asked): Found => {
  const found = findAction(sets, id);
  const wrong = isUndo ? undoProblem(options) : settingsProblem(found.action, set);
  if (wrong !== undefined) throw new UsageError(wrong);
  return found;
};

/** The action of this name. Throws UsageError with the nearest that there is. */
const findAction = (sets: readonly ActionSet[], id: string): Found => {
  for (const set of sets) {
    const action = set.actions.find((one) => one.id === id);
    if (action) return { set, action };
  }
  const known = sets.flatMap(({ actions }) => actions.map((one) => one.id));
  throw new UsageError(`unknown action ${requireKnownWord('action', id, known)}`);
};

/** What is wrong with the settings; that only a reason is missing is told as it is typed. */
const settingsProblem = (
  action: ActionSet['actions'][number],
  set: Readonly<Record<string, string>>,
): string | undefined => {
  const wantsReason = action.prompts.some(({ name, required }) => name === 'reason' && required);
  return wantsReason && Object.keys(set).length === 0
    ? `${action.id} needs a reason; add --reason TEXT`
    : parametersProblem(action, set);
};

const undoProblem = ({ set, reason, keepIfVerified }: ActOptions): string | undefined =>
  !isOfLocks(set) || reason !== undefined || keepIfVerified
    ? 'an undo puts back what its run changed: it takes no --reason or --keep-if-verified, and no --set but breakLock and exceed12'
    : undefined;
