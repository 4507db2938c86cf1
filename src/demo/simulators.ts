import { createIperfSimulator } from '../../probes/iperf/simulate.ts';
import { createLustreSimulator } from '../../probes/lustre/simulate.ts';
import { createGlusterSimulator } from '../../probes/gluster/simulate.ts';
import { createSlurmSimulator } from '../../probes/slurm/simulate.ts';
import { createSwitchSimulator } from '../../probes/switch/simulate.ts';
import type { Simulator } from '../model/simulator.ts';

/** What the demo site is made of, one simulator per system. `nodes`: compute nodes, where not the simulator's own. */
export const createSimulators = ({ nodes }: { nodes?: number } = {}): Simulator[] => [
  createSlurmSimulator(nodes === undefined ? {} : { nodes }),
  createSwitchSimulator(),
  createLustreSimulator(),
  createIperfSimulator(),
  createGlusterSimulator(),
];
