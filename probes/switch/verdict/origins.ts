import type { Origin, Place } from './case.ts';

/** A port of a switch that receives bad frames now. */
export interface Arrival {
  at: Place;
  /** The end that sends to it, and its switch, where known. */
  from?: Place;
  fromHost?: string;
}

export interface Arrivals {
  /** Ports of a switch that receive bad frames, without the ends of the link that is judged. */
  arrivalsAt(host: string): readonly Arrival[];
  cutsThrough(host: string): boolean;
}

/**
 * Where the bad frames that a switch sends on come from: as long as the sender into a port is itself a switch that cuts through and
 * receives bad frames, the walk goes on upstream; the first receiver whose sender receives none is the origin. Pure; a ring is walked
 * once.
 */
export const originsOf = (host: string, arrivals: Arrivals): readonly Origin[] =>
  walk(host, [], new Set([host]), arrivals);

const walk = (
  host: string,
  through: readonly string[],
  seen: Set<string>,
  arrivals: Arrivals,
): readonly Origin[] => {
  const found = arrivals.arrivalsAt(host).flatMap(({ at, from, fromHost }): readonly Origin[] => {
    const own: Origin = { at, ...(from !== undefined && { from }), through };
    if (fromHost === undefined || !arrivals.cutsThrough(fromHost)) return [own];
    // What comes from a switch that was walked already came in elsewhere.
    if (seen.has(fromHost)) return [];
    seen.add(fromHost);
    const before = walk(fromHost, [...through, fromHost], seen, arrivals);
    return before.length > 0 ? before : [own];
  });
  return [...new Map(found.map((one) => [one.at.id, one])).values()];
};
