import type { Task } from './readings-tasks.ts';

/** A task with the client host that does it. */
export interface HostTask extends Task {
  host: string;
  /** Its file system. */
  fs?: string;
  /**
   * `runs`: it gave a sign of life just now; `silent`: its host answers and it gives none, so it died; `unknown`: its host does
   * not answer; `over`: it ended.
   */
  life: 'runs' | 'silent' | 'unknown' | 'over';
  /** Files a second over the last readings. */
  rate?: number;
  /** UTC ms at which it was seen last. */
  seenAt: number;
  /** Not read by this console: what the history kept of it. `share`: how much was done, 0..1. */
  remembered?: { share?: number };
}

export const isOver = ({ state }: Pick<Task, 'state'>): boolean =>
  state !== 'listing' && state !== 'migrating';
