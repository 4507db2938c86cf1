import { expect, test } from 'vitest';
import { recentQuestions } from '../../src/collect/history-cache.ts';
import type { Point } from '../../src/model/reading.ts';

const recent = (points: readonly Point[]) => {
  let asked = 0;
  let now = 600_000;
  const {
    listChanged: changedSince,
    changes,
    noteWritten: written,
  } = recentQuestions(
    {
      listChanged: () => {
        asked += 1;
        return [{ series: 'slurm/node/n1/state', points }];
      },
      changes: (_series, since) => {
        asked += 1;
        return points.filter(({ at }) => at >= since);
      },
    },
    () => now,
  );
  return {
    ask: (since: number) => changedSince('slurm/node/', since),
    askOne: (since: number) => changes('slurm/node/n1/state', since),
    written,
    asked: () => asked,
    pass: (ms: number) => (now += ms),
  };
};

test('a question is asked once a minute, and an answer is not kept longer', () => {
  const { ask, asked, pass } = recent([{ at: 70_000, value: 'UP' }]);
  ask(60_000);
  pass(59_000);
  ask(60_500);
  expect(asked()).toBe(1);
  pass(1000);
  ask(60_000);
  expect(asked()).toBe(2);
});

test('what we wrote makes the answer void, what it is not part of does not', () => {
  const { ask, asked, written } = recent([{ at: 70_000, value: 'UP' }]);
  ask(60_000);
  written([{ series: 'slurm/node/n1/state', value: 'DRAIN' }]);
  ask(60_000);
  written([{ series: 'slurm/partition/batch/out', value: 1 }]);
  ask(60_000);
  written([]);
  ask(60_000);
  expect(asked()).toBe(2);
});

test('what lies before the asked time is left off, to the millisecond', () => {
  const points = [
    { at: 60_100, value: 'UP' },
    { at: 60_200, value: 'DRAIN' },
  ];
  const { ask } = recent(points);
  expect(ask(60_100)).toEqual([{ series: 'slurm/node/n1/state', points }]);
  expect(ask(60_101)).toEqual([{ series: 'slurm/node/n1/state', points: points.slice(1) }]);
  expect(ask(60_201)).toEqual([]);
});

test('one series is asked for once a minute, from the earliest time on; what we write of it makes it void', () => {
  const points = [
    { at: 60_100, value: 'UP' },
    { at: 130_000, value: 'DRAIN' },
  ];
  const { askOne, asked, pass, written } = recent(points);
  expect(askOne(120_500)).toEqual(points.slice(1));
  expect(askOne(130_001)).toEqual([]);
  expect(asked()).toBe(1);
  expect(askOne(0)).toEqual(points);
  expect(askOne(60_101)).toEqual(points.slice(1));
  expect(asked()).toBe(2);
  written([{ series: 'slurm/node/n2/state', value: 'UP' }]);
  askOne(0);
  expect(asked()).toBe(2);
  written([{ series: 'slurm/node/n1/state', value: 'UP' }]);
  askOne(0);
  expect(asked()).toBe(3);
  pass(60_000);
  askOne(0);
  expect(asked()).toBe(4);
});
