import type { ActionSet } from '../../src/model/action.ts';
import { matrixAction } from './action-matrix.ts';
import { baselineAction, noteAction } from './action-note.ts';
import { restoreAction } from './action-restore.ts';
import { shutAction } from './action-shut.ts';

/** What can be done to ports, links and paths. */
export const switchActions: ActionSet = {
  system: 'switch',
  actions: [shutAction, restoreAction, noteAction, baselineAction, matrixAction],
};
