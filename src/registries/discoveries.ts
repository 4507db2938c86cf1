import { glusterDiscovery } from '../../probes/gluster/discover.ts';
import { iperfDiscovery } from '../../probes/iperf/index.ts';
import { lustreDiscovery } from '../../probes/lustre/discover.ts';
import { nfsDiscovery } from '../../probes/nfs/discover.ts';
import { slurmDiscovery } from '../../probes/slurm/discover.ts';
import { switchDiscovery } from '../../probes/switch/discover.ts';
import type { Discovery } from '../model/discover.ts';

/** How the systems are found on machines that no site file describes, one line a system. Only `faultline init` imports this, and the page of rights, which tells what it tries. */
export const discoveries: readonly Discovery[] = [
  slurmDiscovery,
  switchDiscovery,
  glusterDiscovery,
  lustreDiscovery,
  nfsDiscovery,
  iperfDiscovery,
];
