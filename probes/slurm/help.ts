import type { CommandHelp } from '../../src/model/system.ts';

export const slurmHelp: CommandHelp = {
  status: ['faultline status --system slurm'],
  act: [
    ['slurm.drain', 'node12 --reason "bad DIMM" --dry-run'],
    ['slurm.resume', 'node12 node13 --confirm y'],
  ],
  parse: ['sinfo --json | faultline parse slurm.nodes'],
  format: 'slurm.nodes',
};
