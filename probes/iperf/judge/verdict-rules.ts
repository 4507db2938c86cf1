import { percent } from '../../../src/text/units.ts';
import { gbit } from '../read/result.ts';
import {
  isAtLineRate,
  bufferOverWindow,
  windowBps,
  type Found,
  warn,
  heavyLossShare,
  isFlat,
  isSlowBack,
  type Known,
  type Rule,
  isLost,
  lossShare,
  resentShare,
  resentLaterShare,
  sentSegments,
} from './measured.ts';
import { bimodalPort, bimodalTime } from './rule-levels.ts';
import { sharedLine } from './rule-shared.ts';
import { noFullSegment, smallPath } from './rule-path.ts';
import { cpuText, explainSlow } from './rule-slow.ts';
import { mean } from './samples.ts';
import type { Around, Verdict } from './verdict.ts';

/** From this share of its threads on iperf3 itself is the limit. */
const busyShare = 0.9;

const lineRate: Rule = ({ bps, lineBps }) =>
  lineBps !== undefined && isAtLineRate(bps, lineBps)
    ? {
        kind: 'lineRate',
        sign: 'fine',
        text: `at line rate, ${gbit(bps)} of ${gbit(lineBps)} Gbit/s`,
        evidence: [],
      }
    : undefined;

const loss: Rule = (known) => {
  const share = resentShare(known);
  if (!isLost(known)) return undefined;
  if ((resentLaterShare(known) ?? share) < lossShare) return undefined;
  // A shaper drops as well, but holds its rate: then the limit is the story and not the drops.
  if (
    known.samples.intervals.length >= 3 &&
    share < heavyLossShare &&
    isFlat(known.samples.intervals) &&
    isSlowBack(known)
  )
    return undefined;
  return warn(
    'loss',
    `loses ${percent(share)} of its segments, ${gbit(known.bps)} Gbit/s`,
    `${known.samples.retransmits} retransmits in ${Math.round(sentSegments(known))} segments sent`,
  );
};

/**
 * Half of the receiver's buffer is what Linux gives to the window before 6.6 (tcp_adv_win_scale); since then it goes by what packets
 * really take and reaches most of the buffer. Above the half it is the window only where nothing else is seen: no loss, flat, and alike
 * in both directions.
 */
const windowLimited: Rule = (known) => {
  const { bps, windowBytes } = known;
  const most = windowBps(known);
  if (windowBytes === undefined || most === undefined) return undefined;
  const { retransmits, intervals } = known.samples;
  const isElse = (retransmits ?? 1) > 0 || !isFlat(intervals) || isSlowBack(known);
  if (bps <= most * 0.5 || bps > most * (isElse ? 1.15 : bufferOverWindow)) return undefined;
  const isHalf = bps <= most * 1.15;
  const upTo = (value: number, text: (value: number) => string | number): string =>
    isHalf ? `${text(value)}` : `${text(value)} to ${text(value * bufferOverWindow)}`;
  const bytes = upTo(windowBytes / 1000, Math.round);
  const { windowBy } = known;
  const found = warn(
    'window',
    `limited by the window: ${bytes} kB at ${known.rttMs} ms carry ${upTo(most, gbit)} Gbit/s`,
    `bandwidth x RTT: line rate needs a larger window than ${bytes} kB`,
    ...(windowBy === undefined ? [] : [windowBy.text]),
  );
  return windowBy?.host === undefined
    ? found
    : { ...found, suspects: [{ host: windowBy.host, cause: 'window' }] };
};

const oneStream: Rule = ({ bps, several, streams, lineBps }) =>
  streams === 1 &&
  several !== undefined &&
  several.bps >= bps * 1.25 &&
  (lineBps === undefined || isAtLineRate(several.bps, lineBps))
    ? warn(
        'oneStream',
        `one stream gives ${gbit(bps)}, ${several.streams} streams ${gbit(several.bps)} Gbit/s`,
        `${several.streams} streams together reach ${gbit(several.bps)} Gbit/s: the link is fine, one flow is not`,
      )
    : undefined;

/** The same, told by the test with several streams where that came last. */
const severalOnly: Rule = ({ bps, single, streams, lineBps }) =>
  streams > 1 &&
  single !== undefined &&
  bps >= single.bps * 1.25 &&
  (lineBps === undefined ? false : isAtLineRate(bps, lineBps) && single.bps < lineBps * 0.8)
    ? warn(
        'oneStream',
        `one stream gives ${gbit(single.bps)}, ${streams} streams ${gbit(bps)} Gbit/s`,
        `${streams} streams together reach ${gbit(bps)} Gbit/s: the link is fine, one flow is not`,
      )
    : undefined;

/** iperf3 itself is at its limit: one thread, from 3.16 on one for each stream. */
const cpu: Rule = ({ bps, cpu: ends = [] }) => {
  const [worst] = ends
    .filter(({ percent: taken, threads }) => taken >= busyShare * 100 * threads)
    .toSorted((a, b) => b.percent / b.threads - a.percent / a.threads);
  return (
    worst && {
      ...warn(
        'cpu',
        `bound by the CPU of ${worst.host} (${worst.role}) at ${gbit(bps)} Gbit/s: ${Math.round(worst.percent)} % of ${worst.threads === 1 ? 'a core' : `${worst.threads} cores`}`,
        ...ends.map(cpuText),
      ),
      suspects: [{ host: worst.host, cause: 'cpu' }],
    }
  );
};

const interrupts: Rule = ({ bps, interrupts: which = [] }) =>
  which[0]
    ? {
        ...warn(
          'interrupts',
          `bound by interrupts at ${gbit(bps)} Gbit/s: ${which[0].text}`,
          ...which.map(({ text }) => text),
        ),
        suspects: which.map(({ host }) => ({ host, cause: 'interrupts' as const })),
      }
    : undefined;

const oneWay: Rule = (known) =>
  isSlowBack(known) && known.back
    ? warn(
        'oneWay',
        `slow this way only: ${gbit(known.bps)} against ${gbit(known.back.bps)} Gbit/s back`,
        `the other direction gives ${gbit(known.back.bps)} Gbit/s`,
      )
    : undefined;

const explainDropped: Rule = ({ bps, baseline }) =>
  baseline !== undefined && baseline.count >= 3 && bps < baseline.bps * 0.8
    ? warn(
        'dropped',
        `dropped to ${gbit(bps)} from its usual ${gbit(baseline.bps)} Gbit/s`,
        `median of ${baseline.count} earlier tests: ${gbit(baseline.bps)} Gbit/s`,
      )
    : undefined;

/** From what is proven best to what is merely seen: the first that holds is the verdict. */
const rules: readonly Rule[] = [
  sharedLine,
  bimodalTime,
  bimodalPort,
  severalOnly,
  lineRate,
  cpu,
  smallPath,
  loss,
  windowLimited,
  oneStream,
  interrupts,
  oneWay,
  explainDropped,
  explainSlow,
];

/** Nothing is wrong, and what the line could do is not known or nearly reached. */
const explainSteady = ({ bps, lineBps }: Known, saidBps: number | undefined): Found => {
  const share =
    lineBps !== undefined
      ? `${percent(bps / lineBps)} of line rate`
      : saidBps === undefined
        ? 'line rate not known'
        : `more than the ${gbit(saidBps)} Gbit/s that a link here is said to have`;
  return { kind: 'steady', sign: 'fine', text: `${gbit(bps)} Gbit/s, ${share}`, evidence: [] };
};

/** Nothing is faster than its link: what is by more than a timer's fault shows that the link's speed is another, and not known. */
const mostOfLine = 1.05;

/** The verdict on one direction: the first that holds, from what is proven best to what is merely seen. Pure. */
export const verdictOf = (around: Around): Verdict => {
  const { samples, error } = around;
  const blackhole = noFullSegment(around);
  if (blackhole) return { ...blackhole, bps: samples?.total ?? 0, samples: samples?.intervals.length ?? 0 };
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
  const { lineBps, ...others } = around;
  const isCredible = lineBps !== undefined && bps <= lineBps * mostOfLine;
  const known: Known = { ...others, ...(isCredible && { lineBps }), samples, bps };
  const found =
    rules.map((rule) => rule(known)).find((one) => one !== undefined) ?? explainSteady(known, lineBps);
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
