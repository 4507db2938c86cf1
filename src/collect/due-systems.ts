import type { ConnectionState } from '../model/answer.ts';
import type { FactName } from '../model/fact.ts';
import type { System } from '../model/system.ts';

/** Judgements may rest on time that passed as well: each system is judged at least this often, ms. */
const AT_LEAST = 15_000;

/**
 * How pressing it is that a source is another. `state`: it fails, answers again, grew old or was read for the first time; `value`: it reads
 * otherwise; `again`: it reads as before, or is one more fine answer of a background host.
 */
export type Change = 'state' | 'value' | 'again';

const order: readonly Change[] = ['again', 'value', 'state'];

/** The more pressing of two. */
export const worseChange = (one: Change, other: Change | undefined): Change =>
  other !== undefined && order.indexOf(other) > order.indexOf(one) ? other : one;

/**
 * How long a system rests between two judgements: so many times what the last one cost, at most so long, ms. Judging what reads otherwise
 * takes a fortieth of a core, and comes two seconds late at worst, on a site so large that a judgement takes 50 ms and more.
 */
const rests: Readonly<Record<Change, { times: number; leastMs: number; mostMs: number }>> = {
  state: { times: 3, leastMs: 0, mostMs: 500 },
  value: { times: 40, leastMs: 0, mostMs: 2_000 },
  /** Fine answers of hundreds of background hosts drip in all the time: they are judged together. */
  again: { times: 0, leastMs: 5_000, mostMs: 5_000 },
};

/** What may make a judgement out of date. */
export interface News {
  /** Probes with new readings. */
  changed: ReadonlyMap<string, Change>;
  connections: ReadonlyMap<string, ConnectionState>;
  /** Another number when something was told: notes, runs. */
  toldCount: number;
}

/** A system's last judgement. */
export interface LastJudgement {
  /** ms ago. */
  sinceMs: number;
  /** What judging and drawing it took, ms; 0 where nobody waits for anything else meanwhile. */
  costMs: number;
}

export interface DueSystems {
  /** The systems that are to be judged now, by what is new since it was last asked. */
  listDue(news: News, judged: (system: System) => LastJudgement): readonly System[];
  /** Something as pressing as this, or more so, waits until its system has rested. */
  isBehind(least: Change): boolean;
  /** These facts are others: the systems that need them are judged in their turn, except those that saw them already. */
  noteFacts(names: ReadonlySet<FactName>, saw: readonly System[]): void;
}

/** Nothing is due but what is told. */
export const createDueSystems = (systems: readonly System[], toldBefore: number): DueSystems => {
  const waiting = new Map<string, Change>();
  const note = (id: string, change: Change): void => {
    waiting.set(id, worseChange(change, waiting.get(id)));
  };
  const isRested = ({ id }: System, { sinceMs, costMs }: LastJudgement): boolean => {
    const change = waiting.get(id);
    if (change === undefined) return false;
    const { times, leastMs, mostMs } = rests[change];
    return sinceMs >= Math.max(leastMs, Math.min(mostMs, times * costMs));
  };
  let [dropped, up, told] = ['', '', toldBefore];
  return {
    listDue: (news, judged) => {
      const droppedNow = fingerprint(news.connections, 'down');
      const everything = droppedNow !== dropped || news.toldCount !== told;
      const upNow = fingerprint(news.connections, 'up');
      if (upNow !== up) for (const { id } of systems) note(id, 'again');
      [dropped, up, told] = [droppedNow, upNow, news.toldCount];
      for (const { id, probes, watchesAll } of systems)
        for (const probe of watchesAll ? news.changed.keys() : probes.map((one) => one.id)) {
          const change = news.changed.get(probe);
          if (change) note(id, change);
        }
      const due = systems.filter((system) => {
        const last = judged(system);
        return everything || last.sinceMs >= AT_LEAST || isRested(system, last);
      });
      for (const { id } of due) waiting.delete(id);
      return due;
    },
    isBehind: (least) => [...waiting.values()].some((change) => worseChange(change, least) === change),
    noteFacts: (names, saw) => {
      for (const system of systems)
        if (!saw.includes(system) && system.needs.some((name) => names.has(name))) note(system.id, 'value');
    },
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
