import type { Outcome } from '../model/action.ts';

/** Worst first (design.md section 5: the worst of several counts). */
const ranks: readonly Outcome[] = ['unknown', 'failed', 'undone', 'refused', 'done', 'nothing'];

/** The worst of several; of none `nothing`. */
export const worst = (outcomes: Iterable<Outcome>): Outcome => {
  const all = new Set(outcomes);
  return ranks.find((outcome) => all.has(outcome)) ?? 'nothing';
};

/** Exit code of `faultline act` for an outcome. */
export const exitCodeOf = (outcome: Outcome): number =>
  ({ done: 0, nothing: 0, refused: 4, failed: 5, undone: 5, unknown: 6 })[outcome];
