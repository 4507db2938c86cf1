import { createIperfSimulator } from '../../probes/iperf/simulate/index.ts';
import { createLustreSimulator } from '../../probes/lustre/simulate/index.ts';
import { createGlusterSimulator } from '../../probes/gluster/simulate/index.ts';
import { createNfsSimulator } from '../../probes/nfs/simulate/index.ts';
import { createSlurmSimulator } from '../../probes/slurm/simulate/index.ts';
import { createStorageSimulator } from '../../probes/storage/simulate/index.ts';
import { createSwitchSimulator } from '../../probes/switch/simulate/index.ts';
import type { Simulator } from '../model/simulator.ts';

/** What the demo site is made of, one simulator per system. `nodes`: compute nodes, where not the simulator's own. */
export const createSimulators = ({ nodes }: { nodes?: number } = {}): Simulator[] => [
  createSlurmSimulator(nodes === undefined ? {} : { nodes }),
  createSwitchSimulator(),
  createLustreSimulator(),
  createIperfSimulator(),
  createGlusterSimulator(),
  createNfsSimulator(),
  createStorageSimulator(),
];
