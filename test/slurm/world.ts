import { slurmProbes } from '../../probes/slurm/ask/probes.ts';
import { createSlurmSimulator, type SlurmSimulator } from '../../probes/slurm/simulate/index.ts';
import { siteOf } from '../helpers/judging.ts';
import { SimulatedSite } from '../helpers/simulated-site.ts';

/** A simulated cluster. */
export class World extends SimulatedSite<SlurmSimulator> {
  constructor(incident: string, options: { nodes?: number; slurm?: unknown } = {}) {
    const simulator = createSlurmSimulator(options.nodes === undefined ? {} : { nodes: options.nodes });
    const settings = { slurm: options.slurm ?? simulator.settings };
    super(simulator, slurmProbes, siteOf(simulator.hosts, { settings }));
    simulator.start(incident, this.now);
  }

  /** One round of everything that wants to be asked. */
  poll(): Promise<void> {
    return this.round(this.probes);
  }
}
