import type { Clock } from '../model/ports.ts';

/** The machine's own clocks. `mono` counts from the start of the process and never jumps. */
export const realClock: Clock = {
  now: () => Date.now(),
  mono: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.max(0, ms));
      signal?.addEventListener('abort', done);
    }),
};
