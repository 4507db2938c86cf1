import type { PortRates } from '../judge/rates.ts';
import { hostOf, rate, type Case, type Cause, type SharedPart } from './case.ts';

/** Both ends are read at other moments: half of what is received here is enough. Much less than that, and this link does damage of its own. */
const mayComeFrom = ({ arriving }: Case['from'], bad: number): boolean =>
  arriving === undefined || arriving >= bad / 2;

/** Nearly all bad frames are marked as damaged elsewhere, or a switch that cuts through receives them: the fault is behind it. */
export const findUpstream = ({ from, to }: Case, now: PortRates): Cause | undefined => {
  const bad = now.rxBad ?? 0;
  const stomped = now.rxStomped ?? 0;
  const counted = stomped > 0 && stomped >= 0.8 * bad;
  const origins = from.origins ?? [];
  const passedOn = from.cutThrough === true && origins.length > 0 && mayComeFrom(from, bad);
  if (!counted && !passedOn) return undefined;
  const [origin] = origins;
  const first = origin?.from ?? origin?.at;
  const hops = origin?.through.length ?? 0;
  return {
    kind: 'upstream',
    weight: counted ? 120 : 95,
    text: `frames are damaged before ${hostOf(from.name)}, which forwards them (cut-through)`,
    evidence: [
      ...(counted ? [`${to.name} counts ${rate(stomped)}/s of ${rate(bad)}/s as stomped`] : []),
      ...origins.map(
        ({ at, from: sender, through }) =>
          `${at.name} receives bad frames${sender === undefined ? '' : ` from ${sender.name}`}${through.length > 0 ? `, on through ${through.join(', ')}` : ''}`,
      ),
    ],
    at: first ?? from,
    steps:
      origin === undefined
        ? [`find the port of ${hostOf(from.name)} that receives bad frames`, 'this link is probably fine']
        : [
            `look at the link into ${origin.at.name}${hops > 1 ? `, ${hops} switches upstream` : ''}`,
            'this link is probably fine',
          ],
  };
};

/** So many devices are unlikely to begin to send damage at the same time. */
const fewestDevices = 3;

/** What the links share is at fault rather than each of them: half of them suffer, on their way from or to several devices. */
const isSure = ({ bad, total, devices = fewestDevices }: SharedPart): boolean =>
  bad >= 2 && bad * 2 >= total && devices >= fewestDevices;

/** Neighbouring links are bad too: what they share is at fault, not each of them. */
export const findSharedPart = ({ from, to }: Case): Cause | undefined => {
  const ends = [to, from].filter(({ neighbours }) => (neighbours?.bad ?? 0) > 0);
  const end = ends.find(({ neighbours }) => neighbours && isSure(neighbours)) ?? ends[0];
  if (!end?.neighbours) return undefined;
  const { what, bad, total } = end.neighbours;
  const host = hostOf(end.name);
  const whole = what === host;
  return {
    kind: 'shared',
    // One other bad link may be a second fault.
    weight: isSure(end.neighbours) ? 100 : 55,
    values: { part: what, links: total + 1, bad: bad + 1 },
    part: end.neighbours,
    text: whole
      ? `${host} itself is bad: its other links suffer too`
      : `${what} of ${host} is bad: its other links suffer too`,
    evidence: [
      `${bad} of ${total} other links ${whole ? 'of' : 'on'} ${what} ${end === to ? 'receive bad frames' : 'carry bad frames that it sends'}`,
    ],
    at: end,
    steps: whole
      ? [`read the log of ${host} for errors of a card or ASIC`, `then reload or swap it`]
      : [`reseat ${what}`, 'then swap it'],
  };
};

/** So many intervals tell whether errors follow the load. */
const enough = 6;

/** Corruption is a share of any load (CorrOpt); what grows faster than the load is congestion or a buffer. */
export const congestion = ({ to, past = [] }: Case, now: PortRates): Cause | undefined => {
  const discards = (now.rxDiscards ?? 0) + (now.rxOverruns ?? 0);
  const follows = past.length >= enough && isVarying(past, 'share') && correlation(past) > 0.8;
  if (!follows && discards <= (now.rxBad ?? 0)) return undefined;
  return {
    kind: 'congestion',
    weight: follows ? (discards > 0 ? 90 : 70) : 30,
    text: `${to.name} is overrun rather than receiving damage`,
    cause: discards > 0 ? 'slow-receiver' : 'congestion',
    evidence: [
      ...(follows ? [`the share of bad frames follows the load (${past.length} intervals)`] : []),
      ...(discards > 0
        ? [`${rate(discards)} discards and overruns/s beside ${rate(now.rxBad ?? 0)} bad/s`]
        : []),
    ],
    at: to,
    steps: ['look at load, flow control and buffers before swapping any part'],
  };
};

/** Said of a part's fault: its share does not depend on the load. */
export const steadyEvidence = ({ past = [] }: Case): readonly string[] => {
  const tells = past.length >= enough && isVarying(past, 'load');
  return tells && (!isVarying(past, 'share') || Math.abs(correlation(past)) < 0.5)
    ? [`the share does not follow the load (${past.length} intervals): damage, not congestion`]
    : [];
};

type Past = NonNullable<Case['past']>;

/** Half as much again at the most as at the least: a share that only trembles follows nothing. */
const isVarying = (past: Past, what: 'share' | 'load'): boolean => {
  const values = past.map((one) => one[what]);
  return Math.max(...values) >= 1.5 * Math.min(...values);
};

const correlation = (points: Past): number => {
  const sum = (pick: (one: { share: number; load: number }) => number): number =>
    points.reduce((total, one) => total + pick(one), 0);
  const [share, load] = [sum((one) => one.share) / points.length, sum((one) => one.load) / points.length];
  const spread = Math.sqrt(sum((one) => (one.share - share) ** 2) * sum((one) => (one.load - load) ** 2));
  return spread === 0 ? 0 : sum((one) => (one.share - share) * (one.load - load)) / spread;
};
