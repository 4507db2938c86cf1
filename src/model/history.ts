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

/** Questions to the history; answers come from the local database, oldest first. */
export interface History {
  changes(series: string, since: number): readonly Point[];
  /** Series whose name starts with the prefix and which changed since then. */
  changedSince(prefix: string, since: number): readonly { series: string; points: readonly Point[] }[];
}
