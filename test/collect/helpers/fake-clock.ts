import type { Clock } from '../../../src/model/ports.ts';

/** A clock that stands still until it is told to go on; everything due is run in order. */
export interface FakeClock extends Clock {
  /** Lets time pass, with all that happens meanwhile. */
  advance(ms: number): Promise<void>;
  /** A suspend: the wall clock runs on, the monotonic one does not. */
  suspend(ms: number): void;
  /** SIGSTOP: both run on, but no timer fires until the next `advance`. */
  freeze(ms: number): void;
}

interface Timer {
  at: number;
  fire(): void;
}

/** Twice: what came in during one turn is read at the end of it. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

export const createFakeClock = (start = Date.UTC(2026, 10, 20, 2, 0)): FakeClock => {
  let mono = 1000;
  let wall = start;
  const timers = new Set<Timer>();
  const pass = (ms: number): void => {
    mono += ms;
    wall += ms;
  };
  return {
    now: () => wall,
    mono: () => mono,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const fire = (): void => {
          timers.delete(timer);
          signal?.removeEventListener('abort', fire);
          resolve();
        };
        const timer = { at: mono + Math.max(0, ms), fire };
        timers.add(timer);
        signal?.addEventListener('abort', fire);
      }),
    advance: async (ms) => {
      const end = mono + ms;
      await settle();
      for (;;) {
        const next = [...timers].toSorted((a, b) => a.at - b.at)[0];
        if (!next || next.at > end) break;
        pass(Math.max(0, next.at - mono));
        next.fire();
        await settle();
      }
      pass(end - mono);
      await settle();
    },
    suspend: (ms) => {
      wall += ms;
    },
    freeze: (ms) => pass(ms),
  };
};
