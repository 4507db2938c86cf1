import { memoPer, memoPerSubject } from '../../../src/kit/memo.ts';
import { readTrack, type Course } from '../../../src/kit/trends.ts';
import type { Track, Reading } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { FabricReading } from '../platforms/infiniband/fabric.ts';
import type { Link } from '../links/link.ts';
import { linkSeries, linksOf, upSeries } from '../links/links.ts';
import { cachedRates } from './rates.ts';
import type { CountersReading, Port } from '../readings.ts';
import { portIn, samplesOf, sourceOf, sourcesOf } from '../ask/sources.ts';

/** Comings and goings of a link that its device counted, in all. */
export const changesSeries = (portId: string): string => `switch/port/${portId}/changes`;

/** When a link went by its device's own stamp, UTC ms, as a reading showed that followed another one; of makes that count nothing. */
export const goneSeries = (portId: string): string => `switch/port/${portId}/gone`;

/** The half hours in which a host was read: what does not change is written once, and does not say whether anybody looked. */
export const readSeries = (host: string): string => `switch/host/${host}/read`;

/**
 * What a device counts: both the coming and the going (IF-MIB, Linux carrier_changes, EOS), or one of the two alone: InfiniBand's LinkDowned;
 * Junos' carrier transitions, which are the times that the interface came up after it was down (`show interfaces extensive`).
 */
export const changeCount = ({ counts }: Port): { value: bigint; each: number } | undefined => {
  const [both, downs] = [counts['linkTransitions'], counts['linkDownedCounter']];
  if (both !== undefined) return { value: both, each: counts['txCarrierTransitions'] === undefined ? 2 : 1 };
  return downs === undefined ? undefined : { value: downs, each: 1 };
};

/**
 * When a link went between two readings, by its device's stamp, UTC ms; undefined: it did not. A coarse stamp (`1w3d`) stands still: only
 * one that is younger than the reading before tells of a change since; one that came up only came back from an earlier going.
 */
export const findGoing = (before: Stamped, { at, mono, port }: Stamped): number | undefined => {
  const ago = port.changedAgoS;
  if (ago === undefined || ago >= (mono - before.mono) / 1000) return undefined;
  return port.state === 'up' && before.port.state !== 'up' ? undefined : at - ago * 1000;
};

/** A port as read: `at` UTC ms, `mono` monotonic ms. */
export interface Stamped {
  at: number;
  mono: number;
  port: Port;
}

/** Bad frames per second received at a port. */
export const badSeries = (portId: string): string => `switch/port/${portId}/bad`;

/** Frames per second received at a port with bad frames: whether these follow the load. */
export const loadSeries = (portId: string): string => `switch/port/${portId}/load`;

/** Bad frames that the device counted in all. */
export const totalSeries = (portId: string): string => `switch/port/${portId}/total`;

/** Frames that a port counted as damaged in all; of input errors those that congestion and length made are left out. */
export const damagedFrames = ({ counts }: Port): bigint | undefined => {
  const seen = ['rxCrc', 'rxFrame', 'rxAlignment'].flatMap((name) => counts[name] ?? []);
  if (seen.length > 0) return seen.reduce((a, b) => (a > b ? a : b));
  const { rxErrors, rxOverrun, rxFifo, rxGiants = 0n } = counts;
  const rest = rxErrors === undefined ? undefined : rxErrors - (rxOverrun ?? rxFifo ?? 0n) - rxGiants;
  return rest === undefined || rest > 0n ? rest : 0n;
};

/** When a host was read again after some of its readings were missing, UTC ms of that reading: it was off, or booted. */
export const backSeries = (host: string): string => `switch/host/${host}/back`;

/** So many intervals without a reading are no delay. */
const missed = 3;

const backTrack = ([now, before]: readonly Sample[], everyMs: number): readonly Track[] =>
  now && before && everyMs > 0 && now.at - before.at > missed * everyMs
    ? [{ series: backSeries(now.host), value: now.at }]
    : [];

const halfHourMs = 1_800_000;

const readHalfHour = ([now]: readonly Sample[]): readonly Track[] =>
  now?.value.ports.some((port) => changeCount(port) !== undefined)
    ? [{ series: readSeries(now.host), value: Math.floor(now.at / halfHourMs) }]
    : [];

/** A host whose counters give rates: two readings make one. */
const ratesRead = ([now, before]: readonly Sample[]): readonly Track[] =>
  now && before ? [readTrack(countersOf(now.host), now.at)] : [];

const countersOf = (host: string): string => `switch.counters/${host}`;

/** The course of the bad frames per second that a port received. */
export const errorsCourse = (host: string, portId: string): Course => ({
  series: badSeries(portId),
  read: [countersOf(host)],
  top: 1,
});

const ofLinks = (links: readonly Link[]): readonly Track[] =>
  links.flatMap(({ a, b }) => [
    ...(a.port === undefined ? [] : [{ series: linkSeries(a.id), value: b.id }]),
    ...(b.port === undefined ? [] : [{ series: linkSeries(b.id), value: a.id }]),
  ]);

/** The device's own count of comings and goings; without one, what its stamp tells. */
const changesTrack = (id: string, port: Port, [now, before]: readonly Sample[]): readonly Track[] => {
  const linkChanges = changeCount(port);
  if (linkChanges !== undefined) return [{ series: changesSeries(id), value: linkChanges.value }];
  const earlier = before && portIn(before, port.port);
  const went = now && earlier && findGoing({ ...before, port: earlier }, { ...now, port });
  return went === undefined ? [] : [{ series: goneSeries(id), value: went }];
};

type Sample = Reading<CountersReading>;

const ofPorts = (samples: readonly Sample[]): readonly Track[] => {
  const rates = cachedRates(samples);
  return samples.slice(0, 1).flatMap(({ host, value }) =>
    value.ports.flatMap((port): Track[] => {
      const id = `${host}:${port.port}`;
      const [now] = rates.get(port.port) ?? [];
      const bad = now?.rxBad;
      const total = damagedFrames(port) ?? 0n;
      return [
        ...(total > 0n ? [{ series: totalSeries(id), value: total }] : []),
        ...changesTrack(id, port, samples),
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

/** The tracks of thousands of ports are made once for each list of links and each reading; of a host only its last are kept. */
const trackLinks = memoPer(ofLinks);
const trackFabric = memoPer(ofFabric);
const trackPorts = memoPerSubject(
  (host: string, { readings }) => [sourceOf(readings, 'counters', host)?.good],
  (host, { readings }) => {
    const source = sourceOf(readings, 'counters', host);
    if (!source) return [];
    const samples = samplesOf(source);
    return [
      ...backTrack(samples, source.everyMs),
      ...readHalfHour(samples),
      ...ratesRead(samples),
      ...ofPorts(samples),
    ];
  },
);

/** What the history keeps: bad frames per second of every port that ever had some, and links that came and went. */
export const tracks = (judgement: Judgement): readonly Track[] => {
  const { readings, site } = judgement;
  return [
    ...trackLinks(linksOf(readings, site)),
    ...readings
      .sources<FabricReading>('switch.fabric')
      .flatMap(({ good }) => (good ? trackFabric(good) : [])),
    ...sourcesOf(readings, 'counters').flatMap(({ host, good, state }) =>
      good && state !== 'failed' ? trackPorts(host, judgement) : [],
    ),
  ];
};
