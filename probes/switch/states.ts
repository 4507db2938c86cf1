import type { Severity } from '../../src/model/subject.ts';
import type { Judgement } from '../../src/model/system.ts';
import { platformOf } from './ask/index.ts';
import { type Lag, lagOf } from './lags.ts';
import { linkAt, linksKnown, type Link, type LinkEnd } from './links.ts';
import { matrixSums } from './matrix.ts';
import { cachedRates, type PortRates } from './rates.ts';
import type { JournalReading, Lane, Port, Repair } from './readings.ts';
import { settingsOf } from './settings.ts';
import { portIn, samplesOf, sourceOf, sourcesOf } from './sources.ts';
import { type Case, type End, type Verdict, verdictOf } from './verdict.ts';

/** Fewer bad frames than these in an interval are no finding: one flipped bit is nobody's fault. */
const fewest = { warning: 3n, critical: 10n };

/** A part that was changed longer ago may have gone bad again. */
const recentMs = 30 * 86_400_000;

/** What one end of a link shows now. */
export interface EndState {
  end: LinkEnd;
  /** `core3 te3/46`. */
  name: string;
  port?: Port;
  rates: readonly PortRates[];
  lanes: readonly Lane[];
  lag?: Lag;
  /** Of the counters; absent: never read. */
  at?: number;
  stale: boolean;
  /** How bad what it receives is. */
  severity?: Severity;
  verdict?: Verdict;
}

export interface LinkState {
  link: Link;
  a: EndState;
  b: EndState;
  severity?: Severity;
  /** The end that receives more bad frames. */
  worst: EndState;
  other: EndState;
}

const name = ({ id, host, port }: LinkEnd): string =>
  host !== undefined && port !== undefined ? `${host} ${port}` : id;

/** critical: 1e-4 of frames in each of two intervals; warning: 1e-7 in the newest one (design.md, default thresholds). */
const severityOf = (
  rates: readonly PortRates[],
  { critical, warning }: { critical: number; warning: number },
): Severity | undefined => {
  const [now, before] = rates;
  const over = (one: PortRates | undefined, share: number, least: bigint): boolean =>
    (one?.rxBadCount ?? 0n) >= least && (one?.rxShare ?? 1) >= share;
  // The device just brought the link up: what it counts then is no fault.
  if ((now?.linkChanges ?? 0) > 0) return undefined;
  if (over(now, critical, fewest.critical) && over(before, critical, fewest.critical)) return 'critical';
  return over(now, warning, fewest.warning) ? 'warning' : undefined;
};

const journalOf = ({ readings }: Judgement): JournalReading | undefined =>
  readings.sources<JournalReading>('switch.journal').find((one) => one.good)?.good?.value;

export const repairsAt = (judgement: Judgement, portId: string): readonly Repair[] =>
  journalOf(judgement)?.repairs.filter((one) => one.port === portId) ?? [];

export const journal = journalOf;

const endState = (end: LinkEnd, judgement: Judgement): EndState => {
  const { readings, site, facts } = judgement;
  const bare = { end, name: name(end), rates: [], lanes: [], stale: false };
  if (end.host === undefined || end.port === undefined) return bare;
  const { host, port } = end;
  const source = sourceOf(readings, 'counters', host);
  if (!source?.good) return bare;
  const rates = cachedRates(samplesOf(source)).get(port) ?? [];
  const lanes = sourceOf(readings, 'optics', host)?.good?.value.lanes.filter((lane) => lane.port === port);
  const lag = lagOf(judgement, host, port);
  const rebooting = facts.of('node.rebooting', { kind: 'node', id: host }) !== undefined;
  const severity = rebooting ? undefined : severityOf(rates, settingsOf(site).thresholds);
  const found = portIn(source.good, port);
  return {
    end,
    name: name(end),
    ...(found && { port: found }),
    rates,
    lanes: lanes ?? [],
    ...(lag && { lag }),
    at: source.good.at,
    stale: source.state !== 'fresh',
    ...(severity && { severity }),
  };
};

/** Ports of the same card (`te3/...`) or breakout (`eth1/1/...`) and how many of them receive bad frames. */
const neighboursOf = (
  state: EndState,
  judgement: Judgement,
): { what: string; total: number; bad: number } | undefined => {
  const { host, port } = state.end;
  const group = port === undefined ? undefined : /^(.+[/:])\d+$/.exec(port)?.[1];
  const source = host === undefined ? undefined : sourceOf(judgement.readings, 'counters', host);
  if (!source?.good || group === undefined || port === undefined || host === undefined) return undefined;
  const thresholds = settingsOf(judgement.site).thresholds;
  const rates = cachedRates(samplesOf(source));
  const others = [...rates.keys()].filter((one) => one !== port && one.startsWith(group));
  const bad = others.filter((one) => severityOf(rates.get(one) ?? [], thresholds) !== undefined);
  const breakout = (port.match(/[/:]/g)?.length ?? 0) > 1;
  const what = `${breakout ? 'breakout' : 'card'} ${group.replace(/[/:]$/, '')}`;
  return others.length === 0 ? undefined : { what, total: others.length, bad: bad.length };
};

/** Other ports of the sender's switch that receive bad frames: stomped frames came in there. */
const otherSources = (state: EndState, judgement: Judgement): readonly string[] => {
  const { host, port } = state.end;
  const source = host === undefined ? undefined : sourceOf(judgement.readings, 'counters', host);
  if (!source || host === undefined) return [];
  const thresholds = settingsOf(judgement.site).thresholds;
  return [...cachedRates(samplesOf(source))]
    .filter(([other, rates]) => other !== port && severityOf(rates, thresholds) !== undefined)
    .map(([other]) => `${host} ${other}`);
};

const endOf = (state: EndState, judgement: Judgement, since: number): End => {
  const { end } = state;
  const platform = end.host === undefined ? undefined : judgement.site.host(end.host)?.platform;
  const cuts = platform === undefined ? undefined : platformOf(platform)?.cutThrough;
  const neighbours = neighboursOf(state, judgement);
  return {
    id: end.id,
    name: state.name,
    rates: state.rates,
    lanes: state.lanes,
    // Bad frames after a repair are what speaks against it: the interval must have begun later.
    repairs: repairsAt(judgement, end.id).filter((one) => one.at <= since && one.at > since - recentMs),
    ...(cuts && { cutThrough: true, otherSources: otherSources(state, judgement) }),
    ...(state.port?.speedMbps !== undefined && { speedMbps: state.port.speedMbps }),
    ...(neighbours && { neighbours }),
  };
};

const judged = (to: EndState, from: EndState, judgement: Judgement): EndState => {
  const [now] = to.rates;
  if (to.severity === undefined || !now) return to;
  const since = now.at - now.seconds * 1000;
  const jumbo = matrixSums(judgement);
  const past = to.rates
    .flatMap((one) =>
      one.rxShare === undefined || one.rxBytes === undefined
        ? []
        : [{ share: one.rxShare, load: one.rxBytes }],
    )
    .toReversed();
  const one: Case = {
    from: endOf(from, judgement, since),
    to: endOf(to, judgement, since),
    bothWays: from.severity !== undefined,
    past,
    ...(jumbo && { jumbo }),
  };
  const verdict = verdictOf(one);
  return { ...to, ...(verdict && { verdict }) };
};

const rank = (severity: Severity | undefined): number =>
  severity === 'critical' ? 2 : severity === undefined ? 0 : 1;

const build = (link: Link, judgement: Judgement): LinkState => {
  const [a, b] = [endState(link.a, judgement), endState(link.b, judgement)];
  const [fullA, fullB] = [judged(a, b, judgement), judged(b, a, judgement)];
  const second =
    rank(fullB.severity) > rank(fullA.severity) ||
    (rank(fullB.severity) === rank(fullA.severity) &&
      (fullB.rates[0]?.rxBad ?? 0) > (fullA.rates[0]?.rxBad ?? 0));
  const [worst, other] = second ? [fullB, fullA] : [fullA, fullB];
  return { link, a: fullA, b: fullB, worst, other, ...(worst.severity && { severity: worst.severity }) };
};

/** Ports that receive bad frames and are an end of no known link: their peer is not known. */
const loose = (links: readonly Link[], judgement: Judgement): Link[] =>
  sourcesOf(judgement.readings, 'counters').flatMap((source) =>
    [...cachedRates(samplesOf(source))].flatMap(([port, [now]]): Link[] => {
      const id = `${source.host}:${port}`;
      if ((now?.rxBad ?? 0) === 0 || linkAt(links, id)) return [];
      const a = { id, host: source.host, port };
      return [{ id: `${id}=?`, a, b: { id: 'unknown peer' }, by: 'one end' }];
    }),
  );

const cache = new WeakMap<Judgement, readonly LinkState[]>();

/** Every link with what both ends show, worst first. */
export const linkStates = (judgement: Judgement): readonly LinkState[] => {
  const known = cache.get(judgement);
  if (known) return known;
  const links = linksKnown(judgement);
  const states = [...links, ...loose(links, judgement)]
    .map((link) => build(link, judgement))
    .toSorted(
      (one, two) =>
        rank(two.severity) - rank(one.severity) ||
        (two.worst.rates[0]?.rxShare ?? 0) - (one.worst.rates[0]?.rxShare ?? 0) ||
        (one.link.id < two.link.id ? -1 : 1),
    );
  cache.set(judgement, states);
  return states;
};

/** The state of the link at a port, if there is one. */
export const stateAt = (judgement: Judgement, portId: string): LinkState | undefined =>
  linkStates(judgement).find(({ link }) => link.a.id === portId || link.b.id === portId);
