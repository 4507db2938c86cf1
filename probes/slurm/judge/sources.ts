import type { Readings, Source } from '../../../src/model/reading.ts';
import { clustersOf } from './clusters.ts';

/**
 * The source to believe: the freshest that answers, else the one with the newest good reading, else any. Of several clusters only
 * the first of the site file is looked at: two controllers of one cluster say the same, those of two clusters do not.
 */
export const sourceOf = <T>(readings: Readings, probe: string): Source<T> | undefined => {
  const sources = readings.sources<T>(probe);
  const [first, second] = sources.length > 1 ? clustersOf(readings) : [];
  let best: Source<T> | undefined;
  for (const one of sources) {
    if (second && !first?.hosts.includes(one.host)) continue;
    if (best === undefined || rank(one) > rank(best)) best = one;
  }
  return best;
};

const rank = (source: Source): number =>
  (source.good ? source.good.at : 0) + (source.state === 'fresh' ? 1e15 : 0);
