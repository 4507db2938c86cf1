import * as z from 'zod';
import type { PlanContext, Refusal, Step, WayBack } from '../../../src/model/action.ts';
import type { SiteView } from '../../../src/model/site.ts';
import type { Subject } from '../../../src/model/subject.ts';
import { refuseEmpty, refusal } from '../../../src/kit/guards.ts';
import { chooseOsts, type Import, ospName, setSteps, type Target } from './targets.ts';

/** OST_MAX_PRECREATE of Lustre: what max_create_count holds at most, and by default. */
export const mostCreates = 20_000;

const value = z
  .object({
    mdt: z.string(),
    name: z.enum(['active', 'max_create_count']),
    value: z.int().min(0).max(mostCreates),
  })
  .refine(({ name, value: number }) => name !== 'active' || number <= 1);

/** A parameter of an OST's import on one MDT, with the value that an undo gives it again. */
export type OldValue = z.infer<typeof value>;

/** These values set again, on the hosts that hold the MDTs now. */
export const setAgain = (
  site: SiteView,
  imports: readonly Pick<Import, 'mdt' | 'host' | 'osp'>[],
  old: readonly OldValue[],
): readonly Step[] =>
  setSteps(
    site,
    old.flatMap(({ mdt, name, value }) =>
      imports
        .filter((one) => one.mdt === mdt)
        .map(({ host, osp }) => ({ host, name: `${ospName(osp)}.${name}`, value })),
    ),
  );

/** The way back from what a run wrote down; where it wrote nothing down, from what `otherwise` stands for it. */
export const makeWayBack = (
  subject: Subject,
  was: unknown,
  context: PlanContext,
  otherwise: (target: Target) => readonly OldValue[],
): WayBack | Refusal => {
  const { targets, leftOut } = chooseOsts([subject], context);
  const [target] = targets;
  if (!target) return refuseEmpty(leftOut);
  const known = z.array(value).min(1).safeParse(was).data;
  const old = known ?? otherwise(target);
  const gone = old.find(({ mdt }) => !target.imports.some((one) => one.mdt === mdt));
  if (gone) return refusal('3 preconditions', `${subject.id} has no import on ${gone.mdt} any more`);
  return {
    steps: setAgain(context.judgement.site, target.imports, old),
    ...(known === undefined && {
      because: [
        `its old values were not recorded; set instead: ${old.map(({ mdt, name, value }) => `${mdt} ${name}=${value}`).join(', ')}`,
      ],
    }),
  };
};
