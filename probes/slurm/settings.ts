import * as z from 'zod';
import { fraction, pattern, patternOf, settingsReader, share } from '../../src/kit/settings.ts';

/** The site file's section `slurm`. Reading what it gives changes nothing: defaults are filled in once. */
export const slurmSettings = z.strictObject({
  check: z
    .strictObject({
      /** The site's own check without side effects; never the HealthCheckProgram itself, which drains nodes. */
      command: z.array(z.string().min(1)).min(1).optional(),
      env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string()).default({}),
      /** Seconds. */
      timeout: z.number().min(1).max(300).default(20),
      users: z.array(z.string()).default(['root', 'slurm']),
      reasons: z.array(pattern).default(['^NHC:']),
    })
    .prefault({}),
  limits: z.strictObject({ partitionOut: share('20%') }).prefault({}),
  /** Up to how many compute hosts this console keeps a connection to each of them. */
  watchNodes: z.number().int().min(0).default(512),
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
