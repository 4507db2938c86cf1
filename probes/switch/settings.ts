import * as z from 'zod';
import { fraction, settingsReader, share } from '../../src/kit/settings.ts';
import type { SiteView } from '../../src/model/site.ts';
import type { HostMention, SectionProblem } from '../../src/model/system.ts';

const address = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9.:-]{0,252}$/, { error: 'must be a host name or an IP address' })
  .refine((text) => !/^[\d.]+$/.test(text) || isIPv4(text), {
    error: 'is no IP address: four numbers of at most 255 each',
  });

/** The matrix has a column for each name: two of one name would be read as one. */
const requireDistinct = (servers: readonly { name: string }[], context: z.RefinementCtx): void => {
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
      critical: z.number().positive().max(1).default(1e-4).describe('critical from this share on'),
      warning: z.number().positive().max(1).default(1e-7).describe('a warning from this share on'),
    })
    .prefault({})
    .describe('bad frames of all frames'),
  lag: z
    .strictObject({
      keep: share('50%').describe('share of its members that must stay up'),
      load: share('80%').describe('load on the busiest of those that stay'),
    })
    .prefault({})
    .describe('when a member of a LAG may be shut'),
  hold: z.number().int().min(60).max(600).default(120).describe('seconds that a shut port waits to be kept'),
  matrix: z
    .strictObject({
      servers: z
        .array(
          z.strictObject({
            name: address.meta({ description: 'its column in the matrix', examples: ['home'] }),
            address: address.meta({ description: 'what is pinged', examples: ['10.1.0.5'] }),
            host: address.optional().meta({
              description:
                'the host of the site that has this address; the one of that name where nothing is said',
              examples: ['nfs1'],
            }),
            from: z
              .string()
              .min(1)
              .optional()
              .meta({
                description:
                  'the clients that ping it, a node set; without it every host with the role ping-client',
                examples: ['login[1-2]'],
              }),
          }),
        )
        .superRefine(requireDistinct)
        .default([])
        .describe('addresses that are pinged'),
      jumbo: z
        .number()
        .int()
        .min(1000)
        .max(16_000)
        .default(8972)
        .describe('data bytes of a jumbo ping: 9000 - 20 - 8'),
      small: z.number().int().min(8).max(1400).default(56).describe('data bytes of a small one'),
      count: z.number().int().min(5).max(200).default(20).describe('pings of each kind'),
    })
    .prefault({})
    .describe('the jumbo matrix: from hosts with the role ping-client to these addresses'),
});

/** Hosts that have the matrix' addresses: a name that is none would only make the paths unknown, and nobody would see why. */
export const mentions = (settings: unknown): readonly HostMention[] =>
  switchSettings
    .parse(settings)
    .matrix.servers.flatMap(({ host }, at) =>
      host === undefined ? [] : [{ path: ['matrix', 'servers', at, 'host'], name: host }],
    );

/** Clients that ping one of several servers: each must be one that pings. */
export const problems = (
  settings: unknown,
  { hosts, expand }: Pick<SiteView, 'hosts' | 'expand'>,
): readonly SectionProblem[] => {
  const clients = new Set(
    hosts.filter(({ roles }) => roles.includes('ping-client')).map(({ name }) => name.toLowerCase()),
  );
  return switchSettings.parse(settings).matrix.servers.flatMap(({ from }, at): SectionProblem[] => {
    if (from === undefined) return [];
    const problem = (text: string): SectionProblem[] => [{ path: ['matrix', 'servers', at, 'from'], text }];
    try {
      const stranger = expand(from).find((name) => !clients.has(name.toLowerCase()));
      return stranger === undefined
        ? []
        : problem(`"${stranger}" does not have the role ping-client, which pings; name clients`);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return problem(`${error.message}; name the clients, since pings load the network`);
    }
  });
};

/** The addresses that a client pings. */
export const serversOf = (site: SiteView, client: string) =>
  settingsOf(site).matrix.servers.filter(
    ({ from }) =>
      from === undefined || site.expand(from).some((name) => name.toLowerCase() === client.toLowerCase()),
  );

/** The settings of a site with its shares as numbers. Throws when the section is invalid: loading checks it. */
export const settingsOf = settingsReader('switch', switchSettings, ({ lag, ...rest }) => ({
  ...rest,
  lag: { keep: fraction(lag.keep), load: fraction(lag.load) },
}));
