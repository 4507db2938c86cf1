import type { ConnectionState } from '../model/answer.ts';
import type { System } from '../model/system.ts';

/** Judgements may rest on time that passed as well: each system is judged at least this often, ms. */
const AT_LEAST = 15_000;
/** Fine answers of hundreds of background hosts drip in all the time: they are judged together, this often, ms. */
const CALMLY = 5_000;

/** What may make a judgement out of date. */
export interface News {
  /** Probes with new readings; true: not only one more fine answer of a background host. */
  changed: ReadonlyMap<string, boolean>;
  connections: ReadonlyMap<string, ConnectionState>;
  /** Another number when something was told: notes, runs. */
  toldCount: number;
}

/** Picks the systems that are to be judged now, by what is new since it was last asked. `since`: ms since a system was judged. */
export const createDueSystems = (
  systems: readonly System[],
  toldBefore: number,
): ((news: News, since: (system: System) => number) => readonly System[]) => {
  const calm = new Set<string>();
  let [dropped, up, told] = ['', '', toldBefore];
  return (news, since) => {
    const droppedNow = fingerprint(news.connections, 'down');
    const everything = droppedNow !== dropped || news.toldCount !== told;
    const upNow = fingerprint(news.connections, 'up');
    if (upNow !== up) for (const { id } of systems) calm.add(id);
    [dropped, up, told] = [droppedNow, upNow, news.toldCount];
    const urgent = new Set<string>();
    for (const { id, probes, watchesAll } of systems) {
      const watched = watchesAll ? [...news.changed.keys()] : probes.map((probe) => probe.id);
      const touched = watched.filter((probe) => news.changed.has(probe));
      if (touched.some((probe) => news.changed.get(probe))) urgent.add(id);
      else if (touched.length > 0) calm.add(id);
    }
    const published = new Set(
      systems.filter(({ id }) => urgent.has(id)).flatMap((system) => system.publishes),
    );
    const due = systems.filter(
      (system) =>
        urgent.has(system.id) ||
        system.needs.some((name) => published.has(name)) ||
        everything ||
        (calm.has(system.id) && since(system) >= CALMLY) ||
        since(system) >= AT_LEAST,
    );
    for (const { id } of due) calm.delete(id);
    return due;
  };
};

/** Changes when a connection comes into this state, leaves it, or comes into it again. */
const fingerprint = (
  connections: ReadonlyMap<string, ConnectionState>,
  wanted: ConnectionState['state'],
): string =>
  [...connections.values()]
    .filter(({ state }) => state === wanted)
    .map(({ host, since }) => `${host} ${since}`)
    .join('\n');
