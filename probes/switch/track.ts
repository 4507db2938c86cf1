import type { Track } from '../../src/model/history.ts';
import type { Reading, Source } from '../../src/model/reading.ts';
import type { Judgement } from '../../src/model/system.ts';
import type { FabricReading } from './fabric.ts';
import { linkSeries, linksOf, upSeries, type Link } from './links.ts';
import { cachedRates } from './rates.ts';
import type { CountersReading } from './readings.ts';
import { samplesOf, sourcesOf } from './sources.ts';

/** Bad frames per second received at a port. */
export const badSeries = (portId: string): string => `switch/port/${portId}/bad`;

/** Frames per second received at a port with bad frames: whether these follow the load. */
export const loadSeries = (portId: string): string => `switch/port/${portId}/load`;

/** Bad frames that the device counted in all. */
export const totalSeries = (portId: string): string => `switch/port/${portId}/total`;

const ofLinks = (links: readonly Link[]): readonly Track[] =>
  links.flatMap(({ a, b }) => [
    ...(a.port === undefined ? [] : [{ series: linkSeries(a.id), value: b.id }]),
    ...(b.port === undefined ? [] : [{ series: linkSeries(b.id), value: a.id }]),
  ]);

type Sample = Reading<CountersReading>;

const ofPorts = (samples: readonly Sample[]): readonly Track[] => {
  const rates = cachedRates(samples);
  return samples.slice(0, 1).flatMap(({ host, value }) =>
    value.ports.flatMap((port): Track[] => {
      const id = `${host}:${port.port}`;
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
    }),
  );
};

/** A fabric tells of a port without a link nothing but that: since when, the history knows. */
const ofFabric = ({ host, value }: Reading<FabricReading>): readonly Track[] =>
  value.ports.flatMap(({ port, type, peer }) =>
    type === 'SW' ? [{ series: upSeries(`${host}:${port}`), value: peer ? 'up' : 'down' }] : [],
  );

/** The tracks of thousands of ports are made once for each list of links and each reading. */
const made = new WeakMap<object, readonly Track[]>();

const once = (from: object, make: () => readonly Track[]): readonly Track[] => {
  const known = made.get(from) ?? make();
  made.set(from, known);
  return known;
};

const ofSource = (good: Sample, source: Source<CountersReading>): readonly Track[] => {
  for (const old of source.before) made.delete(old);
  return once(good, () => ofPorts(samplesOf(source)));
};

/** What the history keeps: bad frames per second of every port that ever had some, and links that came and went. */
export const tracks = ({ readings, site }: Judgement): readonly Track[] => {
  const links = linksOf(readings, site);
  return [
    ...once(links, () => ofLinks(links)),
    ...readings
      .sources<FabricReading>('switch.fabric')
      .flatMap(({ good }) => (good ? once(good, () => ofFabric(good)) : [])),
    ...sourcesOf(readings, 'counters').flatMap((source) =>
      source.good && source.state !== 'failed' ? ofSource(source.good, source) : [],
    ),
  ];
};
