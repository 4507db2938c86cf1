import type { ActionSet } from '../../../src/model/action.ts';
import { checkAction } from './check.ts';
import { drainAction } from './drain.ts';
import { cancelRebootAction } from './cancel-reboot.ts';
import { limitToCluster } from './in-cluster.ts';
import { rebootAction } from './reboot.ts';
import { resumeAction, undrainAction } from './return.ts';

/** What can be done to nodes through Slurm. */
export const slurmActions: ActionSet = {
  system: 'slurm',
  actions: [
    limitToCluster(resumeAction),
    limitToCluster(checkAction),
    limitToCluster(drainAction),
    limitToCluster(undrainAction),
    limitToCluster(rebootAction),
    limitToCluster(cancelRebootAction),
  ],
};
