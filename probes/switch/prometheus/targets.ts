import { exporters, type Exporter, type PortSample } from './exporters.ts';
import type { Series } from './series.ts';

/** What Prometheus scrapes as one: all series that only their port and metric tell apart. */
export interface Target {
  exporter: Exporter;
  /** Of one of its series: job, instance, and what the site adds. */
  labels: Readonly<Record<string, string>>;
  /** When it was scraped, UTC ms, the newest first. */
  scrapes: readonly number[];
  series: readonly Series[];
}

const exporterOf: ReadonlyMap<string, Exporter> = new Map(
  exporters.flatMap((one) => [...one.metrics, ...one.deviceMetrics].map((metric) => [metric, one] as const)),
);

const notOfTargets: ReadonlyMap<Exporter, ReadonlySet<string>> = new Map(
  exporters.map((one) => [one, new Set(['__name__', ...one.portLabels])]),
);

/** What tells a series' target from others. Prometheus gives labels in the order of their names, the same for all series. */
const keyOf = (labels: Series['labels'], not: ReadonlySet<string>): string => {
  let key = '';
  for (const name in labels) if (!not.has(name)) key += `${name}\n${labels[name]}\n`;
  return key;
};

/** The targets of all series; those of metrics that were not asked for are counted. */
export const targetsIn = (
  series: readonly Series[],
): { targets: readonly Target[]; notUnderstood: number } => {
  const found = new Map<Exporter, Map<string, Series[]>>(exporters.map((one) => [one, new Map()]));
  let notUnderstood = 0;
  for (const one of series) {
    const exporter = exporterOf.get(one.labels['__name__'] ?? '');
    const byKey = exporter && found.get(exporter);
    if (!byKey) {
      notUnderstood += 1;
      continue;
    }
    const key = keyOf(one.labels, notOfTargets.get(exporter) ?? new Set());
    const known = byKey.get(key);
    if (known) known.push(one);
    else byKey.set(key, [one]);
  }
  const targets = [...found].flatMap(([exporter, byKey]) =>
    [...byKey.values()].map((own) => targetOf(exporter, own)),
  );
  return { targets, notUnderstood };
};

const targetOf = (exporter: Exporter, series: readonly Series[]): Target => {
  const not = notOfTargets.get(exporter);
  const labels = Object.entries(series[0]?.labels ?? {}).filter(([name]) => !not?.has(name));
  return { exporter, labels: Object.fromEntries(labels), scrapes: scrapesOf(series), series };
};

/** All samples of one scrape have its time (prometheus.io, "Jobs and instances"). */
const scrapesOf = (series: readonly Series[]): readonly number[] => {
  const times = new Set<number>();
  for (const { samples } of series) for (const [at] of samples) times.add(at);
  return [...times].toSorted((a, b) => b - a);
};

interface Seen {
  labels: Record<string, string>;
  values: Map<string, string>;
}

/** The newest stand at the end. */
const valueAt = (samples: Series['samples'], scrape: number): string | undefined => {
  for (let last = samples.length - 1; last >= 0; last--) {
    const [at, text] = samples[last] ?? [];
    if (at === scrape) return text;
  }
  return undefined;
};

/**
 * The ports of a target as one scrape saw them. A series that this scrape did not renew is gone, as Prometheus itself takes it. Of a port
 * with two series for one metric neither is believed: `twice` says how many.
 */
export const portsAt = (
  { exporter, series }: Target,
  scrape: number,
): { samples: readonly PortSample[]; twice: number } => {
  const { deviceMetrics, portLabels } = exporter;
  const device = new Map<string, string>();
  const ports = new Map<string, Seen>();
  const doubtful = new Set<string>();
  for (const { labels, samples } of series) {
    const text = valueAt(samples, scrape);
    if (text === undefined) continue;
    const metric = labels['__name__'] ?? '';
    if (deviceMetrics.includes(metric)) {
      device.set(metric, text);
      continue;
    }
    const key = labels[portLabels[0]] ?? '';
    let port = ports.get(key);
    if (!port) ports.set(key, (port = { labels: {}, values: new Map() }));
    if (port.values.has(metric)) doubtful.add(key);
    port.values.set(metric, text);
    for (const name of portLabels) if (labels[name] !== undefined) port.labels[name] = labels[name];
  }
  for (const key of doubtful) ports.delete(key);
  return { samples: [...ports.values()].map((one) => ({ ...one, device })), twice: doubtful.size };
};
