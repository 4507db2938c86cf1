import type { ActionSet } from '../../src/model/action.ts';
import { baselineAction, matrixAction, noteAction, restoreAction } from './action-rest.ts';
import { shutAction } from './action-shut.ts';

/** What can be done to ports, links and paths. */
export const switchActions: ActionSet = {
  system: 'switch',
  actions: [shutAction, restoreAction, noteAction, baselineAction, matrixAction],
};
