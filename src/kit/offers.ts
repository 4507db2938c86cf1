import * as z from 'zod';
import type { Action, Plan } from '../model/action.ts';

type Frame = 'action' | 'verb' | 'danger' | 'users' | 'leftOut' | 'parameters' | 'exceeded';

/** A plan with its action's id, verb and danger class; fields that most plans do not use are empty. Of `leftOut` it keeps subject and reason. */
export const planOf = (
  { id, verb, danger, users }: Pick<Action, 'id' | 'verb' | 'danger' | 'users'>,
  {
    leftOut = [],
    ...parts
  }: Omit<Plan, Frame> & Partial<Pick<Plan, 'danger' | 'users' | 'leftOut' | 'parameters' | 'exceeded'>>,
): Plan => ({
  action: id,
  verb,
  danger,
  users,
  parameters: {},
  exceeded: [],
  leftOut: leftOut.map(({ subject, reason }) => ({ subject, reason })),
  ...parts,
});

/** An action that asks for nothing. */
export const noParameters = z.strictObject({});
export type NoParameters = z.infer<typeof noParameters>;

/** A reason or note that an operator types, and that goes into commands and files as it is: nothing in it needs escaping. */
export const plainText = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9 .,:;_/@#+=()-]{1,120}$/, {
    error: '1 to 120 letters, digits, blanks and .,:;_/@#+=()-',
  });
