import type { Danger } from '../model/action.ts';

/** Sets up to this size go strictly one by one. */
const SIZE = 25;

/**
 * Guard 7: one by one; a large set of a reversible action goes the first alone, then in batches of 25. What is in a batch is
 * still checked, sent and verified target by target; only the readings are shared.
 */
export const batchesOf = <T>(targets: readonly T[], danger: Danger): readonly (readonly T[])[] => {
  if (danger !== 'reversible' || targets.length <= SIZE) return targets.map((target) => [target]);
  const batches: (readonly T[])[] = [targets.slice(0, 1)];
  for (let at = 1; at < targets.length; at += SIZE) batches.push(targets.slice(at, at + SIZE));
  return batches;
};
