import { checks } from '../../probes/checks/index.ts';
import { hosts } from '../../probes/hosts/index.ts';
import { iperf } from '../../probes/iperf/index.ts';
import { lustre } from '../../probes/lustre/index.ts';
import { gluster } from '../../probes/gluster/index.ts';
import { nfs } from '../../probes/nfs/index.ts';
import { slurm } from '../../probes/slurm/index.ts';
import { storage } from '../../probes/storage/index.ts';
import { switches } from '../../probes/switch/index.ts';
import type { System } from '../model/system.ts';

/** The systems that operators look after, in the order of their panes: one line each. */
export const systems: readonly System[] = [
  slurm,
  switches,
  gluster,
  lustre,
  iperf,
  hosts,
  nfs,
  storage,
  checks,
];
