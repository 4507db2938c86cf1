import { gbit } from '../read/result.ts';
import { levelsInTime, swingsInTime, type TwoLevels, twoLevels } from './bimodal.ts';
import { warn, heavyLossShare, type Rule, resentShare } from './measured.ts';

/** Fewer intervals say nothing about levels in time. */
const leastIntervals = 5;
/** Where so many intervals lose nothing, losses do not make the rate. */
const apartShare = 1 / 3;
const levelsText = ({ high, low }: TwoLevels): string => `${gbit(high)} / ${gbit(low)} Gbit/s`;
/** Two rates in turn over time. */
export const bimodalTime: Rule = (known) => {
  const { samples } = known;
  if (samples.intervals.length < leastIntervals) return undefined;
  // A link that loses does so nearly always; a rate that jumps loses while it falls.
  if (resentShare(known) >= heavyLossShare && (samples.lossless ?? 0) < apartShare) return undefined;
  const two = levelsInTime(samples.intervals) ?? swingsInTime(samples.intervals);
  if (!two) return undefined;
  const text = `bimodal ${levelsText(two)} over ${samples.intervals.length} intervals`;
  const proof = `${two.highCount} intervals at ${gbit(two.high)} and ${two.lowCount} at ${gbit(two.low)} Gbit/s, ${two.between === 0 ? 'nothing' : two.between} between`;
  return { ...warn('bimodalTime', text, proof), lowBps: two.low };
};

/** Streams of one test share a link unevenly anyway: levels must be clear, and need four of them. */
export const bimodalPort: Rule = ({ samples, byPort }) => {
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
  return warn(
    'bimodalPort',
    `bimodal by source port: ${levelsText(two)}, a hash or one member link`,
    `slow: ports ${ports(true)}`,
    `fast: ports ${ports(false)}`,
  );
};
