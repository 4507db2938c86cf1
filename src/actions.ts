import { glusterActions } from '../probes/gluster/actions.ts';
import { lustreActions } from '../probes/lustre/actions.ts';
import { iperfActions } from '../probes/iperf/actions.ts';
import { slurmActions } from '../probes/slurm/actions.ts';
import { switchActions } from '../probes/switch/actions.ts';
import type { ActionSet } from './model/action.ts';

/** What can be done, one line a system. Only the worker with remedies and `act` import this. */
export const actionSets: readonly ActionSet[] = [
  slurmActions,
  switchActions,
  glusterActions,
  iperfActions,
  lustreActions,
];
