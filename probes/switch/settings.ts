import * as z from 'zod';
import type { SiteView } from '../../src/model/site.ts';
import type { HostMention } from '../../src/model/system.ts';

const share = z
  .string()
  .regex(/^(?:100|\d{1,2}(?:\.\d+)?)\s*%$/, { error: 'must be a share of at most 100%, like 50%' });
const address = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9.:-]{0,252}$/, { error: 'must be a host name or an IP address' })
  .refine((text) => !/^[\d.]+$/.test(text) || isIPv4(text), {
    error: 'is no IP address: four numbers of at most 255 each',
  });

/** The matrix has a column for each name: two of one name would be read as one. */
const distinct = (servers: readonly { name: string }[], context: z.RefinementCtx): void => {
  for (const [index, { name }] of servers.entries())
    if (servers.findIndex((one) => one.name === name) < index)
      context.addIssue({
        code: 'custom',
        path: [index, 'name'],
        message: `is "${name}" a second time; each address needs a name of its own`,
      });
};

const isIPv4 = (text: string): boolean => {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);
};

/** The site file's section `switch`. */
export const switchSettings = z.strictObject({
  thresholds: z
    .strictObject({
      /** Bad frames of all frames. */
      critical: z.number().positive().max(1).default(1e-4),
      warning: z.number().positive().max(1).default(1e-7),
    })
    .prefault({}),
  lag: z
    .strictObject({
      /** Of its members that must stay up. */
      keep: share.default('50%'),
      /** Load on the busiest of those that stay. */
      load: share.default('80%'),
    })
    .prefault({}),
  /** How long a shut port waits for `keep`, seconds. */
  hold: z.number().int().min(60).max(600).default(120),
  /** The jumbo matrix: from every host with the role ping-client to these addresses. */
  matrix: z
    .strictObject({
      servers: z
        .array(
          z.strictObject({
            name: address,
            address,
            /** Which host of the site has this address; the one of that name where nothing is said. */
            host: address.optional(),
          }),
        )
        .superRefine(distinct)
        .default([]),
      /** Data bytes of a jumbo ping: 9000 - 20 - 8. */
      jumbo: z.number().int().min(1000).max(16_000).default(8972),
      small: z.number().int().min(8).max(1400).default(56),
      count: z.number().int().min(5).max(200).default(20),
    })
    .prefault({}),
});

/** Hosts that have the matrix' addresses: a name that is none would only make the paths unknown, and nobody would see why. */
export const mentions = (settings: unknown): readonly HostMention[] =>
  switchSettings
    .parse(settings)
    .matrix.servers.flatMap(({ host }, at) =>
      host === undefined ? [] : [{ path: ['matrix', 'servers', at, 'host'], name: host }],
    );

export type SwitchSettings = Omit<z.output<typeof switchSettings>, 'lag'> & {
  lag: { keep: number; load: number };
};

const cache = new WeakMap<SiteView, SwitchSettings>();

/** The settings of a site with its shares as numbers. Throws when the section is invalid: loading checks it. */
export const settingsOf = (site: SiteView): SwitchSettings => {
  const known = cache.get(site);
  if (known) return known;
  const read = switchSettings.parse(site.settings['switch'] ?? {});
  const part = (text: string): number => Number.parseFloat(text) / 100;
  const settings = { ...read, lag: { keep: part(read.lag.keep), load: part(read.lag.load) } };
  cache.set(site, settings);
  return settings;
};
