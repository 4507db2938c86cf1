import { percent } from '../../../src/text/units.ts';
import { gbit } from '../read/result.ts';
import type { IperfRun, RunsReading } from '../readings.ts';
import { isAtLineRate, type Rule, usualSegment } from './measured.ts';
import { smallPath } from './rule-path.ts';
import type { Samples } from './samples.ts';
import type { Others } from './verdict.ts';

/** Headers of Ethernet, IPv4 and TCP with time stamps, of each segment. */
const frameBytes = 66;
/** A receiver acknowledges every second segment. */
const segmentsToAck = 2;
/** Clocks that are taken as they are are off by 5 s each, and pings come before the test. */
const sameTestMs = 20_000;
/** Below this share of what the test itself sent the counters are those of another test, or the test went by another interface. */
const leastOwnShare = 0.9;
/** From this share of a NIC's speed on, others' traffic takes something from a test. */
const muchShare = 0.1;
/**
 * With the test it then fills the line: 91 % of it and more, over shaped wires beside 30 and 100 Mbit/s of UDP and eight streams of TCP on a
 * line of 200. A test that was held to 80 there beside 60 of others stays at 68 %, and is slow for a reason of its own (decision 0553).
 */
const fullShare = 0.85;

/**
 * The end of a test whose NIC is looked at. `data`: what the test itself sent that way; `back`: what came the other way, or nothing;
 * `segmentBytes`: payload of a segment where the MTU of both ends is known.
 */
interface End {
  host: string;
  does: Others['does'];
  reading: RunsReading | undefined;
  nic: string | undefined;
  lineBps: number | undefined;
  data: Samples;
  back: Samples | undefined;
  segmentBytes: number | undefined;
}

/** What the NIC carried less what the test sent: what is left is others'. Undefined: nobody counted this test on it. */
export const othersAt = (
  { client, server, startedAt }: IperfRun,
  { host, does, reading, nic, lineBps, data, back, segmentBytes = usualSegment }: End,
): Others | undefined => {
  const carried = reading?.carried?.find(
    ({ pair, at }) => pair === `${client}:${server}` && Math.abs(at - startedAt) <= sameTestMs,
  );
  const counted = carried?.nics.find((one) => one.nic === nic);
  if (!carried || !counted || carried.seconds <= 0) return undefined;
  const again = does === 'sent' ? (data.retransmits ?? 0) * segmentBytes : 0;
  const acks = ((back?.bytes ?? 0) / segmentBytes / segmentsToAck) * frameBytes;
  const own = (data.bytes + again) * (1 + frameBytes / segmentBytes) + acks;
  const all = does === 'sent' ? counted.txBytes : counted.rxBytes;
  if (all < data.bytes * leastOwnShare) return undefined;
  const bps = (Math.max(0, all - own) * 8) / carried.seconds;
  return { host, does, bps, ...(lineBps !== undefined && { lineBps }) };
};

/** `other traffic: b1 received 0.12 Gbit/s besides the test`. */
export const othersText = ({ host, does, bps }: Others): string =>
  `other traffic: ${host} ${does} ${gbit(bps)} Gbit/s besides the test`;

export const isMuch = ({ bps, lineBps }: Others, testLineBps: number): boolean =>
  bps >= muchShare * (lineBps ?? testLineBps);

/**
 * The NIC of one end was in use by others, with the test to the full: what a test then gives says nothing of the path. What pings have
 * shown of it before holds all the same.
 */
export const sharedLine: Rule = (known) => {
  const { bps, lineBps, others = [] } = known;
  if (lineBps === undefined || isAtLineRate(bps, lineBps) || smallPath(known)) return undefined;
  const [most] = others
    .filter((one) => isMuch(one, lineBps) && bps + one.bps >= fullShare * (one.lineBps ?? lineBps))
    .toSorted((a, b) => b.bps - a.bps);
  return (
    most && {
      kind: 'shared',
      sign: 'notice',
      text: `${gbit(bps)} Gbit/s on a line in use: ${most.host} ${most.does} ${gbit(most.bps)} Gbit/s of others meanwhile`,
      evidence: [
        ...others.map(othersText),
        `test and others together: ${percent((bps + most.bps) / (most.lineBps ?? lineBps))} of the line of ${most.host}`,
      ],
    }
  );
};
