import type { Reread } from './action.ts';
import type { Judgement, Touches } from './system.ts';

/** Time, passed in so that tests can hold it. */
export interface Clock {
  /** UTC ms. */
  now(): number;
  /** Monotonic ms: never jumps, stands still in no suspend that matters to us. */
  mono(): number;
  /** Resolves after `ms`, or at once when the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** What the remedy engine needs of the collector. */
export interface Reader {
  judgement(): Judgement;
  /** Asks these probes again now and waits for the answers; each source then holds the new reading or its failure. */
  readNow(reads: readonly Reread[], signal?: AbortSignal): Promise<void>;
  /** What asking this probe touches; undefined: it is not known here. */
  touches(probe: string): Touches | undefined;
}

/** Where the program's own log lines go: a file, never the screen. */
export type Log = (line: string) => void;
