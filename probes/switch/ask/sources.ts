import { memoPer } from '../../../src/kit/memo.ts';
import type { Reading, Readings, Source } from '../../../src/model/reading.ts';
import type { Locator } from '../../../src/model/system.ts';
import type { Safe } from '../../../src/text/safe.ts';
import type {
  CountersReading,
  LagsReading,
  NeighborsReading,
  OpticsReading,
  Port,
  SettingsReading,
} from '../readings.ts';

/**
 * The probes that bring a kind of reading: devices with machine-readable output, screens, hosts' own NICs. What Prometheus brings goes
 * before what its machines themselves were asked for an action; guards do not see it.
 */
const probeIds = {
  counters: ['switch.promcounters', 'switch.promnics', 'switch.counters', 'switch.screens', 'switch.nics'],
  lags: ['switch.lags'],
  neighbors: ['switch.neighbors', 'switch.nicneighbors'],
  optics: ['switch.optics', 'switch.nicoptics'],
  settings: ['switch.settings', 'switch.nicsettings'],
} as const;

interface Kinds {
  counters: CountersReading;
  lags: LagsReading;
  neighbors: NeighborsReading;
  optics: OpticsReading;
  settings: SettingsReading;
}

/** The source of a kind for one host, by whichever probe asks that host. */
export const sourceOf = <K extends keyof Kinds>(
  readings: Readings,
  kind: K,
  host: string,
): Source<Safe<Kinds[K]>> | undefined => {
  let any: Source<Safe<Kinds[K]>> | undefined;
  for (const probe of probeIds[kind]) {
    const source = readings.source<Kinds[K]>(probe, host);
    if (source?.good) return source;
    if (source && (any === undefined || any.state === 'notAsked')) any = source;
  }
  return any;
};

/** All sources of a kind, one per host that any of its probes asks. */
export const sourcesOf = <K extends keyof Kinds>(readings: Readings, kind: K): Source<Safe<Kinds[K]>>[] => {
  const hosts = new Set<string>();
  for (const probe of probeIds[kind]) for (const { host } of readings.sources(probe)) hosts.add(host);
  return [...hosts].flatMap((host) => sourceOf(readings, kind, host) ?? []);
};

/** The last good readings of a source, newest first. */
export const samplesOf = <T>(source: Source<T>): readonly Reading<T>[] =>
  source.good ? [source.good, ...source.before] : [];

const portsByName = memoPer(
  ({ value }: Reading<CountersReading>): ReadonlyMap<string, Port> =>
    new Map(value.ports.map((one) => [one.port, one])),
);

/** A port in a reading, by its canonical name: found without a search, there are thousands. */
export const portIn = (reading: Reading<CountersReading>, port: string): Port | undefined =>
  portsByName(reading).get(port);

/** A device's own spelling of a port stands in its reading. */
export const locatePort = (id: string, ports: readonly { port: string; name: string }[]): Locator => ({
  names: ports.filter(({ port }) => id.endsWith(`:${port}`)).map(({ name }) => name),
  words: ['CRC', 'FCS', 'errors', 'error', 'symbol', 'discards', 'drops'],
});
