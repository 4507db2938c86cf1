import { checkActions } from '../../probes/checks/act/actions.ts';
import { glusterActions } from '../../probes/gluster/act/actions.ts';
import { lustreActions } from '../../probes/lustre/act/actions.ts';
import { iperfActions } from '../../probes/iperf/act/actions.ts';
import { nfsActions } from '../../probes/nfs/act/actions.ts';
import { slurmActions } from '../../probes/slurm/act/actions.ts';
import { storageActions } from '../../probes/storage/act/actions.ts';
import { switchActions } from '../../probes/switch/act/actions.ts';
import type { ActionSet } from '../model/action.ts';

/** What can be done, one line a system. Only the worker with remedies and `act` import this. */
export const actionSets: readonly ActionSet[] = [
  slurmActions,
  switchActions,
  glusterActions,
  iperfActions,
  lustreActions,
  nfsActions,
  storageActions,
  checkActions,
];
