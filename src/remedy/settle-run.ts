import { type LoggedAction, isOpen } from '../audit/logged-actions.ts';
import { age } from '../text/ages.ts';
import type { Settled } from './lock-verdict.ts';
import type { EngineParts } from './parts.ts';
import { longestRunMs } from './recover.ts';

/**
 * Whether all that a run had begun is known, so that its lock protects nothing any more (guards 12 and 15). Only for a run whose
 * console has ended. `look` reads again what came of an item and writes it down, or gives why it is not known; without it what is open
 * stays so.
 */
export const settleRun = async (
  parts: Pick<EngineParts, 'clock'>,
  run: string,
  all: readonly LoggedAction[],
  look?: (one: LoggedAction) => Promise<{ outcome: string } | { unknown: string }>,
): Promise<Settled> => {
  const begun = all.filter((one) => one.run === run);
  if (begun.length === 0) return { state: 'settled', text: `its run ${run} had begun nothing` };
  for (const one of begun) {
    // What is armed may fire whatever was written of its end, unless it was kept.
    const armed = one.detail.hold !== undefined && one.outcome !== 'done';
    const left = armed || isOpen(one) ? longestRunMs(parts, one) : 0;
    if (left > 0)
      return {
        state: 'wait',
        text: `what it began on ${one.subject.id} may go on${armed ? ', or be undone,' : ''} for ${age(left)}: wait`,
      };
  }
  const ends: string[] = [];
  for (const one of begun) {
    if (!isOpen(one)) {
      ends.push(`${one.subject.id} ${one.outcome ?? 'only read'}`);
      continue;
    }
    const now = (await look?.(one)) ?? { unknown: `outcome unknown on ${one.subject.id}` };
    if ('unknown' in now) return { state: 'unsettled', text: now.unknown };
    ends.push(`${one.subject.id} ${now.outcome} (read again now)`);
  }
  return { state: 'settled', text: `what its run ${run} had begun is known: ${ends.join(', ')}` };
};
