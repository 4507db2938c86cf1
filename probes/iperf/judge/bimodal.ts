import { mean, median } from './samples.ts';

/** Two levels in one set of figures. */
export interface TwoLevels {
  high: number;
  low: number;
  highCount: number;
  lowCount: number;
}

const isNear = (value: number, level: number, high: number): boolean =>
  Math.abs(value - level) <= Math.max(0.12 * level, 0.03 * high);

/**
 * The same over time: an interval in which the level changed is a mixture of both, so up to three in ten may lie between. Gives how
 * many do.
 */
export const levelsInTime = (values: readonly number[]): (TwoLevels & { between: number }) | undefined => {
  const whole = twoLevels(values);
  if (whole) return { ...whole, between: 0 };
  const sorted = values.toSorted((a, b) => a - b);
  const at = bestSplit(sorted);
  const [low, high] = [median(sorted.slice(0, at)), median(sorted.slice(at))];
  const kept = values.filter((one) => isNear(one, low, high) || isNear(one, high, high));
  const two = kept.length >= values.length * 0.7 ? twoLevels(kept) : undefined;
  return two && { ...two, between: values.length - kept.length };
};

/** Turning points of one kind lie on one level when none is further from their middle. */
const turnShare = 0.25;

const isOneLevel = (values: readonly number[]): boolean => {
  const middle = median(values);
  return values.every((one) => Math.abs(one - middle) <= middle * turnShare);
};

/**
 * A rate that goes up and down between the same two levels faster than intervals can follow: most of them are mixtures, and only the
 * turning points show the levels. Three of one kind and two of the other at least, a factor two apart; a ramp has none, and the peaks
 * of a rate that wanders differ.
 */
export const swingsInTime = (values: readonly number[]): (TwoLevels & { between: number }) | undefined => {
  const inner = values
    .slice(1, -1)
    .map((value, at) => ({ value, before: values[at] ?? 0, after: values[at + 2] ?? 0 }));
  const peaks = inner.flatMap(({ value, before, after }) =>
    value > before && value >= after ? [value] : [],
  );
  const dips = inner.flatMap(({ value, before, after }) => (value < before && value <= after ? [value] : []));
  const enough = Math.min(peaks.length, dips.length) >= 2 && Math.max(peaks.length, dips.length) >= 3;
  if (!enough || !isOneLevel(peaks) || !isOneLevel(dips)) return undefined;
  const [high, low] = [median(peaks), median(dips)];
  return high >= 2 * low
    ? {
        high,
        low,
        highCount: peaks.length,
        lowCount: dips.length,
        between: values.length - peaks.length - dips.length,
      }
    : undefined;
};

const deviation = (values: readonly number[]): number => {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((one) => (one - middle) ** 2)));
};

/** Where sorted figures part best in two: how many belong to the lower part; 0 when there are fewer than two. */
const bestSplit = (sorted: readonly number[]): number => {
  let best = { at: 0, inside: Infinity };
  for (let at = 1; at < sorted.length; at++) {
    const inside =
      deviation(sorted.slice(0, at)) ** 2 * at + deviation(sorted.slice(at)) ** 2 * (sorted.length - at);
    if (inside < best.inside) best = { at, inside };
  }
  return best.at;
};

/**
 * Whether figures lie on two levels: the best split in two, levels a factor (1.4) apart, the gap between the groups wider
 * than twice what they scatter, and at least `least` figures (and a sixth) on each level. A ramp has no gap and is none.
 */
export const twoLevels = (values: readonly number[], least = 2, ratio = 1.4): TwoLevels | undefined => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = bestSplit(sorted);
  if (at === 0) return undefined;
  const [lows, highs] = [sorted.slice(0, at), sorted.slice(at)];
  const [low, high] = [mean(lows), mean(highs)];
  const gap = (highs[0] ?? 0) - (lows.at(-1) ?? 0);
  const scatter = Math.max(deviation(lows), deviation(highs));
  const enough = Math.min(lows.length, highs.length) >= Math.max(least, Math.ceil(sorted.length / 6));
  return enough && high >= low * ratio && gap > Math.max(2 * scatter, 0.15 * high)
    ? { high, low, highCount: highs.length, lowCount: lows.length }
    : undefined;
};
