import { gbit } from '../read/result.ts';
import { headerBytes } from './around-test.ts';
import { type Found, isLost, type Rule, warn } from './measured.ts';
import { mean } from './samples.ts';
import type { Around } from './verdict.ts';

/** So little gets through that connections come up and data does not, bits/s. */
const nothingBps = 5e6;

/** Small pings are answered, those of the MTU with DF are not, and no data comes: the path passes no full segment. */
export const noFullSegment = ({
  samples,
  rttMs,
  path,
  neverConnected,
  lineBps = 0,
}: Around): Found | undefined => {
  if (path?.full !== 0 || rttMs === undefined || neverConnected) return undefined;
  // The first interval is what filled the sender's buffer: where the later ones are there, they say what came through.
  const later =
    samples !== undefined && samples.intervals.length >= 3 ? mean(samples.intervals) : samples?.total;
  if ((later ?? 0) >= Math.max(nothingBps, lineBps / 100)) return undefined;
  const smaller = (path.standard ?? 0) > 0 ? ', those of 1500 are' : '';
  return warn(
    'mtu',
    `passes no full segment: pings of ${path.mtu} bytes with DF are not answered${smaller} (MTU)`,
    `small pings are answered in ${rttMs} ms`,
    ...(path.standard === undefined ? [] : [`pings of 1500 bytes with DF: ${path.standard} of 2 answered`]),
  );
};

/**
 * Both ends send full segments that the path does not pass: what comes through does so after time-outs, in smaller ones (RFC 4821). Then
 * what is lost or slow is lost or slow by that, and a far end of 1500, which asks for small segments itself, proves nothing.
 */
export const smallPath: Rule = (known) => {
  const { path, segmentBytes, lineBps, bps } = known;
  if (path?.full !== 0 || path.standard !== 2 || path.mtu <= 1500) return undefined;
  if (segmentBytes === undefined || segmentBytes + headerBytes < path.mtu) return undefined;
  const isSlow = lineBps !== undefined && bps < lineBps * 0.8;
  if (!isSlow && !isLost(known)) return undefined;
  return warn(
    'mtu',
    `${gbit(bps)} Gbit/s: both ends have an MTU of ${path.mtu}, the path passes no more than 1500`,
    `pings with DF: of 2 of ${path.mtu} bytes none is answered, of 1500 bytes both`,
    ...(known.samples.retransmits === undefined ? [] : [`${known.samples.retransmits} retransmits`]),
  );
};
