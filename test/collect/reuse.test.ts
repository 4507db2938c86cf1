import { describe, expect, test } from 'vitest';
import { reuse } from '../../src/collect/reuse.ts';

describe('what did not change since the last reading is kept once', () => {
  const before = {
    ports: [
      { port: 'te1', counts: { rx: 5n, crc: 0n } },
      { port: 'te2', up: true },
    ],
    more: {},
  };

  test('an equal value is the one from before', () => {
    expect(reuse(before, structuredClone(before))).toBe(before);
  });

  test('a changed value holds the parts that did not change, and nothing of what did', () => {
    const fresh = structuredClone(before);
    fresh.ports[0] = { port: 'te1', counts: { rx: 6n, crc: 0n } };
    const wanted = structuredClone(fresh);
    const got = reuse(before, fresh);
    expect(got).toEqual(wanted);
    expect(got).toHaveProperty('more', before.more);
    expect((got as typeof before).ports[1]).toBe(before.ports[1]);
    expect(before.ports[0]).toEqual({ port: 'te1', counts: { rx: 5n, crc: 0n } });
  });

  test.each<[string, unknown, unknown]>([
    ['a field is gone', { a: 1, b: 2 }, { a: 1 }],
    ['a field is new', { a: 1 }, { a: 1, b: 2 }],
    ['a field is there without a value', { a: 1 }, { a: 1, b: undefined }],
    ['a row is gone', [1, 2], [1]],
    ['a row is new', [1], [1, 2]],
    ['a list became a record', [1], { 0: 1 }],
    ['a record became a list', { 0: 1 }, [1]],
    ['a number became text', { a: 1 }, { a: '1' }],
    ['a number became a long one', { a: 1 }, { a: 1n }],
    ['it was nothing', undefined, { a: 1 }],
    ['it is nothing', { a: 1 }, null],
    ['sets are not compared', new Set([1]), new Set([2])],
  ])('%s', (_what, old, fresh) => {
    const wanted = structuredClone(fresh);
    expect(reuse(old, fresh)).toStrictEqual(wanted);
  });
});
