import type { Finding } from './finding.ts';

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
