import type { Reading, Source } from '../../src/model/reading.ts';
import type { Judgement } from '../../src/model/system.ts';
import { age } from '../../src/text/ages.ts';
import { cachedRates, type PortRates } from './rates.ts';
import type { Standing } from './member-states.ts';
import type { CountersReading, LagsReading } from './readings.ts';
import { platformOf } from './ask/index.ts';
import { portIn, samplesOf, sourceOf } from './sources.ts';

/** A member as its device tells of it. */
export interface Member {
  port: string;
  /** The device's word. */
  state?: string;
  standing?: Standing;
  /** Carries traffic; undefined: not told, or by a word that is not known. That is never counted as working. */
  active: boolean | undefined;
}

/** A LAG of one device as read last. */
export interface Lag {
  host: string;
  /** `po98`. */
  lag: string;
  protocol?: string;
  members: readonly Member[];
  /** By what its ports say, in no table of LAGs: which of them carry traffic is not told. */
  guessed?: true;
  /** UTC ms of the reading, and whether it is the last one asked for. */
  at: number;
  fresh: boolean;
}

/** The LAGs of one reading by each of their members: computed once for a reading. */
type Index = ReadonlyMap<string, Omit<Lag, 'fresh'>>;
const indexes = new WeakMap<object, Index>();

const indexed = (reading: object, make: () => readonly Omit<Lag, 'fresh'>[]): Index => {
  let index = indexes.get(reading);
  if (!index) {
    index = new Map(make().flatMap((lag) => lag.members.map(({ port }) => [port, lag] as const)));
    indexes.set(reading, index);
  }
  return index;
};

/** A row of the table as a member. */
export const memberIn = ({ member, state, standing, active }: LagsReading['members'][number]): Member => ({
  port: member,
  ...(state !== undefined && { state }),
  ...(standing !== undefined && { standing }),
  active,
});

const byTable = ({ host, at, value }: Reading<LagsReading>): readonly Omit<Lag, 'fresh'>[] =>
  [...Map.groupBy(value.members, ({ lag }) => lag)].map(([lag, members]) => {
    const protocol = value.lags.find((one) => one.lag === lag)?.protocol;
    return {
      host,
      lag,
      at,
      ...(protocol !== undefined && { protocol }),
      members: members.map(memberIn),
    };
  });

const byPorts = ({ host, at, value }: Reading<CountersReading>): readonly Omit<Lag, 'fresh'>[] =>
  [...Map.groupBy(value.ports, ({ memberOf }) => memberOf)].flatMap(([lag, ports]) =>
    lag === undefined
      ? []
      : [
          {
            host,
            lag,
            at,
            guessed: true,
            // A link that is up may be suspended, or stand by: no port tells.
            members: ports.map(({ port }) => ({ port, active: undefined })),
          },
        ],
  );

/** The LAG that a port belongs to: by the device's own LAG table, else by what the port says of itself. */
export const lagOf = ({ readings }: Judgement, host: string, port: string): Lag | undefined => {
  const table = sourceOf(readings, 'lags', host);
  const told = table?.good;
  const found = told && indexed(told, () => byTable(told)).get(port);
  if (found) return { ...found, fresh: table.state === 'fresh' };
  const counters = sourceOf(readings, 'counters', host);
  const counted = counters?.good;
  const own = counted && indexed(counted, () => byPorts(counted)).get(port);
  // The table lists this LAG without it: the two contradict each other, and nobody knows who its members are.
  if (told?.value.lags.some(({ lag }) => lag === own?.lag)) return undefined;
  return own && { ...own, fresh: counters.state === 'fresh' };
};

/** A LAG by its own name, from the device's LAG table. */
export const lagNamed = (judgement: Judgement, host: string, lag: string): Lag | undefined => {
  const good = sourceOf(judgement.readings, 'lags', host)?.good;
  const member = good?.value.members.find((one) => one.lag === lag)?.member;
  return member === undefined ? undefined : lagOf(judgement, host, member);
};

/** Members that carry traffic by their device's word, without the port that is to go. */
export const workingIn = ({ members }: Lag, without?: string): readonly Member[] =>
  members.filter(({ active, port }) => active === true && port !== without);

/** `7/8`: active members of all; `?/8` where nobody tells which are. */
export const membersText = (lag: Lag): string =>
  `${lag.guessed ? '?' : workingIn(lag).length}/${lag.members.length}`;

/** `Et2 reads "q", which is not understood`: members that count as not working for want of a word; empty: none. */
export const unclearMembers = ({ members }: Lag): string =>
  members
    .filter(({ active }) => active === undefined)
    .map(({ port, state }) =>
      state === undefined ? `${port} reads no state` : `${port} reads "${state}", which is not understood`,
    )
    .join(', ');

/** Devices count in steps: over less than this a load is nought or double. Over longer it says little of now. Seconds. */
const interval = { least: 1, most: 900 };

/** The newest interval of a port that its load can be told by. */
const loadInterval = (source: Source<CountersReading> | undefined, port: string): PortRates | undefined =>
  source &&
  cachedRates(samplesOf(source))
    .get(port)
    ?.find(({ seconds }) => seconds >= interval.least && seconds <= interval.most);

/**
 * Load 0..1 of a port in its busier direction: by our own two samples, else as the device tells it; undefined when neither its rates nor its
 * speed are known.
 */
export const loadOf = ({ readings }: Judgement, host: string, port: string): number | undefined => {
  const source = sourceOf(readings, 'counters', host);
  const rates = loadInterval(source, port);
  const now = source?.good && portIn(source.good, port);
  const speed = now?.speedMbps ?? 0;
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
  const open = members.filter(
    ({ active, port }) => active === true && loadOf(judgement, host, port) === undefined,
  );
  if (open.length === 0) return undefined;
  const hint = platformOf(site.host(host)?.platform ?? '')?.noLoad;
  if (hint !== undefined)
    return {
      text: `${host} tells no load of ${open.map(({ port }) => port).join(', ')}: ${hint}`,
      once: false,
    };
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
    if (((source?.good && portIn(source.good, port))?.speedMbps ?? 0) <= 0)
      return { text: `${host} tells no speed of ${port}`, once: false };
  }
  return undefined;
};

/** Load on the busiest of the other active members once this one is gone, its traffic spread over them. */
export const loadWithout = (judgement: Judgement, lag: Lag, port: string): number | undefined => {
  const rest = lag.members.filter((one) => one.active === true && one.port !== port);
  const own =
    lag.members.find((one) => one.port === port)?.active === true ? loadOf(judgement, lag.host, port) : 0;
  const loads = rest.map((one) => loadOf(judgement, lag.host, one.port));
  if (own === undefined || rest.length === 0) return undefined;
  let most = 0;
  for (const load of loads) {
    if (load === undefined) return undefined;
    most = Math.max(most, load);
  }
  return most + own / rest.length;
};
