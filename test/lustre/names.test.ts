import { expect, test } from 'vitest';
import { cutWithCount, summary } from '../../probes/lustre/judge/names.ts';

const every = (step: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `work-OST${(at * step).toString(16).padStart(4, '0')}`);
const line = (names: readonly string[]): string =>
  summary(...cutWithCount(names, ' kept from new objects: degraded'));

test('a set that is cut is counted', () => {
  expect(line(every(9, 12))).toMatch(
    /^work-OST\[0000,0009,.*… \(12 in all\) kept from new objects: degraded$/,
  );
});

test('one that fits, or is a run, is not', () => {
  expect(line(every(9, 2))).toBe('work-OST[0000,0009] kept from new objects: degraded');
  expect(line(every(1, 96))).toBe('work-OST[0000-005f] kept from new objects: degraded');
});
