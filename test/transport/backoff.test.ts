import { describe, expect, it } from 'vitest';
import { backoff } from '../../src/transport/backoff.ts';

describe('back-off', () => {
  it('doubles to a minute with jitter', () => {
    const delays = [1, 2, 3, 7, 50].map((n) => [backoff('unreachable', n, 0), backoff('unreachable', n, 1)]);
    expect(delays).toEqual([
      [500, 1000],
      [1000, 2000],
      [2000, 4000],
      [30_000, 60_000],
      [30_000, 60_000],
    ]);
  });
  it('is long where a server counts tries', () => {
    expect([1, 2, 3, 9].map((n) => backoff('auth', n, 0) / 60_000)).toEqual([1, 5, 30, 30]);
  });
});
