import type { History, Track } from '../model/history.ts';

/** A history that can be written: on disk, or in memory. */
export interface HistoryStore extends History {
  /** Keeps the values that differ from the last ones of their series. Never throws: trouble becomes a badge. `at`: UTC ms. */
  record(tracks: readonly Track[], at: number): void;
  /** One slice of rolling up and pruning, a few ms; to be called every few seconds. */
  tidy(now: number): void;
  /** What the strip must say: `history in /var/tmp/faultline-0`, `history not written: disk full`. */
  badges(): readonly string[];
  close(): void;
}

/** Numbers are kept as they came for a day, then one value for each 5 minutes; texts (states) as they came. */
export const ROLL_AFTER = 24 * 3600 * 1000;
export const KEEP = 30 * ROLL_AFTER;
export const BUCKET = 5 * 60 * 1000;

/** Series of findings: their severity while they are there, `gone` when they went; and how they read when that last changed. */
export const FINDING = 'finding/';
export const SUMMARY_OF = 'summary/';
