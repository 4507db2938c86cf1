import { describe, expect, it } from 'vitest';
import { backoff } from '../../src/transport/backoff.ts';

describe('back-off', () => {
  it('doubles to a minute with jitter', () => {
    const delays = [1, 2, 3, 7, 50].map((n) =>
      [0, 1].map((random) => backoff({ kind: 'unreachable' }, n, random)),
    );
    expect(delays).toEqual([
      [500, 1000],
      [1000, 2000],
      [2000, 4000],
      [30_000, 60_000],
      [30_000, 60_000],
    ]);
  });
  it('stays short where no server program was reached, so that who asks every 10 s sees the host come back', () => {
    const most = [1, 4, 7, 50].map((n) => backoff({ kind: 'unreachable', untouched: true }, n, 1));
    expect(most).toEqual([1000, 8000, 8000, 8000]);
    expect(backoff({ kind: 'auth', untouched: true }, 1, 0)).toBe(60_000);
  });
  it('is long where a server counts tries', () => {
    expect([1, 2, 3, 9].map((n) => backoff({ kind: 'auth' }, n, 0) / 60_000)).toEqual([1, 5, 30, 30]);
  });
});
