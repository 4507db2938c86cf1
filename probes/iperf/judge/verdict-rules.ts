import { percent } from '../../../src/text/units.ts';
import { levelsInTime, type TwoLevels, twoLevels } from './bimodal.ts';
import { gbit } from '../read/result.ts';
import { mean, median, type Samples } from './samples.ts';
import type { Around, Verdict, VerdictKind } from './verdict.ts';

/** At line rate from this share on: TCP on Ethernet carries 94.9 % of it with an MTU of 1500. */
const lineShare = 0.9;
/** Fewer intervals say nothing about levels in time. */
const leastIntervals = 5;
/** Retransmitted share of segments from which loss explains the rate. */
const lossShare = 0.001;
/** From here on the rate jumps by itself, as TCP backs off and comes back: two levels of it prove nothing. */
const heavyLossShare = 0.02;
const segment = 1448;

/** A direction that was measured, bits/s. */
type Known = Around & { samples: Samples; bps: number };
/** What a rule says of it. */
type Found = Omit<Verdict, 'bps' | 'samples'>;
type Rule = (known: Known) => Found | undefined;

const found = (kind: VerdictKind, text: string, ...evidence: string[]): Found => ({
  kind,
  sign: 'warning',
  text,
  evidence,
});

const levelsText = ({ high, low }: TwoLevels): string => `${gbit(high)} / ${gbit(low)} Gbit/s`;
const atLine = (bps: number, line: number | undefined): boolean =>
  line !== undefined && bps >= line * lineShare;

/** Share of the segments that had to be sent again; 0 when the tool did not count. */
const sentAgain = ({ samples }: Known): number =>
  samples.retransmits === undefined || samples.bytes === 0
    ? 0
    : samples.retransmits / (samples.bytes / segment);

const bimodalTime: Rule = (known) => {
  const { samples } = known;
  if (samples.intervals.length < leastIntervals || sentAgain(known) >= heavyLossShare) return undefined;
  const two = levelsInTime(samples.intervals);
  if (!two) return undefined;
  const text = `bimodal ${levelsText(two)} over ${samples.intervals.length} intervals`;
  const proof = `${two.highCount} intervals at ${gbit(two.high)} and ${two.lowCount} at ${gbit(two.low)} Gbit/s, ${two.between === 0 ? 'nothing' : two.between} between`;
  return { ...found('bimodalTime', text, proof), lowBps: two.low };
};

/** Streams of one test share a link unevenly anyway: levels must be clear, and need four of them. */
const bimodalPort: Rule = ({ samples, byPort }) => {
  const streams = samples.streams.flatMap(({ port, bps }) => (port === undefined ? [] : [{ port, bps }]));
  const chosen = streams.length >= 4 ? streams : (byPort ?? []);
  if (chosen.length < 4) return undefined;
  // Flows that compete for a full link are uneven by themselves: one test's streams must be further apart.
  const two = twoLevels(
    chosen.map(({ bps }) => bps),
    2,
    streams.length >= 4 ? 2 : 1.4,
  );
  if (!two) return undefined;
  const middle = (two.high + two.low) / 2;
  const ports = (slow: boolean): string =>
    chosen
      .filter(({ bps }) => bps < middle === slow)
      .map(({ port }) => port)
      .sort((a, b) => a - b)
      .join(', ');
  return found(
    'bimodalPort',
    `bimodal by source port: ${levelsText(two)}, a hash or one member link`,
    `slow: ports ${ports(true)}`,
    `fast: ports ${ports(false)}`,
  );
};

const lineRate: Rule = ({ bps, lineBps }) =>
  lineBps !== undefined && atLine(bps, lineBps)
    ? {
        kind: 'lineRate',
        sign: 'fine',
        text: `at line rate, ${gbit(bps)} of ${gbit(lineBps)} Gbit/s`,
        evidence: [],
      }
    : undefined;

const loss: Rule = (known) => {
  const share = sentAgain(known);
  if (share < lossShare || (known.samples.retransmits ?? 0) < 10) return undefined;
  // A shaper drops as well, but holds its rate: then the limit is the story and not the drops.
  if (
    known.samples.intervals.length >= 3 &&
    share < heavyLossShare &&
    isFlat(known.samples.intervals) &&
    isSlowBack(known)
  )
    return undefined;
  return found(
    'loss',
    `loses ${percent(share)} of its segments, ${gbit(known.bps)} Gbit/s`,
    `${known.samples.retransmits} retransmits in ${Math.round(known.samples.bytes / segment)} segments`,
  );
};

const isFlat = (values: readonly number[]): boolean => {
  const middle = median(values);
  return values.every((one) => Math.abs(one - middle) <= middle * 0.1);
};

const isSlowBack = ({ back, bps }: Known): boolean => back !== undefined && bps < back.bps * 0.7;

const windowLimited: Rule = ({ bps, windowBytes, rttMs, streams }) => {
  if (windowBytes === undefined || rttMs === undefined || rttMs <= 0) return undefined;
  const most = (windowBytes * 8 * streams) / (rttMs / 1000);
  return bps > most * 0.5 && bps <= most * 1.15
    ? found(
        'window',
        `limited by the window: ${Math.round(windowBytes / 1000)} kB at ${rttMs} ms carry ${gbit(most)} Gbit/s`,
        `bandwidth x RTT: line rate needs a larger window than ${Math.round(windowBytes / 1000)} kB`,
      )
    : undefined;
};

const oneStream: Rule = ({ bps, several, streams, lineBps }) =>
  streams === 1 &&
  several !== undefined &&
  several.bps >= bps * 1.25 &&
  (lineBps === undefined || atLine(several.bps, lineBps))
    ? found(
        'oneStream',
        `one stream gives ${gbit(bps)}, ${several.streams} streams ${gbit(several.bps)} Gbit/s`,
        `${several.streams} streams together reach ${gbit(several.bps)} Gbit/s: the link is fine, one flow is not`,
      )
    : undefined;

const interrupts: Rule = ({ bps, interrupts: which = [] }) =>
  which.length > 0
    ? found('interrupts', `bound by interrupts at ${gbit(bps)} Gbit/s: ${which[0]}`, ...which)
    : undefined;

const oneWay: Rule = (known) =>
  isSlowBack(known) && known.back
    ? found(
        'oneWay',
        `slow this way only: ${gbit(known.bps)} against ${gbit(known.back.bps)} Gbit/s back`,
        `the other direction gives ${gbit(known.back.bps)} Gbit/s`,
      )
    : undefined;

const dropped: Rule = ({ bps, baseline }) =>
  baseline !== undefined && baseline.count >= 3 && bps < baseline.bps * 0.8
    ? found(
        'dropped',
        `dropped to ${gbit(bps)} from its usual ${gbit(baseline.bps)} Gbit/s`,
        `median of ${baseline.count} earlier tests: ${gbit(baseline.bps)} Gbit/s`,
      )
    : undefined;

const slow: Rule = ({ bps, lineBps }) =>
  lineBps === undefined || bps >= lineBps * 0.8
    ? undefined
    : found('slow', `${gbit(bps)} Gbit/s, ${percent(bps / lineBps)} of line rate, cause not shown`);

/** From what is proven best to what is merely seen: the first that holds is the verdict. */
const rules: readonly Rule[] = [
  bimodalTime,
  bimodalPort,
  lineRate,
  loss,
  windowLimited,
  oneStream,
  interrupts,
  oneWay,
  dropped,
  slow,
];

/** Nothing is wrong, and what the line could do is not known or nearly reached. */
const steady = ({ bps, lineBps }: Known): Found => ({
  kind: 'steady',
  sign: 'fine',
  text: `${gbit(bps)} Gbit/s${lineBps === undefined ? ', line rate not known' : `, ${percent(bps / lineBps)} of line rate`}`,
  evidence: [],
});

/** The verdict on one direction: the first that holds, from what is proven best to what is merely seen. Pure. */
export const verdictOf = (around: Around): Verdict => {
  const { samples, error } = around;
  if (samples === undefined || samples.total <= 0)
    return {
      kind: error === undefined ? 'noData' : 'failed',
      sign: error === undefined ? 'unknown' : 'warning',
      text: error ?? 'no data',
      evidence: error === undefined ? [] : [error],
      bps: 0,
      samples: 0,
    };
  if (error !== undefined)
    return {
      kind: 'failed',
      sign: 'warning',
      text: `${error}; ${gbit(samples.total)} Gbit/s until then`,
      evidence: [error],
      bps: samples.total,
      samples: samples.intervals.length,
    };
  const bps = samples.intervals.length >= 3 ? mean(samples.intervals) : samples.total;
  const known: Known = { ...around, samples, bps };
  const found = rules.map((rule) => rule(known)).find((one) => one !== undefined) ?? steady(known);
  const count = samples.intervals.length;
  return {
    bps,
    samples: count,
    ...found,
    evidence: [
      ...found.evidence,
      `rests on ${count} ${count === 1 ? 'interval' : 'intervals'} (first and tail left out) of ${around.streams} ${around.streams === 1 ? 'stream' : 'streams'}`,
    ],
  };
};
