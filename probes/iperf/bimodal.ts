import { mean } from './samples.ts';

/** Two levels in one set of figures. */
export interface TwoLevels {
  high: number;
  low: number;
  highCount: number;
  lowCount: number;
}

const deviation = (values: readonly number[]): number => {
  const middle = mean(values);
  return Math.sqrt(mean(values.map((one) => (one - middle) ** 2)));
};

/**
 * Whether figures lie on two levels: the best split in two, levels a factor (1.4) apart, the gap between the groups wider
 * than twice what they scatter, and at least `least` figures (and a sixth) on each level. A ramp has no gap and is none.
 */
export const twoLevels = (values: readonly number[], least = 2, ratio = 1.4): TwoLevels | undefined => {
  const sorted = values.toSorted((a, b) => a - b);
  let best: { at: number; inside: number } | undefined;
  for (let at = 1; at < sorted.length; at++) {
    const inside =
      deviation(sorted.slice(0, at)) ** 2 * at + deviation(sorted.slice(at)) ** 2 * (sorted.length - at);
    if (best === undefined || inside < best.inside) best = { at, inside };
  }
  if (best === undefined) return undefined;
  const [lows, highs] = [sorted.slice(0, best.at), sorted.slice(best.at)];
  const [low, high] = [mean(lows), mean(highs)];
  const gap = (highs[0] ?? 0) - (lows.at(-1) ?? 0);
  const scatter = Math.max(deviation(lows), deviation(highs));
  const enough = Math.min(lows.length, highs.length) >= Math.max(least, Math.ceil(sorted.length / 6));
  return enough && high >= low * ratio && gap > Math.max(2 * scatter, 0.15 * high)
    ? { high, low, highCount: highs.length, lowCount: lows.length }
    : undefined;
};
