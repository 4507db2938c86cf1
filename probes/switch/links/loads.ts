import type { Source } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { age } from '../../../src/text/ages.ts';
import { platformOf } from '../platforms/index.ts';
import { portIn, samplesOf, sourceOf } from '../ask/sources.ts';
import { cachedRates, type PortRates } from '../judge/rates.ts';
import { settingsKnownAt } from '../judge/settings-at.ts';
import type { CountersReading } from '../readings.ts';
import { type Lag, workingMembers } from './lags.ts';

/** Devices count in steps: over less than this a load is nought or double. Over longer it says little of now. Seconds. */
const interval = { least: 1, most: 900 };

/** The newest interval of a port that its load can be told by. */
const loadInterval = (source: Source<CountersReading> | undefined, port: string): PortRates | undefined =>
  source &&
  cachedRates(samplesOf(source))
    .get(port)
    ?.find(({ seconds }) => seconds >= interval.least && seconds <= interval.most);

/** Mbit/s, as the link is now: beside the counters, or where it was asked for apart since the link came up. */
const speedOf = (judgement: Judgement, host: string, port: string): number | undefined => {
  const good = sourceOf(judgement.readings, 'counters', host)?.good;
  const found = good && portIn(good, port);
  const end = { id: `${host}:${port}`, host, port };
  return found && settingsKnownAt({ end, port: found, at: good.at }, judgement).speedMbps;
};

/**
 * Load 0..1 of a port in its busier direction: by our own two samples, else as the device tells it; undefined when neither its rates nor its
 * speed are known.
 */
export const loadOf = (judgement: Judgement, host: string, port: string): number | undefined => {
  const { readings } = judgement;
  const source = sourceOf(readings, 'counters', host);
  const rates = loadInterval(source, port);
  const now = source?.good && portIn(source.good, port);
  const speed = speedOf(judgement, host, port) ?? 0;
  if (rates?.rxBytes === undefined || rates.txBytes === undefined || speed <= 0) return now?.load;
  return (Math.max(rates.rxBytes, rates.txBytes) * 8) / (speed * 1e6);
};

/** Why no load is known of one of these members; `once`: one more sample may tell. */
export const loadGap = (
  judgement: Judgement,
  { host, members }: Pick<Lag, 'host' | 'members'>,
): { text: string; once: boolean } | undefined => {
  const { readings, now, site } = judgement;
  const source = sourceOf(readings, 'counters', host);
  const open = workingMembers({ members }).filter(({ port }) => loadOf(judgement, host, port) === undefined);
  if (open.length === 0) return undefined;
  const hint = platformOf(site.host(host)?.platform ?? '')?.noLoad;
  const ports = open.map(({ port }) => port).join(', ');
  if (hint !== undefined) return { text: `${host} reports no load of ${ports}: ${hint}`, once: false };
  if (source?.good && source.before.length === 0) {
    const seconds = source.nextAt === undefined ? 0 : Math.ceil((source.nextAt - now) / 1000);
    const soon = seconds > 0 ? `, the second sample comes in ${seconds} s` : '';
    return { text: `${host} was read only once${soon}`, once: true };
  }
  for (const { port } of open) {
    const rates = loadInterval(source, port);
    const [now] = (source && cachedRates(samplesOf(source)).get(port)) ?? [];
    if (now && !rates)
      return { text: `the samples of ${host} lie ${age(now.seconds * 1000)} apart`, once: true };
    if (rates?.rxBytes === undefined || rates.txBytes === undefined)
      return { text: [`${port} has no rate`, ...(rates?.remarks ?? [])].join(', '), once: false };
    if ((speedOf(judgement, host, port) ?? 0) <= 0)
      return { text: `${host} reports no speed of ${port}`, once: false };
  }
  return undefined;
};

/** Load on the busiest of the other active members once this one is gone, its traffic spread over them. */
export const loadWithout = (judgement: Judgement, lag: Lag, port: string): number | undefined => {
  const loadAt = (member: string): number | undefined => loadOf(judgement, lag.host, member);
  const rest = workingMembers(lag, port);
  const own = workingMembers(lag).length > rest.length ? loadAt(port) : 0;
  const loads = rest.flatMap((one) => loadAt(one.port) ?? []);
  if (own === undefined || rest.length === 0 || loads.length < rest.length) return undefined;
  return Math.max(...loads) + own / rest.length;
};
