import type { Clock } from '../model/ports.ts';

/** The machine's own clocks. `mono` counts from the start of the process and never jumps. */
export const realClock: Clock = {
  now: () => Date.now(),
  mono: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', settle);
        resolve();
      };
      const timer = setTimeout(settle, Math.max(0, ms));
      signal?.addEventListener('abort', settle);
    }),
};

/** Between two looks at the clock lies a second; this much more means the process was stopped or the machine slept. */
const GAP = 10_000;

/**
 * Tells whether the machine slept since the last look: the monotonic clock made a jump (SIGSTOP), or the wall clock ran on without
 * it (suspend; a clock set forward looks the same and does no harm). To be asked every second, and before anything due is begun.
 */
export const createSleepWatch = (clock: Clock): (() => boolean) => {
  let mono = clock.mono();
  let wall = clock.now();
  return () => {
    const passed = clock.mono() - mono;
    const passedWall = clock.now() - wall;
    mono += passed;
    wall += passedWall;
    return passed > GAP || passedWall - passed > GAP;
  };
};
