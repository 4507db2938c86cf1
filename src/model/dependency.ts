import type { Subject } from './subject.ts';

/**
 * What passes along a dependency, strongest first: without power nothing is reached, and what is not reached gives no data. `space`:
 * room for new files, which stands apart.
 */
export type Carried = 'power' | 'reach' | 'data' | 'space';

/** What a fault takes from those who depend on these subjects. */
export interface Break {
  what: Carried;
  of: readonly Subject[];
}

/** What its subjects go without where a finding is the mark of a loss: a fault that takes just that from all of them explains it. */
export interface Lack {
  what: Carried;
  of: readonly Subject[];
  /** Whom they do not get it from, where that is known: the server of a mount, the other end of a pair. */
  from?: readonly Subject[];
}
