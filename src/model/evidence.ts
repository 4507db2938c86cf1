import type { Subject } from './subject.ts';

/** A source of a row or finding, and what in its answer that is about. */
export interface EvidenceSource {
  probe: string;
  host: string;
  about?: readonly Subject[];
  /** Names of the values that the finding rests on, as the answer has them. */
  words?: readonly string[];
}

/** Lines of a text one below the other, or how many are left out. `at`: number of the first, from 1. */
export type ExcerptPart =
  { at: number; lines: readonly { text: string; mark?: true }[] } | { at: number; folded: number };

/** A text as people read it, opened at what matters. */
export interface Excerpt {
  /** Of the whole text. */
  lines: number;
  parts: readonly ExcerptPart[];
  /**
   * What is marked: values that the finding rests on; lines that only name what it is about; nothing, as no line names it; nothing, as
   * all of it is about that (a host's own answer) or nothing was looked for.
   */
  marked: 'values' | 'names' | 'nothing' | 'all';
  /** Bytes that are not shown at all. */
  cut?: number;
}

/** A raw answer for the evidence view. */
export interface RawEvidence {
  probe: string;
  host: string;
  command: string;
  at: number;
  durationMs: number;
  /** `exit 0`, `timed out`, `not connected: ...`. */
  ended: string;
  /** It ended by itself, with exit code 0, and is whole. */
  endedWell: boolean;
  stdout: Excerpt;
  stderr: Excerpt;
  /** The reading it became, as JSON text, or the failure. */
  reading: Excerpt;
  /** UTC ms of the other answers that are kept of this source. */
  others?: readonly number[];
}
