import * as z from 'zod';
import type { SiteView } from '../../src/model/site.ts';

const pattern = z.string().refine(isPattern, { error: 'not a regular expression' });

function isPattern(source: string): boolean {
  try {
    return new RegExp(source).source !== '';
  } catch {
    return false;
  }
}

/** `20%` or `20 %`. */
const share = z
  .string()
  .regex(/^(?:100|\d{1,2}(?:\.\d+)?)\s*%$/, { error: 'must be a share of at most 100%, like 20%' });

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
  limits: z.strictObject({ partitionOut: share.default('20%') }).prefault({}),
  /** Up to how many compute hosts this console keeps a connection to each of them. */
  watchNodes: z.number().int().min(0).default(512),
});

export interface SlurmSettings {
  check: {
    command?: readonly string[];
    env: Readonly<Record<string, string>>;
    timeoutMs: number;
    users: readonly string[];
    reasons: readonly RegExp[];
  };
  /** Share of a partition that may be out of service, 0..1. */
  partitionOut: number;
  watchNodes: number;
}

const cache = new WeakMap<SiteView, SlurmSettings>();

/** The settings of a site with patterns and shares ready for use. Throws when the section is invalid: loading checks it. */
export const settingsOf = (site: SiteView): SlurmSettings => {
  const known = cache.get(site);
  if (known) return known;
  const { check, limits, watchNodes } = slurmSettings.parse(site.settings['slurm'] ?? {});
  const settings: SlurmSettings = {
    check: {
      ...(check.command && { command: check.command }),
      env: check.env,
      timeoutMs: check.timeout * 1000,
      users: check.users,
      reasons: check.reasons.map((source) => new RegExp(source)),
    },
    partitionOut: Number.parseFloat(limits.partitionOut) / 100,
    watchNodes,
  };
  cache.set(site, settings);
  return settings;
};
