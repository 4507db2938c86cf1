import { describe, expect, it } from 'vitest';
import { runInTurn, Unreadable, runWithin, runTogetherWithin } from '../../src/collect/within-time.ts';

/** Ways in which code of a reader never ends. */
const endless: Readonly<Record<string, () => unknown>> = {
  'an exponential expression': () => /^(?:a+)+$/.test(`${'a'.repeat(60)}!`),
  'a loop': () => {
    for (;;);
  },
  'a loop that catches everything': () => {
    for (;;) {
      try {
        JSON.parse('{');
      } catch {
        continue;
      } finally {
        Math.random();
      }
    }
  },
};

describe('work under a deadline', () => {
  it.each(Object.entries(endless))('%s is ended', (_what, work) => {
    expect(() => runWithin(work, 100)).toThrow(Unreadable);
    expect(runWithin(() => 'next', 100)).toBe('next');
  });

  it('what ends in time gives what it gave, or throws what it threw', () => {
    expect(runWithin(() => 7)).toBe(7);
    expect(runWithin(() => undefined)).toBe(undefined);
    const fault = new TypeError('x is not a function');
    const work = (): never => {
      throw fault;
    };
    expect(() => runWithin(work)).toThrow(fault);
  });

  it('within another one the outer time holds', () => {
    const works: string[] = [];
    const outer = (): void => {
      runWithin(() => works.push('inner'), 1);
      works.push('outer');
      for (;;);
    };
    expect(() => runWithin(outer, 100)).toThrow(Unreadable);
    expect(works).toContain('outer');
  });

  it('works under one deadline: the one that does not end is found, and the others are done', () => {
    const works = [
      () => 1,
      (): number => {
        for (;;);
      },
      () => 3,
    ];
    const done = runTogetherWithin(
      () =>
        works.map((work) => {
          try {
            return runWithin(work, 50);
          } catch (error) {
            return error instanceof Unreadable ? 'did not end' : error;
          }
        }),
      100,
    );
    expect(done).toEqual([1, 'did not end', 3]);
    expect(() =>
      runTogetherWithin(() => {
        throw new TypeError('x');
      }, 100),
    ).toThrow(TypeError);
  });

  it('a machine that slept meanwhile is no fault of the work', () => {
    let times = 0;
    const work = (): number => {
      times += 1;
      // Waits without using the processor, as a stopped process does.
      if (times === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
      return times;
    };
    expect(runWithin(work, 100)).toBe(2);
  });

  it('a processor shared with many others is none either: the next try has as much more time as it had to wait', () => {
    let times = 0;
    const work = (): number => {
      times += 1;
      const slice = new Int32Array(new SharedArrayBuffer(4));
      const ends = performance.now() + 350;
      // A quarter of the processor: longer than the limit by the clock, shorter by what was used.
      while (performance.now() < ends) {
        const until = performance.now() + 5;
        while (performance.now() < until);
        Atomics.wait(slice, 0, 0, 15);
      }
      return times;
    };
    expect(runWithin(work, 200)).toBe(2);
  });

  it('of what came in together only the one that does not end is given up', async () => {
    const done = await Promise.allSettled([
      runInTurn(() => 'before'),
      runInTurn(() => {
        throw new Error('refused');
      }),
      runInTurn(() => endless['an exponential expression']?.()),
      runInTurn(() => 'after'),
    ]);
    expect(done.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message))).toEqual([
      'before',
      'refused',
      'not done within 2 s',
      'after',
    ]);
  });
});
