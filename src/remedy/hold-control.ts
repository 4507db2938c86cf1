import { guard } from './guards.ts';
import type { Refused } from './plans.ts';

/** What must be typed. */
export const KEEP = 'keep';

/** With less time than this a `keep` could cross the undo on its way. */
const LATE_S = 5;

/** What is wanted of a held change. `leave`: the console goes, the armed undo stays. */
export type HoldWish = 'keep' | 'restore' | 'leave';

/** Between the operator and a run whose change is held. */
export interface HoldControl {
  /** `waiting`: it can be kept or restored now. */
  state: 'none' | 'waiting' | 'busy';
  /** Seconds until it is undone, set while it is held. */
  secondsLeft(): number;
  wish(wish: HoldWish): void;
  /** The wish, taken away with the reading; `leave` stays. */
  take(): HoldWish | undefined;
  /** Fires at the next wish. */
  signal(): AbortSignal;
}

export const createHoldControl = (): HoldControl => {
  let wanted: HoldWish | undefined;
  let left = false;
  let wake = new AbortController();
  return {
    state: 'none',
    secondsLeft: () => 0,
    wish: (wish) => {
      if (wish === 'leave') left = true;
      else wanted = wish;
      wake.abort();
    },
    take: () => {
      if (left) return 'leave';
      const wish = wanted;
      wanted = undefined;
      return wish;
    },
    signal: () => {
      if (wake.signal.aborted && wanted === undefined && !left) wake = new AbortController();
      return wake.signal;
    },
  };
};

const notHeld: Refused = {
  refused: { guard: guard.armed, reason: 'no change of this run is held now' },
};

/** See `Engine.keep`. */
export const keepHeld = (control: HoldControl | undefined, typed: string): { keeping: true } | Refused => {
  if (control?.state !== 'waiting') return notHeld;
  if (typed !== KEEP) return { refused: { guard: guard.confirmation, reason: `not kept: type "${KEEP}"` } };
  if (control.secondsLeft() < LATE_S)
    return { refused: { guard: guard.armed, reason: 'too late to keep the change: it is being restored' } };
  control.wish('keep');
  return { keeping: true };
};

/** See `Engine.restore`. */
export const restoreHeld = (control: HoldControl | undefined): { restoring: true } | Refused => {
  if (control?.state !== 'waiting') return notHeld;
  control.wish('restore');
  return { restoring: true };
};
