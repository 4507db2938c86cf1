import { CommandFailed } from '../../../src/model/errors.ts';
import type { Format } from '../../../src/model/system.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import type { Port } from '../readings.ts';
import { seriesIn } from './series.ts';
import { portsAt, targetsIn, type Target } from './targets.ts';

/** A port as its newest scrape has it: what the document of `switch.counters` says of one, by the same names. */
const portOf = (name: string, { counts, ...told }: Omit<Port, 'port' | 'name'>): object => ({
  port: name,
  ...told,
  ...counts,
});

const targetOf = (target: Target): object => {
  const { exporter, labels, scrapes } = target;
  const { samples, twice } = portsAt(target, scrapes[0] ?? 0);
  const ports = samples.flatMap((sample) => {
    const name = exporter.nameOf(sample);
    return name === undefined ? [] : [portOf(name, exporter.read(sample))];
  });
  const notUnderstood = twice + samples.length - ports.length;
  return dropUndefined({
    labels,
    scrapedAt: scrapes[0] === undefined ? undefined : new Date(scrapes[0]).toISOString(),
    ports,
    notUnderstood: notUnderstood > 0 ? notUnderstood : undefined,
  });
};

/** `faultline parse switch.prometheus`: a stored answer of the HTTP API, without the head of HTTP. */
export const prometheusFormat: Format = ({ stdout }) => {
  try {
    const { series, notUnderstood } = seriesIn(stdout);
    const { targets, notUnderstood: others } = targetsIn(series);
    const count = notUnderstood + others;
    return { targets: targets.map(targetOf), ...(count > 0 && { notUnderstood: count }) };
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return { targets: [], error: { kind: error.code, message: error.message } };
  }
};
