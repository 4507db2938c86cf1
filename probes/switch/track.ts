import type { Track } from '../../src/model/history.ts';
import type { Judgement } from '../../src/model/system.ts';
import { linkSeries, linksOf } from './links.ts';
import { cachedRates } from './rates.ts';
import { samplesOf, sourcesOf } from './sources.ts';

/** Bad frames per second received at a port. */
export const badSeries = (portId: string): string => `switch/port/${portId}/bad`;

/** Frames per second received at a port with bad frames: whether these follow the load. */
export const loadSeries = (portId: string): string => `switch/port/${portId}/load`;

/** A port's link by the device's words. */
export const upSeries = (portId: string): string => `switch/port/${portId}/link`;

/** Bad frames that the device counted in all. */
export const totalSeries = (portId: string): string => `switch/port/${portId}/total`;

/** What the history keeps: bad frames per second of every port that ever had some, and links that came and went. */
export const tracks = ({ readings, site }: Judgement): readonly Track[] => [
  ...linksOf(readings, site).flatMap(({ a, b }): Track[] =>
    a.port === undefined || b.port === undefined
      ? []
      : [
          { series: linkSeries(a.id), value: b.id },
          { series: linkSeries(b.id), value: a.id },
        ],
  ),
  ...sourcesOf(readings, 'counters').flatMap((source): Track[] => {
    if (!source.good || source.state === 'failed') return [];
    const rates = cachedRates(samplesOf(source));
    return source.good.value.ports.flatMap((port): Track[] => {
      const id = `${source.host}:${port.port}`;
      const [now] = rates.get(port.port) ?? [];
      const bad = now?.rxBad;
      const total = port.counts['rxCrc'] ?? port.counts['rxErrors'] ?? 0n;
      return [
        ...(total > 0n ? [{ series: totalSeries(id), value: total }] : []),
        ...(port.link === undefined ? [] : [{ series: upSeries(id), value: port.link }]),
        ...(bad === undefined || bad === 0 || now?.rxPackets === undefined
          ? []
          : [{ series: loadSeries(id), value: Math.round(now.rxPackets) }]),
        ...(bad === undefined ? [] : [{ series: badSeries(id), value: Math.round(bad * 100) / 100 }]),
      ];
    });
  }),
];
