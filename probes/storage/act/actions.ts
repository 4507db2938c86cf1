import type { ActionSet } from '../../../src/model/action.ts';
import { failRemoveAction } from './fail-remove.ts';
import { readdAction } from './re-add.ts';

/** What can be done about arrays of md from here, mildest first. */
export const storageActions: ActionSet = {
  system: 'storage',
  actions: [readdAction, failRemoveAction],
  asRoot: { storage: ['mdadm /dev/* --re-add *', 'mdadm /dev/* --fail *', 'mdadm /dev/* --remove *'] },
};
