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
  prometheus: z
    .strictObject({
      switches: z
        .string()
        .min(1)
        .optional()
        .meta({
          description: "a node set: their ports by snmp_exporter's if_mib",
          examples: ['sw[1-100]'],
        }),
      nics: z
        .string()
        .min(1)
        .optional()
        .meta({ description: 'a node set: their NICs by node_exporter', examples: ['node[1-200]'] }),
    })
    .prefault({})
    .describe('hosts whose counters come from the Prometheus of the site, not from themselves'),
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

/** Sets of hosts, each of which must have the role for which it is named: what is named in vain is read by nobody. */
export const problems = (
  settings: unknown,
  site: Pick<SiteView, 'hosts' | 'expand' | 'prometheus'>,
): readonly SectionProblem[] => {
  const { matrix, prometheus } = switchSettings.parse(settings);
  const pings = {
    role: 'ping-client',
    what: 'which pings; name clients',
    why: 'name the clients, since pings load the network',
  };
  const sets = [
    ...matrix.servers.map(({ from }, at) => ({
      ...pings,
      set: from,
      path: ['matrix', 'servers', at, 'from'],
    })),
    ...(['switches', 'nics'] as const).map((key) => ({
      set: prometheus[key],
      path: ['prometheus', key],
      role: key === 'switches' ? 'switch' : 'nic',
      what: 'whose counters it is about; name such hosts',
      why: 'name the hosts that Prometheus scrapes',
    })),
  ];
  const isAsked = prometheus.switches !== undefined || prometheus.nics !== undefined;
  const text = 'there is no Prometheus to read from; write "prometheus: {url, through}" at the top';
  return [
    ...(isAsked && site.prometheus === undefined ? [{ path: ['prometheus'], text }] : []),
    ...sets.flatMap((one) => setProblems(one, site)),
  ];
};

const setProblems = (
  {
    set,
    path,
    role,
    what,
    why,
  }: { set: string | undefined; path: (string | number)[]; role: string; what: string; why: string },
  { hosts, expand }: Pick<SiteView, 'hosts' | 'expand'>,
): SectionProblem[] => {
  if (set === undefined) return [];
  const able = new Set(
    hosts.filter(({ roles }) => roles.includes(role)).map(({ name }) => name.toLowerCase()),
  );
  try {
    const stranger = expand(set).find((name) => !able.has(name.toLowerCase()));
    return stranger === undefined
      ? []
      : [{ path, text: `"${stranger}" does not have the role ${role}, ${what}` }];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [{ path, text: `${error.message}; ${why}` }];
  }
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
