import type { SiteView } from '../../../src/model/site.ts';
import type { Probe, System } from '../../../src/model/system.ts';
import { memoPer } from '../../../src/kit/memo.ts';
import { settingsOf } from '../settings.ts';
import { countersSchema, type CountersReading } from '../readings.ts';
import { locatePort } from '../ask/sources.ts';
import { exporters, ifMib, nodeExporter, type Exporter } from './exporters.ts';
import { MOST_BYTES, queryOf, scriptOf, SECONDS } from './query.ts';
import { collectedSchema, givenOf, readCollected, type Wanted } from './read.ts';

/** Prometheus scrapes every 15 to 60 s: twice as often asked, a sample is in time before the one before has grown stale. */
const queryEveryMs = 30_000;

/** Older than twice this a sample is stale. */
const sampleEveryMs = 60_000;

/** The hosts that the site file has read from Prometheus, by exporter. */
const wantedOn = memoPer((site: SiteView): readonly Wanted[] => {
  const { switches, nics } = settingsOf(site).prometheus;
  const sets = new Map([
    [ifMib, switches],
    [nodeExporter, nics],
  ]);
  return [...sets].flatMap(([exporter, set]) => {
    const named = new Set(set === undefined ? [] : site.expand(set).map((name) => name.toLowerCase()));
    const hosts = site.hostsWithRole(exporter.role).map(({ name }) => name);
    const own = hosts.filter((name) => named.has(name.toLowerCase()));
    const limitMs = 2 * (site.intervals[exporter.probe] ?? sampleEveryMs);
    return own.length > 0 ? [{ exporter, hosts: own, limitMs }] : [];
  });
});

const prometheusOf = ({ prometheus }: SiteView): NonNullable<SiteView['prometheus']> => {
  if (!prometheus) throw new Error('the site has no prometheus');
  return prometheus;
};

/** The line with the clock before it. */
const CLOCK_BYTES = 100;

const nobody: ReadonlySet<string> = new Set();

/** One question for all ports of all hosts. */
const query = (hosts: ReadonlySet<string>): Probe => ({
  id: 'switch.prometheus',
  role: '*',
  hosts,
  everyMs: queryEveryMs,
  touches: 'nothing',
  // Prometheus may take long over it: nothing else of that host waits.
  mayHang: true,
  deadlineMs: (SECONDS + 5) * 1000,
  when: ({ name }, { site }) => hosts.has(name) && wantedOn(site).length > 0,
  ask: (_host, { site }) => {
    const wanted = wantedOn(site);
    const metrics = wanted.flatMap(({ exporter }) => [...exporter.metrics, ...exporter.deviceMetrics]);
    const seconds = Math.ceil(Math.max(...wanted.map(({ limitMs }) => limitMs)) / 1000);
    const prometheus = prometheusOf(site);
    const script = scriptOf(prometheus, queryOf(metrics, prometheus, seconds));
    return { script, packed: true, maxBytes: MOST_BYTES + CLOCK_BYTES };
  },
  read: (answer, _host, { site, last }) =>
    readCollected(answer, prometheusOf(site), wantedOn(site), site, last?.value),
  schema: collectedSchema,
  gives: givenOf,
});

const given = ({ probe: id, role }: Exporter, hosts: ReadonlySet<string>): Probe<CountersReading> => ({
  id,
  role,
  hosts,
  everyMs: sampleEveryMs,
  touches: 'nothing',
  keep: 3,
  givenBy: 'switch.prometheus',
  when: () => false,
  ask: () => neverAsked(id),
  read: () => neverAsked(id),
  schema: countersSchema,
  locate: (subject, value) => locatePort(subject.id, countersSchema.safeParse(value).data?.ports ?? []),
});

const neverAsked = (id: string): never => {
  throw new Error(`${id} is never asked`);
};

/** As they are before the site is known: they ask nobody. */
export const prometheusProbes: readonly Probe[] = [
  query(nobody),
  ...exporters.map((one) => given(one, nobody)),
];

/** The system on a site: what is read from Prometheus is asked of the machines themselves on demand only, by those who act. */
export const onPrometheus = (system: System, site: SiteView): System => {
  const through = site.prometheus && site.resolve('host', site.prometheus.through)?.id;
  const wanted = wantedOn(site);
  if (through === undefined || wanted.length === 0) return system;
  const own = new Map(
    [query(new Set([through])), ...wanted.map(({ exporter, hosts }) => given(exporter, new Set(hosts)))].map(
      (probe) => [probe.id, probe],
    ),
  );
  return {
    ...system,
    probes: system.probes.map((probe) => {
      const instead = wanted.find(({ exporter }) => exporter.instead.includes(probe.id));
      return instead ? { ...probe, onDemand: new Set(instead.hosts) } : (own.get(probe.id) ?? probe);
    }),
  };
};
