import { describe, expect, it } from 'vitest';
import { memoryHistory } from '../../src/collect/history-memory.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const begin = Date.UTC(2026, 10, 20);

describe('a history in memory', () => {
  it('rolls numbers up after an hour to the last of each 5 minutes, and keeps states as they came', () => {
    const history = memoryHistory();
    for (let minute = 0; minute <= 120; minute += 1) {
      const at = begin + minute * MINUTE;
      history.record([{ series: 'rate', value: minute }], at);
      history.record([{ series: 'state', value: minute % 2 === 0 ? 'up' : 'down' }], at);
    }
    history.tidy(begin + 2 * HOUR);
    const values = history.changes('rate', 0).map(({ value }) => value);
    expect(values.slice(0, 3)).toEqual([4, 9, 14]);
    expect(values.slice(11)).toEqual([59, ...Array.from({ length: 61 }, (_, at) => 60 + at)]);
    expect(history.changes('state', 0)).toHaveLength(121);
  });

  it('keeps a day, and the last value of all however old it is', () => {
    const history = memoryHistory();
    history.record([{ series: 'state', value: 'up' }], begin);
    history.record([{ series: 'flag', value: 'R' }], begin);
    history.record([{ series: 'state', value: 'down' }], begin + HOUR);
    history.record([{ series: 'state', value: 'up' }], begin + 25 * HOUR);
    history.tidy(begin + 25 * HOUR + MINUTE);
    expect(history.changes('state', 0).map(({ value }) => value)).toEqual(['up']);
    expect(history.changes('flag', 0)).toEqual([{ at: begin, value: 'R' }]);
  });

  it('stays within its bound of points over 24 hours by keeping less time, the newest longest', () => {
    const most = 5_000;
    const history = memoryHistory([], most);
    const names = Array.from({ length: 100 }, (_, at) => `series/${at}`);
    let largest = 0;
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      const now = begin + minute * MINUTE;
      history.record(
        names.map((series) => ({ series, value: minute })),
        now,
      );
      history.tidy(now);
      if (minute % 60 !== 0 || minute < 180) continue;
      const counts = names.map((series) => history.changes(series, 0).length);
      largest = Math.max(
        largest,
        counts.reduce((sum, count) => sum + count, 0),
      );
    }
    expect(largest).toBeLessThan(most * 1.5);
    expect(history.changes('series/7', 0).at(-1)?.value).toBe(24 * 60 - 1);
  });
});
