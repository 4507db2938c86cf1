import type { Subject } from './subject.ts';
import type { Finding } from './finding.ts';

/**
 * What passes along a dependency, strongest first: without power nothing is reached, and what is not reached gives no data. `space`:
 * room for new files, and `pace`: how quickly data is written; both stand apart.
 */
export type Carried = 'power' | 'reach' | 'data' | 'space' | 'pace';

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

/** A particular way in which findings explain others, known to the system whose it is. */
export interface Cause {
  /** By this name the site file switches it off (`rules: {off: [NAME]}`). */
  name: string;
  /** Kinds of this system's findings that explain. */
  causes: readonly string[];
  /** What is explained: kinds of this system's findings, or any finding that lacks something. */
  effects: readonly string[] | 'any';
  /** Why the one explains the other, in words; undefined: it does not. */
  explain(cause: Finding, effect: Finding, site: CauseSite): string | undefined;
}

/** What a cause may ask of the site's wiring. */
export interface CauseSite {
  /** Whether what goes between two hosts may pass the cable in this port: by the shortest ways, where they are known. */
  mayCross(port: string, from: string, to: string): 'yes' | 'no' | 'not known';
  /** Switches on which a host hangs. */
  switchesOf(host: string): readonly string[];
}
