import type { ActionSet } from '../../src/model/action.ts';
import { checkAction } from './action-check.ts';
import { drainAction } from './action-drain.ts';
import { cancelRebootAction } from './action-cancel-reboot.ts';
import { rebootAction } from './action-reboot.ts';
import { resumeAction, undrainAction } from './action-return.ts';

/** What can be done to nodes through Slurm. */
export const slurmActions: ActionSet = {
  system: 'slurm',
  actions: [resumeAction, checkAction, drainAction, undrainAction, rebootAction, cancelRebootAction],
};
