import type { Part } from './parts.ts';
import type { Program } from './program.ts';
import { columns, figure, quantile, type Row } from './row.ts';

/** A bar of both programs: what each pair of runs gave, `undefined` where one gave nothing. */
export interface Compared {
  what: string;
  unit: string;
  pairs: readonly (readonly [before: number | undefined, after: number | undefined])[];
}

/** After divided by before, pair by pair; absent when no pair has both, or what was before is zero. */
export interface Ratio {
  median: number;
  lowest: number;
  highest: number;
}

export type Measure = (part: Part, program: Program) => Promise<readonly Row[]>;

/**
 * Measures each part with both programs in turn, `rounds` times over, the other one first each time: what else the machine does meets both.
 * Bars keep the order in which they come.
 */
export const comparePrograms = async (
  [before, after]: readonly [Program, Program],
  parts: readonly Part[],
  rounds: number,
  measure: Measure,
): Promise<Compared[]> => {
  const bars = new Map<string, { unit: string; pairs: [number | undefined, number | undefined][] }>();
  for (let round = 0; round < rounds; round++) {
    for (const part of parts) {
      const sides = round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const);
      for (const side of sides) {
        for (const { what, unit, value } of await measure(part, side === 0 ? before : after)) {
          const bar = bars.get(what) ?? {
            unit,
            pairs: Array.from({ length: rounds }, () => [undefined, undefined]),
          };
          const pair = bar.pairs[round];
          if (pair) pair[side] = value;
          bars.set(what, bar);
        }
      }
    }
  }
  return [...bars].map(([what, bar]) => ({ what, ...bar }));
};

export const ratioOf = ({ pairs }: Compared): Ratio | undefined => {
  const ratios = pairs.flatMap(([before, after]) =>
    before === undefined || after === undefined || before <= 0 ? [] : [after / before],
  );
  if (ratios.length === 0) return undefined;
  return { median: quantile(ratios, 0.5), lowest: Math.min(...ratios), highest: Math.max(...ratios) };
};

/** From so many pairs on "each pair says so" is said: one or two can be chance. */
const TELLING = 3;

const verdict = (ratio: Ratio | undefined, rounds: number): string => {
  if (!ratio || rounds < TELLING) return '';
  if (ratio.lowest > 1) return 'MORE in each pair';
  return ratio.highest < 1 ? 'less in each pair' : '';
};

export const comparedTable = (bars: readonly Compared[]): string =>
  columns([
    ['what', 'before', 'after', 'after/before', 'lowest to highest', ''],
    ...bars.map((bar) => {
      const ratio = ratioOf(bar);
      return [
        bar.what,
        side(bar, 0),
        side(bar, 1),
        ratio ? ratio.median.toFixed(2) : '-',
        ratio ? `${ratio.lowest.toFixed(2)} to ${ratio.highest.toFixed(2)}` : '-',
        verdict(ratio, bar.pairs.length),
      ];
    }),
  ]);

/** For comparison by other programs. */
export const comparedJson = (bars: readonly Compared[]): object[] =>
  bars.map((bar) => ({
    what: bar.what,
    unit: bar.unit,
    before: bar.pairs.map(([before]) => before ?? null),
    after: bar.pairs.map(([, after]) => after ?? null),
    ratio: ratioOf(bar) ?? null,
  }));

const side = ({ pairs, unit }: Compared, at: 0 | 1): string => {
  const values = pairs.flatMap((pair) => pair[at] ?? []);
  return values.length === 0 ? 'not measured' : `${figure(quantile(values, 0.5))} ${unit}`;
};
