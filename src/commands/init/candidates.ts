import { fold } from '../../text/nodeset.ts';
import type { Book } from './book.ts';

/** A host to be asked, and why. */
export interface Candidate {
  host: string;
  why: string;
  /** Somebody named it. */
  isTyped: boolean;
}

/** Of hosts that are alike so many are asked: what many alike say is said by some of them, too. */
const MOST_ALIKE = 512;

/** All hosts together, whoever names them. */
const MOST_ASKED = 1024;

/** Evenly spread over those that are alike. */
const spread = <T>(all: readonly T[], most: number): T[] =>
  all.length <= most
    ? [...all]
    : Array.from({ length: most }, (_, at) => all[Math.floor((at * all.length) / most)]).flatMap(
        (one) => one ?? [],
      );

/**
 * Who is asked next: those that somebody named, then those that answers name, the fewest alike first; `leftOut`: those that are too many.
 * Neither is chosen again when it is in `done` the next time.
 */
export const chooseHosts = (
  book: Book,
  { seeds, why, done }: { seeds: readonly string[]; why: string; done: ReadonlySet<string> },
): { hosts: readonly Candidate[]; leftOut: readonly Candidate[] } => {
  const typed = seeds.filter((host) => !done.has(host)).map((host) => ({ host, why, isTyped: true }));
  const named = new Set(seeds);
  const found = [...book.hosts.values()]
    .filter(({ name, asIs }) => asIs.size > 0 && !named.has(name) && !done.has(name))
    .map(({ name, asIs }) => ({ host: name, why: [...asIs].slice(0, 2).join('; '), isTyped: false }));
  const groups = [...Map.groupBy(found, (one) => one.why).values()].toSorted((a, b) => a.length - b.length);
  const hosts: Candidate[] = [...typed];
  for (const group of groups) {
    const room = Math.max(0, Math.min(MOST_ALIKE, MOST_ASKED - hosts.length - done.size));
    hosts.push(...spread(group, room));
  }
  const chosen = new Set(hosts);
  return { hosts, leftOut: found.filter((one) => !chosen.has(one)) };
};

/** The hosts that would be asked, as lines: alike ones folded, each with why. */
export const candidateLines = (hosts: readonly Candidate[]): string[] => {
  const groups = [...Map.groupBy(hosts, (one) => one.why)].map(([why, some]) => ({
    names: fold(some.map(({ host }) => host)),
    why,
  }));
  const width = Math.min(30, Math.max(...groups.map(({ names }) => names.length)));
  return groups.map(({ names, why }) => `  ${names.padEnd(width)}  ${why}`);
};
