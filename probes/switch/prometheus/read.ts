import * as z from 'zod';
import type { Answer } from '../../../src/model/answer.ts';
import { CommandFailed, NotThisFormat } from '../../../src/model/errors.ts';
import type { PrometheusOf, SiteView } from '../../../src/model/site.ts';
import type { Given } from '../../../src/model/system.ts';
import type { SafeData } from '../../../src/text/safe.ts';
import { age } from '../../../src/text/ages.ts';
import { count } from '../../../src/text/units.ts';
import { isPhysical, portOf } from '../read/port-states.ts';
import type { CountersReading, Port } from '../readings.ts';
import type { Exporter } from './exporters.ts';
import { documentIn } from './http-answer.ts';
import { seriesIn } from './series.ts';
import { portsAt, targetsIn, type Target } from './targets.ts';

/** Samples that come with one answer: two make a rate. */
const SAMPLES = 2;

/** Seconds are what the clock of the host that asks is read in, and it may be a little behind that of Prometheus. In ms. */
const AHEAD_MS = 5000;

/** Instances that no host of the site is called by: so many are named. */
const NAMED = 5;

/** What Prometheus says of one host, or why that is nothing. */
const givenSchema = z.object({
  probe: z.string(),
  host: z.string(),
  samples: z
    .array(
      z.object({
        /** UTC ms by Prometheus' clock. */
        at: z.number(),
        ageMs: z.number(),
        notUnderstood: z.number(),
        /** Checked by the schema of the probe that it is given to. */
        value: z.custom<CountersReading>(),
      }),
    )
    .optional(),
  why: z.object({ what: z.string(), next: z.string() }).optional(),
});

export const collectedSchema = z.object({
  given: z.array(givenSchema),
  /** Values of the label that no host of the site is called by, the first of them. */
  strangers: z.array(z.string()),
});
export type Collected = z.infer<typeof collectedSchema>;

/** Whom to look for, and how old a sample may be. */
export interface Wanted {
  exporter: Exporter;
  hosts: readonly string[];
  limitMs: number;
}

/** The answer, dealt out to the hosts that are to be found in it. */
export const readCollected = (
  answer: Answer,
  prometheus: PrometheusOf,
  wanted: readonly Wanted[],
  site: SiteView,
  last?: SafeData,
): { value: Collected; notUnderstood: number } => {
  const { body, askedAt } = documentIn(answer, prometheus);
  const { series, notUnderstood } = seriesOf(body, prometheus);
  const { targets, notUnderstood: others } = targetsIn(series);
  const byHost = new Map<string, Target[]>();
  const strangers = new Set<string>();
  for (const target of targets) {
    const instance = target.labels[prometheus.label];
    const host = instance === undefined ? undefined : site.resolve('host', withoutPort(instance))?.id;
    if (host === undefined) strangers.add(instance ?? `(no label ${prometheus.label})`);
    else {
      const key = `${target.exporter.probe} ${host}`;
      byHost.set(key, [...(byHost.get(key) ?? []), target]);
    }
  }
  const known = samplesIn(last);
  const given = wanted.flatMap(({ exporter, hosts, limitMs }) =>
    hosts.map((host): Collected['given'][number] => {
      const own = byHost.get(`${exporter.probe} ${host}`) ?? [];
      const from = { exporter, host, limitMs, askedAt, prometheus, site, strangers, known };
      return { probe: exporter.probe, host, ...samplesOf(own, from) };
    }),
  );
  return {
    value: { given, strangers: [...strangers].slice(0, NAMED) },
    notUnderstood: notUnderstood + others,
  };
};

/** What a sample was read as by the last answer: it is told twice and more, and read once. */
const samplesIn = (last: SafeData | undefined) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a reading of this probe, which its own schema checked
  const given = last === undefined ? [] : (last as unknown as Collected).given;
  const byHost = new Map(given.map((one) => [`${one.probe} ${one.host}`, one.samples ?? []]));
  return (probe: string, host: string, at: number) => {
    const found = byHost.get(`${probe} ${host}`)?.find((one) => one.at === at);
    return found && { value: found.value, notUnderstood: found.notUnderstood };
  };
};

/** What Prometheus refuses is told with its address. */
const seriesOf = (body: string, { url }: PrometheusOf): ReturnType<typeof seriesIn> => {
  try {
    return seriesIn(body);
  } catch (cause) {
    if (!(cause instanceof CommandFailed || cause instanceof NotThisFormat)) throw cause;
    const code = cause instanceof CommandFailed ? cause.code : 'notPrometheus';
    throw new CommandFailed(code, `Prometheus at ${url}: ${cause.message}`, { cause });
  }
};

const withoutPort = (instance: string): string => instance.replace(/^\[?([^\]]*?)\]?(?::\d{1,5})?$/, '$1');

interface From {
  exporter: Exporter;
  host: string;
  limitMs: number;
  askedAt: number;
  prometheus: PrometheusOf;
  site: SiteView;
  strangers: ReadonlySet<string>;
  known: ReturnType<typeof samplesIn>;
}

type Said = Pick<Collected['given'][number], 'samples' | 'why'>;

/** The newest samples of the one target that a host has, the older one first. */
const samplesOf = ([target, ...others]: readonly Target[], from: From): Said => {
  const { exporter, askedAt, limitMs, host, prometheus } = from;
  if (!target) return { why: whyAbsent(from) };
  if (others.length > 0) return { why: whyTwice([target, ...others], from) };
  const scrapes = target.scrapes.slice(0, SAMPLES);
  const newest = scrapes[0] ?? 0;
  if (newest - askedAt > AHEAD_MS)
    return {
      why: {
        what: `its sample is ${age(newest - askedAt)} ahead of the clock of ${prometheus.through}`,
        next: 'set the clock of Prometheus by NTP',
      },
    };
  if (askedAt - newest > limitMs) return { why: whyOld(askedAt - newest, from) };
  const samples = scrapes.toReversed().map((at) => ({
    at,
    ageMs: Math.max(0, askedAt - at),
    ...(from.known(exporter.probe, host, at) ?? countersAt(target, at, host, from.site)),
  }));
  return samples.at(-1)?.value.ports.length === 0
    ? {
        why: {
          what: `none of its ports in Prometheus can be told by a name`,
          next: `let ${exporter.title} look up ${exporter.portLabels[1]}`,
        },
      }
    : { samples };
};

/** The reading that the device itself would give. Ports without a name, or with one that stands twice, are not understood. */
const countersAt = (
  target: Target,
  scrape: number,
  host: string,
  site: SiteView,
): { value: { ports: Port[] }; notUnderstood: number } => {
  const { exporter } = target;
  const { samples, twice } = portsAt(target, scrape);
  const ports = new Map<string, Port>();
  const doubtful = new Set<string>();
  let nameless = 0;
  for (const sample of samples) {
    const name = exporter.nameOf(sample);
    const port = portOf(site, host, name);
    if (name === undefined || port === undefined) nameless += 1;
    else if (isPhysical(port)) {
      if (ports.has(port)) doubtful.add(port);
      ports.set(port, { port, name, ...exporter.read(sample) });
    }
  }
  for (const port of doubtful) ports.delete(port);
  return { value: { ports: [...ports.values()] }, notUnderstood: twice + doubtful.size + nameless };
};

const whyAbsent = ({
  exporter,
  host,
  limitMs,
  prometheus,
  strangers,
}: From): { what: string; next: string } => {
  const unknown = [...strangers];
  const named = unknown.slice(0, 2).map((one) => one.slice(0, 60));
  const rest = unknown.length > named.length ? ` and ${unknown.length - named.length} more` : '';
  return {
    what: `Prometheus has no sample of it by ${exporter.title} within ${age(limitMs)}`,
    next:
      unknown.length > 0
        ? `is it one of ${named.join(', ')}${rest}, which no host here is called? See prometheus.label`
        : `is it scraped, with ${prometheus.label}="${host}"? See ${prometheus.url}/targets`,
  };
};

const whyOld = (ageMs: number, { limitMs, prometheus }: From): { what: string; next: string } => ({
  what: `the last sample that Prometheus has of it is ${age(ageMs)} old`,
  next: `is it scraped more often than every ${age(limitMs / 2)}, and does that go well? See ${prometheus.url}/targets`,
});

/** Two targets for one host: which of them is right nobody knows, and their scrapes would take turns. */
const whyTwice = (targets: readonly Target[], { prometheus }: From): { what: string; next: string } => {
  const names = [...new Set(targets.flatMap(({ labels }) => Object.keys(labels)))];
  const valuesOf = (name: string): string[] => [
    ...new Set(targets.flatMap(({ labels }) => labels[name]?.slice(0, 60) ?? [])),
  ];
  const isTelling = (name: string): boolean => new Set(targets.map(({ labels }) => labels[name])).size > 1;
  const differing = names.find((name) => name !== prometheus.label && isTelling(name));
  const by = differing ?? prometheus.label;
  const some = targets.some(({ labels }) => labels[by] === undefined) ? ['not there'] : [];
  return {
    what: `Prometheus has ${count(targets.length, 'target')} for it: ${by} is ${[...valuesOf(by).slice(0, 3), ...some].join(', ')}`,
    next:
      differing === undefined
        ? 'scrape it once'
        : `choose one by prometheus.match: {${differing}: ${valuesOf(differing)[0] ?? ''}}`,
  };
};

/** What the reading gives the hosts. */
export const givenOf = (value: SafeData): readonly Given[] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its own schema checked it
  (value as unknown as Collected).given.map(({ probe, host, samples, why }): Given =>
    samples
      ? {
          probe,
          host,
          samples: samples.map(({ at, ageMs, notUnderstood, value: counters }) => ({
            sample: { by: 'Prometheus', at },
            ageMs,
            notUnderstood,
            value: counters,
          })),
        }
      : { probe, host, why: why ?? { what: 'nothing is said of it' } },
  );
