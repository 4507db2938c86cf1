import * as z from 'zod';
import { memoPer } from '../../src/kit/memo.ts';
import { fraction, pattern, patternOf, settingsReader, shareOf } from '../../src/kit/settings.ts';
import type { SiteView } from '../../src/model/site.ts';

/** What is said of the health check, of all clusters or of one. */
const checkKeys = {
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
    .meta({ description: 'its environment', examples: [{ MARK_OFFLINE: '0' }] }),
  timeout: z
    .number()
    .min(1)
    .max(300)
    .meta({ description: 'seconds until it is given up', examples: [30] }),
  users: z
    .array(z.string())
    .meta({ description: 'who drains nodes for the health check', examples: [['root', 'slurm']] }),
  reasons: z.array(pattern).meta({
    description:
      "regular expressions of the health check's reasons, RE2's: no lookaround, no back-references",
    examples: [['^NHC:']],
  }),
};

const partitionOut = shareOf('20%').meta({
  description: 'share of a partition that may be out of service',
  examples: ['20%'],
});

/** What one cluster has otherwise: each key that stands here goes before the general one. */
const clusterSchema = z.strictObject({
  check: z.strictObject(checkKeys).partial().optional().describe('its health check, key by key'),
  limits: z.strictObject({ partitionOut }).partial().optional().describe('its limits'),
});

/** The site file's section `slurm`. Reading what it gives changes nothing: defaults are filled in once. */
export const slurmSettings = z.strictObject({
  check: z
    .strictObject({
      ...checkKeys,
      env: checkKeys.env.default({}),
      timeout: checkKeys.timeout.default(20),
      users: checkKeys.users.default(['root', 'slurm']),
      reasons: checkKeys.reasons.default(['^NHC:']),
    })
    .prefault({})
    .describe('the health check of the site'),
  limits: z
    .strictObject({ partitionOut: partitionOut.default('20%') })
    .prefault({})
    .describe('from when on there is a finding'),
  watchNodes: z
    .number()
    .int()
    .min(0)
    .default(512)
    .describe('up to how many compute hosts a console keeps a connection to each of them'),
  clusters: z
    .record(z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/), clusterSchema)
    .default({})
    .meta({
      description: 'by ClusterName, what is not as said above; of several clusters in one site file',
      examples: [{ gpu: { check: { command: ['/opt/gpu/nhc'] } } }],
    }),
});

/** The settings of a site with patterns and shares ready for use. */
export const settingsOf = settingsReader(
  'slurm',
  slurmSettings,
  ({ check: { timeout, reasons, ...check }, limits, watchNodes, clusters }) => ({
    check: { ...check, timeoutMs: timeout * 1000, reasons: reasons.map(patternOf) },
    /** Share of a partition that may be out of service, 0..1. */
    partitionOut: fraction(limits.partitionOut),
    watchNodes,
    /** Clusters of which something is said by their names. */
    clusters: Object.keys(clusters),
  }),
);

export type SlurmSettings = ReturnType<typeof settingsOf>;

const sectionOf = memoPer((site: SiteView) => slurmSettings.parse(site.settings['slurm'] ?? {}));

const sitesOf = memoPer((_site: SiteView) => new Map<string, SiteView>());

/**
 * The site with the settings that hold for one cluster. Undefined: its ClusterName was not read, and it may be one of those that have their
 * own; then no health check is known, and no reason is one of a health check's. The same object each time.
 */
export const siteFor = (site: SiteView, cluster: string | undefined): SiteView => {
  const section = sectionOf(site);
  if (Object.keys(section.clusters).length === 0) return site;
  if (cluster !== undefined && !Object.hasOwn(section.clusters, cluster)) return site;
  const kept = sitesOf(site).get(cluster ?? '');
  if (kept) return kept;
  const { command: _command, ...check } = section.check;
  const own = cluster === undefined ? undefined : section.clusters[cluster];
  const slurm = own
    ? { ...section, check: { ...section.check, ...own.check }, limits: { ...section.limits, ...own.limits } }
    : { ...section, check: { ...check, users: [], reasons: [] } };
  const made = { ...site, settings: { ...site.settings, slurm } };
  sitesOf(site).set(cluster ?? '', made);
  return made;
};
