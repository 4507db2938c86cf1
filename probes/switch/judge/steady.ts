import type { Judgement } from '../../../src/model/system.ts';
import type { Port } from '../readings.ts';
import { upSinceOf } from './link-ups.ts';
import type { PortRates } from './rates.ts';
import { isOverWarning, severityOf } from './severity.ts';
import { damagedFrames, loadSeries, totalSeries } from './track.ts';

const hourMs = 3_600_000;
/** The first errors of a link that came up are no fault. */
const settleMs = 60_000;
/** A shorter span is what the samples at hand show: `status` has two, 2 s apart, and asked a few times it has more. */
const shortestMs = 5_000;
/** So many rises with so many frames make a rate; fewer are what happens once. */
const leastRises = 4;
const leastFrames = 6;
/** So many times longer than usual without a bad frame, and it is over: at a steady rate one of 400 gaps is that long (Poisson). */
const overAfter = 6;

interface Count {
  /** UTC ms. */
  at: number;
  value: number;
}

/** How much each point is more than the one before it; less where the counter was cleared. */
const risesOf = (points: readonly Count[]): readonly number[] =>
  points.map(({ value }, index) => value - (points[index - 1]?.value ?? value));

const sinceCleared = (points: readonly Count[]): readonly Count[] =>
  points.slice(
    Math.max(
      0,
      risesOf(points).findLastIndex((by) => by < 0),
    ),
  );

/** Since a rise that holds more than half of all: a burst, or a time in which nobody looked. */
const sinceBurst = (points: readonly Count[]): readonly Count[] => {
  const rises = risesOf(points);
  const most = Math.max(0, ...rises);
  return 2 * most > rises.reduce((sum, by) => sum + by, 0) ? points.slice(rises.indexOf(most)) : points;
};

/**
 * Bad frames that go on and are too few for the newest samples to show: the same interval with the count of up to an hour, as this and
 * earlier consoles wrote it down (`at`: of the newest sample, UTC ms). A pane that is watched asks every 2 s: there 1.2/s are two frames.
 * Undefined: they do not go on, or are too few for the threshold.
 */
export const steadyRate = (
  id: string,
  port: Port,
  rates: readonly PortRates[],
  at: number,
  judgement: Judgement,
): PortRates | undefined => {
  const total = damagedFrames(port);
  const [now] = rates;
  if (now?.rxPackets === undefined || (now.linkChanges ?? 0) > 0) return undefined;
  if (total === undefined || total === 0n || severityOf(rates, judgement) !== undefined) return undefined;
  const { history } = judgement;
  const written = history.changes(totalSeries(id), at - hourMs);
  if (written.length < leastRises) return undefined;
  const from = (upSinceOf(id, judgement) ?? -Infinity) + settleMs;
  const points = sinceBurst(
    sinceCleared(
      [...written, { at, value: total }]
        .map((point) => ({ at: point.at, value: Number(point.value) }))
        .filter((point) => point.at >= from && point.at <= at),
    ),
  );
  const first = points[0];
  const rises = risesOf(points);
  const rose = points.filter((_point, index) => (rises[index] ?? 0) > 0);
  const last = rose.at(-1);
  if (!first || !last || rose.length < leastRises) return undefined;
  const [span, frames] = [at - first.at, Number(total) - first.value];
  if (span < shortestMs || frames < leastFrames) return undefined;
  if (at - last.at > (overAfter * (last.at - first.at)) / rose.length) return undefined;
  const seconds = span / 1000;
  // The busiest that was seen: the share is rather too small than too large.
  const load = Math.max(
    now.rxPackets,
    ...history.changes(loadSeries(id), first.at).map(({ value }) => Number(value)),
  );
  const rate = frames / seconds;
  const rxShare = rate / (load + rate);
  const longer = { ...now, seconds, rxBadCount: BigInt(frames), rxBad: rate, rxShare };
  return isOverWarning(longer, judgement) ? longer : undefined;
};
