import type { ActionSet } from '../../../src/model/action.ts';
import { checkAction } from './check.ts';
import { drainAction } from './drain.ts';
import { cancelRebootAction } from './cancel-reboot.ts';
import { rebootAction } from './reboot.ts';
import { resumeAction, undrainAction } from './return.ts';

/** What can be done to nodes through Slurm. */
export const slurmActions: ActionSet = {
  system: 'slurm',
  actions: [resumeAction, checkAction, drainAction, undrainAction, rebootAction, cancelRebootAction],
};
