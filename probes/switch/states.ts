import type { Severity } from '../../src/model/subject.ts';
import type { Judgement } from '../../src/model/system.ts';
import { caseOf, nameOf, upAndDown } from './case-of.ts';
import { type Lag, lagOf } from './lags.ts';
import { linkAt, linksKnown, type Link, type LinkEnd } from './links.ts';
import { cachedRates, type PortRates } from './rates.ts';
import type { Lane, Port } from './readings.ts';
import { sendsBad, severityOf } from './severity.ts';
import { portIn, samplesOf, sourceOf, sourcesOf } from './sources.ts';
import { type Verdict, verdictOf } from './verdict/verdict.ts';

export { journal } from './repairs.ts';

/** After a link came up its first errors are no fault (design.md, default thresholds). */
const quietMs = 60_000;

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
  /** How bad what it receives is; of a port that only `sends` bad frames, how bad that is. */
  severity?: Severity;
  /** It counts transmit errors. */
  sends?: true;
  /** Its device names only ports with errors, and not this one. */
  unnamed?: true;
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

const endState = (end: LinkEnd, judgement: Judgement): EndState => {
  const { readings, facts, site } = judgement;
  const bare = { end, name: nameOf(end), rates: [], lanes: [], stale: false };
  if (end.host === undefined || end.port === undefined) return bare;
  const { host, port } = end;
  const source = sourceOf(readings, 'counters', host);
  if (!source?.good) return bare;
  const rates = cachedRates(samplesOf(source)).get(port) ?? [];
  const lanes = sourceOf(readings, 'optics', host)?.good?.value.lanes.filter((lane) => lane.port === port);
  const lag = lagOf(judgement, host, port);
  const rebooting = facts.of('node.rebooting', { kind: 'node', id: host }) !== undefined;
  const silent = rebooting || cameUp(end.id, rates, judgement);
  const severity = silent ? undefined : severityOf(rates, judgement);
  const found = portIn(source.good, port);
  return {
    end,
    name: nameOf(end),
    ...(found && { port: found }),
    ...(!found && site.host(host)?.platform === 'infiniband' && { unnamed: true as const }),
    rates,
    lanes: lanes ?? [],
    ...(lag && { lag }),
    at: source.good.at,
    stale: source.state !== 'fresh',
    ...(severity && { severity }),
    ...(!silent && sendsBad(rates, judgement) && { sends: true as const }),
  };
};

/** Asked of the history only for ports that show errors. */
const cameUp = (id: string, [now]: readonly PortRates[], judgement: Judgement): boolean => {
  if ((now?.rxBad ?? 0) === 0 && (now?.txBad ?? 0) === 0) return false;
  const { upSince } = upAndDown(id, judgement);
  return upSince !== undefined && judgement.now - upSince < quietMs;
};

const judged = (link: Link, to: EndState, from: EndState, judgement: Judgement): EndState => {
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

const build = (link: Link, judgement: Judgement): LinkState => {
  const [a, b] = [endState(link.a, judgement), endState(link.b, judgement)];
  const [gotA, gotB] = [judged(link, a, b, judgement), judged(link, b, a, judgement)];
  const [fullA, fullB] = [
    judgedSender(link, gotA, gotB, judgement),
    judgedSender(link, gotB, gotA, judgement),
  ];
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
