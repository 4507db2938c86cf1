import { glusterHelp } from '../../probes/gluster/help.ts';
import { slurmHelp } from '../../probes/slurm/help.ts';
import { switchHelp } from '../../probes/switch/help.ts';
import type { CommandHelp } from '../model/system.ts';

/** What `--help` says of the systems, one line a system. */
export const commandHelp: readonly CommandHelp[] = [
  slurmHelp,
  switchHelp,
  glusterHelp,
  { format: 'lustre.df' },
  { format: 'iperf.result' },
];
