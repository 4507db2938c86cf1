import type { Action, Plan } from '../model/action.ts';

type Frame = 'action' | 'verb' | 'danger' | 'leftOut' | 'parameters' | 'exceeded';

/** A plan of an action: its id, verb and danger, and what most plans have nothing of. `leftOut`: what is shown of it. */
export const planOf = (
  { id, verb, danger }: Pick<Action, 'id' | 'verb' | 'danger'>,
  {
    leftOut = [],
    ...parts
  }: Omit<Plan, Frame> & Partial<Pick<Plan, 'danger' | 'leftOut' | 'parameters' | 'exceeded'>>,
): Plan => ({
  action: id,
  verb,
  danger,
  parameters: {},
  exceeded: [],
  leftOut: leftOut.map(({ subject, reason }) => ({ subject, reason })),
  ...parts,
});
