import * as z from 'zod';
import { fraction, pattern, patternOf, settingsReader, share } from '../../src/kit/settings.ts';

/** The site file's section `slurm`. Reading what it gives changes nothing: defaults are filled in once. */
export const slurmSettings = z.strictObject({
  check: z
    .strictObject({
      command: z
        .array(z.string().min(1))
        .min(1)
        .optional()
        .meta({
          description:
            'what proves that a node is fit for jobs; must not change anything. Never the HealthCheckProgram itself, which drains nodes',
          examples: [['/usr/sbin/nhc']],
        }),
      env: z
        .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string())
        .default({})
        .meta({ description: 'its environment', examples: [{ MARK_OFFLINE: '0' }] }),
      timeout: z.number().min(1).max(300).default(20).describe('seconds until it is given up'),
      users: z.array(z.string()).default(['root', 'slurm']).describe('who drains nodes for the health check'),
      reasons: z
        .array(pattern)
        .default(['^NHC:'])
        .describe(
          "regular expressions of the health check's reasons, RE2's: no lookaround, no back-references",
        ),
    })
    .prefault({})
    .describe('the health check of the site'),
  limits: z
    .strictObject({ partitionOut: share('20%').describe('share of a partition that may be out of service') })
    .prefault({})
    .describe('from when on there is a finding'),
  watchNodes: z
    .number()
    .int()
    .min(0)
    .default(512)
    .describe('up to how many compute hosts a console keeps a connection to each of them'),
});

/** The settings of a site with patterns and shares ready for use. */
export const settingsOf = settingsReader(
  'slurm',
  slurmSettings,
  ({ check: { timeout, reasons, ...check }, limits, watchNodes }) => ({
    check: { ...check, timeoutMs: timeout * 1000, reasons: reasons.map(patternOf) },
    /** Share of a partition that may be out of service, 0..1. */
    partitionOut: fraction(limits.partitionOut),
    watchNodes,
  }),
);

export type SlurmSettings = ReturnType<typeof settingsOf>;
