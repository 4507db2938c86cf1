import { glusterHelp } from '../../probes/gluster/command-help.ts';
import { iperfHelp } from '../../probes/iperf/command-help.ts';
import { lustreHelp } from '../../probes/lustre/command-help.ts';
import { slurmHelp } from '../../probes/slurm/command-help.ts';
import { switchHelp } from '../../probes/switch/command-help.ts';
import type { CommandHelp } from '../model/system.ts';

/** What `--help` says of the systems, one line a system. */
export const commandHelp: readonly CommandHelp[] = [
  slurmHelp,
  switchHelp,
  glusterHelp,
  lustreHelp,
  iperfHelp,
];
