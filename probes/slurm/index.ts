import type { System } from '../../src/model/system.ts';
import { causes } from './causes.ts';
import { detail } from './view/detail.ts';
import { facts, partitionGroups } from './judge/facts.ts';
import { findings } from './judge/findings.ts';
import { slurmProbes } from './ask/probes.ts';
import { slurmSettings } from './settings.ts';
import { tracks } from './judge/track.ts';
import { view } from './view/view.ts';

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
  formerly: { rules: { 'lost-together': 'dependency', 'controller-host': 'dependency' } },
  publishes: ['node.busy', 'node.drained', 'node.rebooting', 'node.off', 'group'],
  factProbes: {
    'node.busy': ['slurm.jobs'],
    'node.off': ['slurm.nodes'],
    // The name of a cluster tells apart partitions that two have.
    group: ['slurm.nodes', 'slurm.config'],
  },
  needs: [],
  facts,
  findings,
  causes,
  track: tracks,
  view,
  detail,
  groups: partitionGroups,
};
