import * as z from 'zod';
import type { Knowledge } from '../../src/site/schema.ts';

/** A system as the site file knows it, small enough to read here. */
export const knowledge: Knowledge = {
  systems: [
    {
      id: 'slurm',
      title: 'Slurm',
      groups: () => new Map(),
      roles: ['slurm-controller', 'compute'],
      probes: [
        { id: 'slurm.nodes', role: 'slurm-controller', touches: 'nothing' },
        { id: 'slurm.health', role: 'compute', touches: 'nothing' },
      ],
      settings: z.strictObject({
        check: z
          .strictObject({
            command: z.array(z.string()).min(1),
            env: z.record(z.string(), z.string()).default({}),
          })
          .optional(),
        limits: z.strictObject({ partitionOut: z.string().default('20%') }).prefault({}),
      }),
    },
    {
      id: 'gluster',
      title: 'Gluster',
      roles: ['gluster', 'switch', 'lustre-mds', 'lustre-oss', 'lustre-client', 'iperf', 'ping-client'],
      probes: [{ id: 'gluster.flood', role: 'gluster', touches: 'traffic' }],
      // Not strict: zod drops unknown keys here without a word.
      settings: z.object({ limits: z.object({ lockAge: z.string().optional() }).optional() }),
    },
  ],
  rules: ['behind-switch', 'bad-link'],
};
