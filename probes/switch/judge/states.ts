import { memoPer, memoPerJudgement } from '../../../src/kit/memo.ts';
import type { Severity } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { caseOf, nameOf } from '../verdict/case-of.ts';
import { type Lag, lagOf } from '../links/lags.ts';
import { linkAt, type Link, type LinkEnd } from '../links/link.ts';
import { knownLinks } from '../links/links.ts';
import { cachedRates, type PortRates } from './rates.ts';
import { upSinceOf } from './link-ups.ts';
import { isPhysical } from '../read/port-states.ts';
import { platformOf } from '../platforms/index.ts';
import type { Lane, Port } from '../readings.ts';
import { isSendingBad, severityOf } from './severity.ts';
import { steadyRate } from './steady.ts';
import { portIn, samplesOf, sourceOf, sourcesOf } from '../ask/sources.ts';
import { badFrames } from '../read/words.ts';
import { type Verdict, verdictOf } from '../verdict/verdict.ts';

/** After a link came up its first errors are no fault. */
export const quietMs = 60_000;

/** What one end of a link shows now. */
export interface EndState {
  end: LinkEnd;
  /** `core3 te3/46`. */
  name: string;
  port?: Port;
  rates: readonly PortRates[];
  /** The newest of these is no sample's: it goes over so many seconds, for the samples at hand show too few bad frames. */
  steadyS?: number;
  lanes: readonly Lane[];
  lag?: Lag;
  /** Of the counters; absent: never read. */
  at?: number;
  stale: boolean;
  /** How bad what it receives is; of a port that only `sends` bad frames, how bad that is. */
  severity?: Severity;
  /** It counts transmit errors. */
  sends?: true;
  /** Its device names only ports with errors, and not this one. */
  unnamed?: true;
  /** Its device was read and does not list it: what it receives is not known. */
  unlisted?: true;
  /** It receives or sends bad frames that are not judged: why. */
  silent?: 'just came up' | 'node reboots';
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

/** What the state of a host's ports is made of. */
const kinds = ['counters', 'optics', 'lags'] as const;
type Sources = { [K in (typeof kinds)[number]]: ReturnType<typeof sourceOf<K>> };

const sourcesByHost = memoPerJudgement((_judgement) => new Map<string, Sources>());

const sourcesAt = (host: string, judgement: Judgement): Sources => {
  const { readings } = judgement;
  const known = sourcesByHost(judgement).get(host);
  if (known) return known;
  const sources = {
    counters: sourceOf(readings, 'counters', host),
    optics: sourceOf(readings, 'optics', host),
    lags: sourceOf(readings, 'lags', host),
  };
  sourcesByHost(judgement).set(host, sources);
  return sources;
};

/** Ends without an error, by what they were made of: of thousands of links few changed since the last judgement. */
const quiet = new WeakMap<LinkEnd, { sources: Sources; state: EndState }>();

const endState = (end: LinkEnd, judgement: Judgement): EndState => {
  if (end.host === undefined) return makeEnd(end, undefined, judgement);
  const sources = sourcesAt(end.host, judgement);
  const known = quiet.get(end);
  if (known && kinds.every((kind) => known.sources[kind] === sources[kind])) return known.state;
  const state = makeEnd(end, sources, judgement);
  const [now, before] = state.rates;
  if ([now, before].some((one) => (one?.rxBad ?? 0) > 0 || (one?.txBad ?? 0) > 0)) quiet.delete(end);
  else quiet.set(end, { sources, state });
  return state;
};

const makeEnd = (end: LinkEnd, sources: Sources | undefined, judgement: Judgement): EndState => {
  const { facts, site } = judgement;
  const bare = { end, name: nameOf(end), rates: [], lanes: [], stale: false };
  if (end.host === undefined || end.port === undefined) return bare;
  const { host, port } = end;
  const source = sources?.counters;
  if (!source?.good) return bare;
  const seen = cachedRates(samplesOf(source)).get(port) ?? [];
  const lanes = sources?.optics?.good?.value.lanes.filter((lane) => lane.port === port);
  const lag = lagOf(judgement, host, port);
  const rebooting = facts.find('node.rebooting', { kind: 'node', id: host }) !== undefined;
  const found = portIn(source.good, port);
  const steady = !rebooting && found && steadyRate(end.id, found, seen, source.good.at, judgement);
  const rates = steady ? [steady, ...seen.slice(1)] : seen;
  const bad = (rates[0]?.rxBad ?? 0) > 0 || (rates[0]?.txBad ?? 0) > 0;
  const early = bad && isJustUp(end.id, judgement) ? ('just came up' as const) : undefined;
  const silent = bad && rebooting ? ('node reboots' as const) : early;
  const severity = silent ? undefined : severityOf(rates, judgement);
  return {
    end,
    name: nameOf(end),
    ...(found && { port: found }),
    ...(!found && absentState(site.host(host)?.platform, port)),
    rates,
    ...(steady && { steadyS: steady.seconds }),
    lanes: lanes ?? [],
    ...(lag && { lag }),
    at: source.good.at,
    stale: source.state !== 'fresh',
    ...(severity && { severity }),
    ...(silent && { silent }),
    ...(!silent && isSendingBad(seen, judgement) && { sends: true as const }),
  };
};

/** A fabric names only its bad ports; any other device lists all that a cable can be in. */
const absentState = (platform: string | undefined, port: string): Pick<EndState, 'unnamed' | 'unlisted'> =>
  platformOf(platform)?.fabric ? { unnamed: true } : isPhysical(port) ? { unlisted: true } : {};

/** Asked only for ports that show errors. */
const isJustUp = (id: string, judgement: Judgement): boolean => {
  const upSince = upSinceOf(id, judgement);
  return upSince !== undefined && judgement.now - upSince < quietMs;
};

const judgeState = (link: Link, to: EndState, from: EndState, judgement: Judgement): EndState => {
  if (to.severity === undefined) return to;
  const verdict = verdictOf(caseOf(link, from, to, judgement));
  return { ...to, ...(verdict && { verdict }) };
};

/** A port that sends bad frames which nobody receives as such. */
const judgedSender = (link: Link, from: EndState, to: EndState, judgement: Judgement): EndState => {
  if (!from.sends || to.severity !== undefined || from.severity !== undefined) return from;
  const verdict = verdictOf(caseOf(link, from, to, judgement));
  return { ...from, severity: 'warning', ...(verdict && { verdict }) };
};

const rank = (severity: Severity | undefined): number =>
  severity === 'critical' ? 2 : severity === undefined ? 0 : 1;

/** Links of which neither end shows an error, for as long as both ends are as they were. */
const calm = new WeakMap<Link, LinkState>();

const build = (link: Link, judgement: Judgement): LinkState => {
  const [a, b] = [endState(link.a, judgement), endState(link.b, judgement)];
  const known = calm.get(link);
  if (known?.a === a && known.b === b) return known;
  const state = judgeLink(link, a, b, judgement);
  if (quiet.get(link.a)?.state === state.a && quiet.get(link.b)?.state === state.b) calm.set(link, state);
  return state;
};

const judgeLink = (link: Link, a: EndState, b: EndState, judgement: Judgement): LinkState => {
  const [gotA, gotB] = [judgeState(link, a, b, judgement), judgeState(link, b, a, judgement)];
  const [fullA, fullB] = [
    judgedSender(link, gotA, gotB, judgement),
    judgedSender(link, gotB, gotA, judgement),
  ];
  const [badA, badB] = [fullA.rates[0]?.rxBad ?? 0, fullB.rates[0]?.rxBad ?? 0];
  // Of two that are as bad the one that can be acted on: a foreign device is no target.
  const second =
    rank(fullB.severity) - rank(fullA.severity) ||
    badB - badA ||
    Number(fullB.end.port !== undefined) - Number(fullA.end.port !== undefined);
  const [worst, other] = second > 0 ? [fullB, fullA] : [fullA, fullB];
  return { link, a: fullA, b: fullB, worst, other, ...(worst.severity && { severity: worst.severity }) };
};

/** LLDP names nobody there: the cable has to be followed. */
const UNKNOWN_PEER = 'the unknown end of its cable';

/** Ports of a host that receive bad frames. */
const badPorts = memoPer((rates: ReadonlyMap<string, readonly PortRates[]>): readonly string[] =>
  [...rates].flatMap(([port, [now]]) => ((now?.rxBad ?? 0) === 0 ? [] : [port])),
);

/** Ports that receive bad frames and are an end of no known link: their peer is not known. */
const looseEnds = (links: readonly Link[], judgement: Judgement): Link[] =>
  sourcesOf(judgement.readings, 'counters').flatMap((source) =>
    badPorts(cachedRates(samplesOf(source))).flatMap((port): Link[] => {
      const id = `${source.host}:${port}`;
      if (linkAt(links, id)) return [];
      const a = { id, host: source.host, port };
      return [{ id: `${id}=?`, a, b: { id: UNKNOWN_PEER }, by: 'one end' }];
    }),
  );

const byId = memoPer((links: readonly Link[]): readonly Link[] =>
  links.toSorted((one, two) => (one.id < two.id ? -1 : 1)),
);

const shareOf = ({ worst }: LinkState): number => badFrames(worst).share ?? 0;
const rateOf = ({ worst }: LinkState): number => badFrames(worst).rate ?? 0;

/** Every link with what both ends show, worst first. */
export const linkStates = memoPerJudgement((judgement): readonly LinkState[] => {
  const links = knownLinks(judgement);
  const built = [...byId(links), ...byId(looseEnds(links, judgement))].map((link) => build(link, judgement));
  // Of thousands of links few are bad: only these are put in order at every judgement.
  const isBad = ({ severity, worst }: LinkState): boolean =>
    severity !== undefined || (worst.rates[0]?.rxShare ?? 0) > 0;
  return [
    ...built
      .filter(isBad)
      .toSorted(
        (one, two) =>
          rank(two.severity) - rank(one.severity) ||
          shareOf(two) - shareOf(one) ||
          rateOf(two) - rateOf(one) ||
          (one.link.id < two.link.id ? -1 : 1),
      ),
    ...built.filter((one) => !isBad(one)),
  ];
});

/** The state of the link at a port, if there is one. */
export const stateAt = (judgement: Judgement, portId: string): LinkState | undefined =>
  linkStates(judgement).find(({ link }) => link.a.id === portId || link.b.id === portId);

/** Why nobody knows what an end receives although its device was read twice. */
export const doubtOf = ({ unlisted, port, rates: [now] }: EndState): string | undefined => {
  if (unlisted) return 'not listed';
  if (port === undefined || now === undefined || now.rxBad !== undefined) return undefined;
  return now.remarks[0] ?? 'no error counter';
};

/** Shows bad frames that are not judged yet, nor said to be fine. */
export const isEarly = ({ severity, a, b }: LinkState): boolean =>
  severity === undefined && [a, b].some(({ silent }) => silent !== undefined);

export const isDoubtful = ({ a, b }: LinkState): boolean => [a, b].some((end) => doubtOf(end) !== undefined);
