import type { System } from '../../src/model/system.ts';
import { causes } from './causes.ts';
import { detail } from './detail.ts';
import { facts } from './facts.ts';
import { findings } from './findings.ts';
import { slurmProbes } from './probes.ts';
import { slurmSettings } from './settings.ts';
import { tracks } from './track.ts';
import { view } from './view.ts';

/** Slurm: nodes out of service and why, the controller's health, partitions, jobs in the way. */
export const slurm: System = {
  id: 'slurm',
  title: 'Slurm',
  roles: ['slurm-controller', 'compute'],
  settings: slurmSettings,
  tools: {
    'slurm-controller': {
      commands: ['scontrol', 'sinfo', 'squeue', 'sdiag'],
      version: ['scontrol', '--version'],
    },
  },
  probes: slurmProbes,
  publishes: ['node.busy', 'node.drained', 'node.rebooting'],
  factProbes: { 'node.busy': ['slurm.jobs'] },
  needs: [],
  facts,
  findings,
  causes,
  track: tracks,
  view,
  detail,
};
