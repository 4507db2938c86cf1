import type { PortRates } from '../judge/rates.ts';
import { type Case, type Cause, type Place, placeOf } from './case.ts';
import { congestion, findSharedPart, findUpstream } from './elsewhere.ts';
import { lane, judgeLight, opticalCauses } from './light.ts';
import { weighRepairs } from './repairs.ts';
import { mismatch, mtu } from './settings.ts';
import { sender, tree } from './tree.ts';

export interface Verdict {
  causes: readonly Cause[];
  /** The end to look at first and what to do there; then the next. */
  first: { at: Place; steps: readonly string[] };
  next?: { at: Place; steps: readonly string[] };
  confidence: 'high' | 'medium' | 'low';
  /** Why no more can be said. */
  caveats: readonly string[];
}

/**
 * Ranked causes of bad frames in one direction. Starts from the tree operators use (bad frames are received: the peer is
 * looked at first) and weighs what the tree leaves out: optical power at both ends against the module's own limits (the
 * symptom table of CorrOpt, SIGCOMM 2017), frames stomped by cut-through switches, error correction, single lanes, links on
 * the same breakout or card, mismatched settings, load, and what was repaired already. Pure. A case with no interval gives
 * none: no verdict from a single sample.
 */
export const verdictOf = (one: Case): Verdict | undefined => {
  const [now] = one.to.rates;
  if (now && (now.rxBad ?? 0) > 0) return conclude(one, causesReceived(one, now));
  const own = sender(one);
  // A switch that cuts through sends on what it receives: that is no fault of the port it leaves by.
  return own && conclude(one, [own, now && findUpstream(one, now)]);
};

const causesReceived = (one: Case, now: PortRates): readonly (Cause | undefined)[] => {
  const passedOn = findUpstream(one, now);
  return [
    passedOn,
    mismatch(one, now),
    congestion(one, now),
    mtu(one, now),
    // A switch that sends on what it receives damages nothing, on however many links.
    passedOn ? undefined : findSharedPart(one),
    lane(one),
    ...opticalCauses(one),
    ...tree(one, now),
  ];
};

const conclude = (one: Case, causes: readonly (Cause | undefined)[]): Verdict | undefined => {
  const ranked = causes
    .flatMap((cause) => cause ?? [])
    .map((cause) => weighRepairs(cause, one))
    .toSorted((a, b) => b.weight - a.weight);
  const [best] = ranked;
  if (!best) return undefined;
  const first = { at: placeOf(best.at ?? one.from), steps: best.steps };
  // The cable is a place of its own, whichever end it is begun at.
  const other = ranked.find(
    (cause) => cause.at && cause !== best && (cause.at.id !== first.at.id || cause.kind === 'fibre'),
  );
  const caveats = caveatsOf(one);
  return {
    causes: ranked,
    first,
    ...(other?.at && { next: { at: placeOf(other.at), steps: other.steps } }),
    confidence: confidenceOf(best, ranked[1], caveats.length),
    caveats,
  };
};

const caveatsOf = ({ from, to, linkedForSeconds }: Case): string[] => [
  ...(from.rates.length === 0 ? [`the counters of ${from.name} are not known`] : []),
  ...(judgeLight(from.lanes, 'tx') === 'unknown' || judgeLight(to.lanes, 'rx') === 'unknown'
    ? ['optical power is not known at both ends']
    : []),
  ...(Math.max(to.rates.length, from.rates.length) < 2
    ? [`from ${secondsOf(to)} s: one interval so far`]
    : []),
  ...(linkedForSeconds !== undefined && linkedForSeconds < 60
    ? ['the link came up less than a minute ago']
    : []),
];

const secondsOf = ({ rates: [now] }: Case['to']): string =>
  String(Math.max(1, Math.round(now?.seconds ?? 0)));

const confidenceOf = (best: Cause, second: Cause | undefined, caveats: number): Verdict['confidence'] => {
  const lead = best.weight - (second?.weight ?? 0);
  if (caveats >= 2 || lead < 10) return 'low';
  return best.weight >= 100 && caveats === 0 ? 'high' : 'medium';
};
