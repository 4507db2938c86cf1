import { visible } from '../text/safe.ts';
import type { Prepared } from './prepared.ts';
import type { TargetEnd } from './run-batch.ts';

/** One sentence: what is true now, and what to look at. `ends` in the order of the plan's targets; none: not reached. */
export const resultText = (
  plan: Pick<Prepared, 'targets' | 'title'>,
  ends: readonly (TargetEnd | undefined)[],
  stopped: boolean,
): string => {
  const of = (outcome: TargetEnd['outcome']): number => ends.filter((end) => end?.outcome === outcome).length;
  const all = plan.targets.length;
  const parts: string[] = [];
  if (of('done') > 0)
    parts.push(all === 1 ? 'done and verified' : `${of('done')} of ${all} done and verified`);
  if (of('nothing') > 0) parts.push(all === 1 ? 'nothing to do' : `${of('nothing')} were so already`);
  for (const [index, end] of ends.entries()) {
    if (end === undefined || (all > 1 && (end.outcome === 'done' || end.outcome === 'nothing'))) continue;
    const name = plan.targets[index]?.subject.id ?? '';
    const word = end.outcome === 'done' || end.outcome === 'nothing' ? '' : ` ${end.outcome}`;
    parts.push(`${name}${word}: ${end.text}`);
  }
  const missed = ends.filter((end) => end === undefined).length;
  if (missed > 0) parts.push(`${missed} not reached${stopped ? ', stopped by the operator' : ''}`);
  return visible(`${plan.title}: ${parts.join('; ')}`, 2_000);
};
