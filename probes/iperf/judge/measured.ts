import { median, type Samples } from './samples.ts';
import type { Around, Verdict, VerdictKind } from './verdict.ts';

/** At line rate from this share on: TCP on Ethernet carries 94.9 % of it with an MTU of 1500. */
const lineShare = 0.9;
/** Payload of a TCP segment with time stamps on an MTU of 1500. */
export const usualSegment = 1448;
/** A direction that was measured, bits/s. */
export type Known = Around & { samples: Samples; bps: number };
/** What a rule says of it. */
export type Found = Omit<Verdict, 'bps' | 'samples'>;
export type Rule = (known: Known) => Found | undefined;

export const warn = (kind: VerdictKind, text: string, ...evidence: string[]): Found => ({
  kind,
  sign: 'warning',
  text,
  evidence,
});

export const isAtLineRate = (bps: number, line: number | undefined): boolean =>
  line !== undefined && bps >= line * lineShare;

/** Share of the segments sent that had to be sent again; 0 when the tool did not count. */
export const resentShare = (known: Known): number => {
  const { retransmits } = known.samples;
  return retransmits === undefined || retransmits === 0 ? 0 : retransmits / sentSegments(known);
};

/** The same after the first interval, where the tool counts by interval: what is lost at the start only is TCP looking for its rate. */
export const resentLaterShare = (known: Known): number | undefined => {
  const { start, retransmits = 0, bytes, intervals } = known.samples;
  if (start === undefined || intervals.length < 3) return undefined;
  const later = {
    ...known.samples,
    bytes: bytes - start.bytes,
    retransmits: retransmits - start.retransmits,
  };
  return resentShare({ ...known, samples: later });
};

/** What arrived and what was sent again: never fewer than the retransmits. */
export const sentSegments = ({ samples, segmentBytes = usualSegment }: Known): number =>
  samples.bytes / segmentBytes + (samples.retransmits ?? 0);

/** iperf3 writes blocks of 128 kB: an interval of a second may begin and end with one of its neighbours', bits/s. */
const oneBlockMore = 2 * 131_072 * 8;

export const isFlat = (values: readonly number[]): boolean => {
  const middle = median(values);
  return values.every((one) => Math.abs(one - middle) <= Math.max(middle * 0.1, oneBlockMore));
};

/** The receiver's whole buffer over the half of it that is taken for the window. */
export const bufferOverWindow = 2;

/** bits/s that the window carries in a round trip; undefined where one of both is not known. */
export const windowBps = ({ windowBytes, rttMs = 0, streams }: Around): number | undefined =>
  windowBytes === undefined || rttMs <= 0 ? undefined : (windowBytes * 8 * streams) / (rttMs / 1000);

export const isSlowBack = ({ back, bps }: Known): boolean => back !== undefined && bps < back.bps * 0.7;

/** From here on the rate jumps by itself, as TCP backs off and comes back: two levels of it prove nothing. */
export const heavyLossShare = 0.02;

/** Retransmitted share of segments from which loss explains the rate. */
export const lossShare = 0.001;

/** So much was sent again that it is no accident. */
export const isLost = (known: Known): boolean =>
  resentShare(known) >= lossShare && (known.samples.retransmits ?? 0) >= 10;
