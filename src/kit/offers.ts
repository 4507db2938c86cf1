import type { Action, Plan } from '../model/action.ts';

type Frame = 'action' | 'verb' | 'danger' | 'leftOut' | 'parameters' | 'exceeded';

/** A plan with its action's id, verb and danger class; fields that most plans do not use are empty. Of `leftOut` it keeps subject and reason. */
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
