/** One trial, once. */
export interface Report {
  /** What was tried, with all that its seed drew. */
  what: string;
  /** What did not hold; none: it held. */
  broke: readonly string[];
  /** The machine was too busy for it to begin: neither held nor broken, so the same is tried again. */
  untried?: string;
}

/** Trials of one kind, each told from the others by its seed alone. */
export interface Kind<World> {
  name: string;
  /** One line for the table. */
  about: string;
  /** How many of them CI tries: seeds from 1. */
  short: number;
  /** How many are tried by hand. */
  long: number;
  try(world: World, seed: number): Promise<Report>;
  /** Where worlds are shared: trials of one lane go one after the other. */
  lane?(seed: number): string;
}

/** Where trials of some kinds are carried out, one after the other. */
export interface Place<World> {
  name: string;
  kinds: readonly Kind<World>[];
  /** How many of these worlds may stand beside each other; `shared`: there is one, in which every lane goes its own way. */
  beside: number | 'shared';
  /** Why it cannot be had on this machine, in one line. */
  absent?(): string | undefined;
  open(): Promise<World>;
  close(world: World): Promise<void>;
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
