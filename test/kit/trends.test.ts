import { describe, expect, test } from 'vitest';
import { memoryHistory } from '../../src/collect/history-memory.ts';
import { readTrack, trendCell, trendOf } from '../../src/kit/trends.ts';

const STEP = 300_000;
/** The begin of a step. */
const NOW = Date.UTC(2026, 10, 20, 3, 0, 0);

const course = { series: 'x/bad', read: ['x/core3'] };

/** `values`: of the step so many steps ago; `read`: the steps in which it was read. */
const historyOf = (
  values: readonly (readonly [ago: number, value: number | string])[],
  read: readonly number[],
) => {
  const history = memoryHistory();
  const marks = read.map((ago) => [ago, readTrack('x/core3', NOW - ago * STEP)] as const);
  const tracks = values.map(([ago, value]) => [ago, { series: 'x/bad', value }] as const);
  for (const [ago, track] of [...marks, ...tracks].toSorted((a, b) => b[0] - a[0]))
    history.record([track], NOW - ago * STEP);
  return history;
};

const all = Array.from({ length: 12 }, (_, ago) => ago);

describe('the course of the last hour', () => {
  test('is one height for every five minutes, the greatest value at full height', () => {
    const history = historyOf(
      [
        [11, 0],
        [2, 7],
        [1, 14],
        [0, 1],
      ],
      all,
    );
    expect(trendOf({ history, now: NOW }, course)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 7, 1]);
  });

  test('holds a value that did not change, also one that was written before the hour', () => {
    const history = historyOf([[40, 5]], all);
    expect(trendOf({ history, now: NOW }, course)).toEqual(Array.from({ length: 12 }, () => 7));
  });

  test('has a gap where nobody looked, and no nought there', () => {
    const history = historyOf(
      [
        [11, 5],
        [1, 5.5],
      ],
      [11, 10, 1, 0],
    );
    const trend = trendOf({ history, now: NOW }, course);
    expect(trend).toEqual([6, 6, null, null, null, null, null, null, null, null, 7, 7]);
  });

  test('is not known where nothing was read, whatever the history holds from before', () => {
    expect(trendOf({ history: historyOf([[40, 5]], []), now: NOW }, course)).toBeUndefined();
    expect(trendOf({ history: historyOf([], all), now: NOW }, course)).toBeUndefined();
    expect(trendCell({ history: historyOf([], all), now: NOW }, course)).toEqual({ text: '' });
  });

  test('a figure below what is of interest is drawn low, a little is not drawn as nothing', () => {
    const history = historyOf(
      [
        [3, 1],
        [2, 0],
        [1, 10],
      ],
      [3, 2, 1, 0],
    );
    const trend = trendOf({ history, now: NOW }, { ...course, top: 1000 });
    expect(trend?.slice(-4)).toEqual([1, 0, 1, 1]);
  });

  test('words and negative values make no height below nothing', () => {
    const history = historyOf(
      [
        [3, 'free'],
        [2, -4],
        [1, 3],
      ],
      [3, 2, 1],
    );
    expect(trendOf({ history, now: NOW }, course)?.slice(-4)).toEqual([null, 0, 7, null]);
  });

  test('is made anew when a minute is over, not at every question', () => {
    const history = historyOf([[1, 4]], [1, 0]);
    const first = trendOf({ history, now: NOW }, course);
    history.record([{ series: 'x/bad', value: 40 }], NOW + 1000);
    expect(trendOf({ history, now: NOW + 1000 }, course)).toBe(first);
    expect(trendOf({ history, now: NOW + 60_000 }, course)?.slice(-2)).toEqual([1, 7]);
  });
});
