import type { Safe } from '../text/safe.ts';
import type { Said } from '../text/said.ts';
import type { ConnectFailureKind } from './answer.ts';

/**
 * Why there is no new value. `connect`: the host was not reached; `timeout`; `lost`; `command`: it ran and says it
 * failed; `parse`: the answer was not understood; `truncated`; `abandoned`: two commands of ours hang on the host, it is
 * not asked again; `unreadable`: reading the answer did not end within its bounds of time and memory; `readOnly`: not asked because this console changes nothing.
 */
export type FailureKind =
  | 'connect'
  | 'timeout'
  | 'lost'
  | 'command'
  | 'parse'
  | 'truncated'
  | 'unreadable'
  | 'abandoned'
  | 'readOnly'
  | 'cancelled';

export interface Failure {
  kind: FailureKind;
  connect?: ConnectFailureKind;
  /** A system's own word for a failed command: `controllerDown`, `noPermission`. */
  code?: string;
  /** One line for the screen, names host and command. */
  message: string;
  /** The same in parts, without the host. */
  said?: Said;
}

/** A parsed, validated answer: value and where and when it comes from. */
export interface Reading<T = unknown> {
  probe: string;
  host: string;
  /** UTC ms at which the answer was complete. */
  at: number;
  /** Monotonic ms of the same moment: ages and rates are computed from this, a jump of the clock does not matter. */
  mono: number;
  /** From the question to the answer: it began `durationMs` before `mono`. */
  durationMs: number;
  /** What the command took on the host; absent where that is not known. */
  hostMs?: number;
  value: T;
  /** Lines or records that look like content and were skipped. */
  notUnderstood: number;
  /** Taken by somebody else: who, and when by the clock there, UTC ms. `at` and `mono` are that moment by our own clock. */
  sample?: Sample;
}

export interface Sample {
  /** `Prometheus`. */
  by: string;
  at: number;
}

/**
 * What is known of one probe on one host. `never`: not asked yet; `fresh`; `stale`: older than twice its interval;
 * `failed`: the last try failed, or it is not tried because commands of ours hang there, `good` may hold the last good reading;
 * `notAsked`: read-only, or not due.
 */
export interface Source<T = unknown> {
  probe: string;
  host: string;
  state: 'never' | 'fresh' | 'stale' | 'failed' | 'notAsked';
  good?: Reading<T>;
  /** Good readings before `good`, newest first, as many as the probe asks to keep. */
  before: readonly Reading<T>[];
  failure?: Failure;
  /** UTC ms of the first failure in a row. */
  failingSince?: number;
  askedAt?: number;
  nextAt?: number;
  /** Its own interval, also while it is asked less often. */
  everyMs: number;
  /** The good reading is older than twice its own interval, also where it is asked less often on purpose. */
  old?: true;
  /** The interval in force, set when the command took longer than a fifth of its own and that was stretched. */
  slowedToMs?: number;
  /** What the last good answers took on the host (where that is not known, with the way there and back) in ms, newest first, at most 5. */
  durations: readonly number[];
}

/** All sources, as findings, facts, views and guards see them: every text of a host in them is safe. `T`: what the probe's schema gives. */
export interface Readings {
  source<T>(probe: string, host: string): Source<Safe<T>> | undefined;
  sources<T>(probe: string): readonly Source<Safe<T>>[];
  /** Everything that is asked of one host. */
  listOnHost(host: string): readonly Source[];
  /** Hosts of which a source fails because the host could not be reached. */
  listUnreached(): ReadonlySet<string>;
  /**
   * Sources that are asked regularly and not known as they should be: failing, and what they gave before is older than twice their
   * interval; or read, with lines that were not understood.
   */
  listUnread(): readonly Source[];
  /** The same without what others sampled: what a guard may look at. Nothing where all is asked of the machines themselves. */
  direct?(): Readings | undefined;
}

/** A value of a series that is kept when it changes: `slurm/node/n17/state` = `IDLE+DRAIN`. */
export interface Track {
  series: string;
  value: string | number | bigint;
}

export interface Point {
  /** UTC ms. */
  at: number;
  value: string | number | bigint;
}

/**
 * Questions to the history; answers come from the local database, oldest first. A value that held already at `since` was written down
 * before it and is no part of the answer: what holds now, and for how long, is the last of all (`since` 0).
 */
export interface History {
  changes(series: string, since: number): readonly Point[];
  /** Series whose name starts with the prefix and which changed since then. */
  listChanged(prefix: string, since: number): readonly { series: string; points: readonly Point[] }[];
}
