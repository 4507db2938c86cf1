import * as z from 'zod';
import type { Guard, ParameterPrompt, Plan, PlanContext } from '../../../src/model/action.ts';
import { plainText } from '../../../src/kit/offers.ts';
import { failGuard, passGuard } from '../../../src/kit/guards.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { findStillShut } from '../judge/find-not-restored.ts';
import { journalReads } from '../read/journal.ts';
import { findOwnShuts } from '../judge/shut-by-us.ts';

export const takeOverParameters = z.object({
  takeOver: plainText.optional().meta({ description: 'take over from the one who shut it: why' }),
});
export type TakeOver = z.infer<typeof takeOverParameters>;

const OWNERSHIP = '4 ownership';

/** Guard 4, asked for where it is needed: a plan without it would be refused after all was typed. */
export const whyTakeOver: ParameterPrompt = {
  name: 'takeOver',
  label: 'no console of this site is known to have shut it: why take over anyway',
  required: true,
  exceeds: '4',
};

/** Whether it is guard 4 that asks for a reason. */
export const isForeign = (guard: Guard, judgement: Judgement): boolean =>
  guard.id === OWNERSHIP && !guard.check(judgement).ok;

/** Guard 4: what a console of this site shut; anybody else's wants a reason. */
export const ownerOf = (
  { subject, port }: { subject: Subject; port: string },
  { judgement, exceed }: PlanContext,
  takeOver: string | undefined = exceed?.['4'],
): { guard: Guard; because: string; exceeded: Plan['exceeded'] } => {
  const guard: Guard = {
    id: OWNERSHIP,
    text: `a console of this site shut ${port}`,
    reads: journalReads(judgement.site),
    absolute: false,
    check: (live) => {
      const shut = findOwnShuts(live).find((one) => one.port === subject.id);
      // A console may have ended before it could write down that it shut the port; the undo that it armed tells of it all the same.
      const undo = findStillShut(live).find((one) => one.port === subject.id);
      if (shut) return passGuard(`${shut.by} did`);
      return undo
        ? passGuard(`its undo failed on ${undo.host}`)
        : failGuard(
            `no console of this site is known to have shut ${port}; to take over: --set takeOver="why"`,
          );
    },
  };
  const owned = guard.check(judgement);
  return {
    guard,
    because: owned.ok ? `shut by a console: ${owned.text}` : owned.text,
    exceeded: !owned.ok && takeOver !== undefined ? [{ guard: OWNERSHIP, reason: takeOver }] : [],
  };
};
