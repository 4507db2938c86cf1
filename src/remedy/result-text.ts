import type { Outcome } from '../model/action.ts';
import { makeSafe } from '../text/safe.ts';
import type { Prepared } from './prepared.ts';
import type { TargetEnd } from './run-context.ts';

/** Exit code of `faultline act` for an outcome. */
export const exitCodeOf = (outcome: Outcome): number =>
  ({ done: 0, nothing: 0, refused: 4, failed: 5, undone: 5, unknown: 6 })[outcome];

const words: Readonly<Record<Outcome, string>> = {
  done: 'done and verified',
  nothing: 'nothing to do',
  undone: 'undone',
  failed: 'failed',
  refused: 'refused',
  unknown: 'outcome unknown',
};

/** In place of "done" where what was wanted is under way and not over. */
const BEGUN = 'begun, not finished';

/** So many of those that are begun are named. */
const NAMED = 3;

/** One sentence: what is true now, and what to look at. `ends` in the order of the plan's targets; none: not reached. */
export const resultText = (
  plan: Pick<Prepared, 'targets' | 'title' | 'leftOut'>,
  ends: readonly (TargetEnd | undefined)[],
  stopped: boolean,
  remarks: readonly string[] = [],
): string => {
  const missed = ends.filter((end) => end === undefined).length;
  const said = [
    ...(ends.length === 1 ? [] : goodOnes(plan, ends)),
    ...ends.flatMap((end, index) => {
      if (end === undefined) return [];
      if (ends.length === 1) return [`${end.goesOn === undefined ? words[end.outcome] : BEGUN}: ${end.text}`];
      const bad = end.outcome !== 'done' && end.outcome !== 'nothing';
      return bad ? [`${plan.targets[index]?.subject.id ?? ''} ${words[end.outcome]}: ${end.text}`] : [];
    }),
    ...(missed > 0 ? [`${missed} not reached${stopped ? ', stopped by the operator' : ''}`] : []),
    ...(ends.some((end) => end?.outcome === 'unknown') ? [again] : []),
    ...(plan.leftOut.length > 0 ? [`${plan.leftOut.length} left out`] : []),
    ...new Set(remarks),
  ];
  return makeSafe(`${plan.title}: ${said.join('; ')}`, 2_000);
};

/** Nobody has to remember it. */
const again = 'unknown outcomes are read again, by an open console or the next act, until they are known';

const goodOnes = (
  { targets }: Pick<Prepared, 'targets'>,
  ends: readonly (TargetEnd | undefined)[],
): string[] => {
  const begun = ends.flatMap((end, index) =>
    end?.goesOn === undefined ? [] : [`${targets[index]?.subject.id ?? ''}: ${end.goesOn}`],
  );
  const done = ends.filter((end) => end?.outcome === 'done').length - begun.length;
  const nothing = ends.filter((end) => end?.outcome === 'nothing').length;
  return [
    ...(done > 0 ? [`${done} of ${ends.length} done and verified`] : []),
    ...(begun.length > 0
      ? [
          `${begun.length} of ${ends.length} ${BEGUN} (${begun.slice(0, NAMED).join(', ')}${begun.length > NAMED ? ` and ${begun.length - NAMED} more` : ''})`,
        ]
      : []),
    ...(nothing > 0 ? [`${nothing} of ${ends.length} already in that state`] : []),
  ];
};
