import type { Track } from '../../src/model/history.ts';
import type { Judgement } from '../../src/model/system.ts';
import { cachedRates } from './rates.ts';
import { samplesOf, sourcesOf } from './sources.ts';

/** Bad frames per second received at a port. */
export const badSeries = (portId: string): string => `switch/port/${portId}/bad`;

/** What the history keeps: bad frames per second of every port that ever had some, and links that came and went. */
export const tracks = ({ readings }: Judgement): readonly Track[] =>
  sourcesOf(readings, 'counters').flatMap((source): Track[] => {
    if (!source.good || source.state === 'failed') return [];
    const rates = cachedRates(samplesOf(source));
    return source.good.value.ports.flatMap((port): Track[] => {
      const id = `${source.host}:${port.port}`;
      const bad = rates.get(port.port)?.[0]?.rxBad;
      return [
        ...(port.link === undefined ? [] : [{ series: `switch/port/${id}/link`, value: port.link }]),
        ...(bad === undefined ? [] : [{ series: badSeries(id), value: Math.round(bad * 100) / 100 }]),
      ];
    });
  });
