import { describe, expect, test } from 'vitest';
import { comparedTable, comparePrograms, ratioOf } from '../bench/compare.ts';
import type { Part } from '../bench/parts.ts';
import { table, within } from '../bench/row.ts';

const programs = [
  { name: 'old', file: 'old.mjs', without: [] },
  { name: 'new', file: 'new.mjs', without: [] },
] as const;
const part: Part = { name: 'start', program: async () => [] };

/** What each program gives, run after run, and the order in which they were run. */
const compareFigures = async (figures: Readonly<Record<string, readonly (number | undefined)[]>>) => {
  const order: string[] = [];
  const bars = await comparePrograms([...programs], [part], 3, async (_, { name }) => {
    const value = figures[name]?.[order.filter((other) => other === name).length];
    order.push(name);
    return [{ what: 'start', unit: 'ms', ...(value !== undefined && { value }) }];
  });
  return { bars, order };
};

describe('bench compare', () => {
  test('runs the two in turn, the other one first each time', async () => {
    const { order } = await compareFigures({});
    expect(order).toEqual(['old', 'new', 'new', 'old', 'old', 'new']);
  });

  test('divides pair by pair: a machine that slows down for both changes no ratio', async () => {
    const { bars } = await compareFigures({ old: [10, 20, 40], new: [11, 22, 44] });
    expect(bars[0] && ratioOf(bars[0])).toEqual({ median: 1.1, lowest: 1.1, highest: 1.1 });
    expect(comparedTable(bars)).toMatch(
      /start +20\.0 ms +22\.0 ms +1\.10 +1\.10 to 1\.10 +MORE in each pair/,
    );
  });

  test('says nothing where the pairs do not agree', async () => {
    const { bars } = await compareFigures({ old: [10, 10, 10], new: [9, 11, 12] });
    expect(comparedTable(bars)).toMatch(/start .* 1\.10 +0\.90 to 1\.20$/m);
  });

  test('a pair without both figures gives no ratio, nor does one that began with nothing', async () => {
    const { bars } = await compareFigures({ old: [10, undefined, 0], new: [5, 5, 5] });
    expect(bars[0]?.pairs).toEqual([
      [10, 5],
      [undefined, 5],
      [0, 5],
    ]);
    expect(bars[0] && ratioOf(bars[0])).toEqual({ median: 0.5, lowest: 0.5, highest: 0.5 });
  });
});

test('a budget that was not measured counts as missed, a figure without one as neither', () => {
  const rows = [
    within('a', 3, 2, 'ms'),
    { what: 'b', unit: 'ms', limit: 2 },
    { what: 'c', unit: 'ms', value: 1 },
  ];
  expect(
    table(rows)
      .split('\n')
      .map((line) => line.trimEnd()),
  ).toEqual([
    'what  budget   measured',
    'a     <= 2 ms  3.0 ms        MISSED',
    'b     <= 2 ms  not measured  MISSED',
    'c     -        1.0 ms',
  ]);
});
