import type { AskContext } from '../../../src/model/system.ts';
import { farEnd, linkAt } from '../links/link.ts';
import { linksOf } from '../links/links.ts';
import { cachedRates } from '../judge/rates.ts';
import { samplesOf, sourcesOf } from './sources.ts';

/** Modules asked one by one in one go: each takes an old supervisor a second. */
const most = 12;

/** The ports of a host whose modules are worth asking: those that see or send bad frames now, and the peers of such. */
export const suspects = (host: string, { readings, site }: AskContext): readonly string[] => {
  const links = linksOf(readings, site);
  const found = new Set<string>();
  for (const source of sourcesOf(readings, 'counters')) {
    for (const [port, [rates]] of cachedRates(samplesOf(source))) {
      if (!rates || ((rates.rxBad ?? 0) === 0 && (rates.txBad ?? 0) === 0)) continue;
      if (source.host === host) found.add(port);
      const id = `${source.host}:${port}`;
      const link = linkAt(links, id);
      const far = link && farEnd(link, id);
      if (far?.host === host && far.port !== undefined) found.add(far.port);
    }
  }
  return [...found].toSorted().slice(0, most);
};
