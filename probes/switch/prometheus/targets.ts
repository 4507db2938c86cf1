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

/** Labels of a series without those of its port. */
const targetLabels = ({ labels }: Series, { portLabels }: Exporter): Record<string, string> =>
  Object.fromEntries(
    Object.entries(labels)
      .filter(([name]) => name !== '__name__' && !portLabels.includes(name))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

/** The targets of all series; those of metrics that were not asked for are counted. */
export const targetsIn = (
  series: readonly Series[],
): { targets: readonly Target[]; notUnderstood: number } => {
  const found = new Map<string, { exporter: Exporter; labels: Record<string, string>; series: Series[] }>();
  let notUnderstood = 0;
  for (const one of series) {
    const exporter = exporterOf.get(one.labels['__name__'] ?? '');
    if (!exporter) {
      notUnderstood += 1;
      continue;
    }
    const labels = targetLabels(one, exporter);
    const key = `${exporter.probe} ${JSON.stringify(labels)}`;
    const known = found.get(key);
    if (known) known.series.push(one);
    else found.set(key, { exporter, labels, series: [one] });
  }
  const targets = [...found.values()].map((one) => ({ ...one, scrapes: scrapesOf(one.series) }));
  return { targets, notUnderstood };
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
    const text = samples.find(([at]) => at === scrape)?.[1];
    if (text === undefined) continue;
    const metric = labels['__name__'] ?? '';
    if (deviceMetrics.includes(metric)) {
      device.set(metric, text);
      continue;
    }
    const key = labels[portLabels[0]] ?? '';
    const port: Seen = ports.get(key) ?? { labels: {}, values: new Map() };
    if (port.values.has(metric)) doubtful.add(key);
    port.values.set(metric, text);
    for (const name of portLabels) if (labels[name] !== undefined) port.labels[name] = labels[name];
    ports.set(key, port);
  }
  for (const key of doubtful) ports.delete(key);
  return { samples: [...ports.values()].map((one) => ({ ...one, device })), twice: doubtful.size };
};
