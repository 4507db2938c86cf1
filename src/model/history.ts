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
  changedSince(prefix: string, since: number): readonly { series: string; points: readonly Point[] }[];
}
