import type { Clock } from '../model/ports.ts';

/** A tick this much later than planned means the process was stopped or the machine slept. */
const GAP = 10_000;

/**
 * Tells after each wait whether the machine slept meanwhile: a wait far longer than asked for (SIGSTOP), or a wall clock that
 * ran on without the monotonic one (suspend; a clock set forward looks the same and does no harm).
 */
export const createSleepWatch = (clock: Clock): ((plannedMs: number) => boolean) => {
  let mono = clock.mono();
  let wall = clock.now();
  return (plannedMs) => {
    const passed = clock.mono() - mono;
    const passedWall = clock.now() - wall;
    mono += passed;
    wall += passedWall;
    return passed - plannedMs > GAP || passedWall - passed > GAP;
  };
};
