import type { SharedEvent } from './events.ts';

/** Longer than this nobody remembers what was acknowledged, or what work was planned, ms. */
export const LONGEST = 7 * 86_400_000;

/** Clocks of consoles differ by less, ms. */
const AHEAD = 10 * 60_000;

/** What is kept of lines of a sort: more than a site writes in months. */
export const MOST = {
  events: 20_000,
  notes: 10_000,
  ofSubject: 200,
  acks: 2_000,
  windows: 50,
  others: 1_000,
};

/** Writers that are named. */
const SHOWN = 3;

/** More lines of one console are told: a long note on a thousand nodes are not as many. */
const MANY = 10_000;

/** A map of the latest, in the order in which they were set: the file's. */
export class Latest<V> extends Map<string, V> {
  readonly #most: number;
  constructor(most: number) {
    super();
    this.#most = most;
  }
  override set(key: string, value: V): this {
    this.delete(key);
    super.set(key, value);
    const [oldest] = this.size > this.#most ? this.keys() : [];
    if (oldest !== undefined) this.delete(oldest);
    return this;
  }
}

/** The times of an event that its reader can believe: nothing was written after `now`, and nothing lasts longer than a console lets it. */
export const timesOf = (event: SharedEvent, now: number): { at: number; until?: number } => {
  const at = Math.min(event.at, now);
  return 'until' in event ? { at, until: Math.min(event.until, at + LONGEST) } : { at };
};

/** What lines say that no console of ours writes, and who wrote them by what they say. */
export interface Doubts {
  see(event: SharedEvent, now: number): void;
  /** `bob (adm2 4242 9f3c) wrote lines that are not from a console: 3 dated in the future`, for the first writers. */
  all(): readonly string[];
}

export const createDoubts = (): Doubts => {
  const writers = new Latest<{ lines: number; ahead: number; long: number }>(MOST.others);
  return {
    see: (event, now) => {
      if (event.kind === 'console' && event.at <= now + AHEAD) return;
      const who = `${event.who} (${event.from})`;
      const seen = writers.get(who) ?? { lines: 0, ahead: 0, long: 0 };
      seen.lines += 1;
      if (event.at > now + AHEAD) seen.ahead += 1;
      if ('until' in event && event.until - event.at > LONGEST) seen.long += 1;
      writers.set(who, seen);
    },
    all: () => {
      const all = [...writers].flatMap(([who, { lines, ahead, long }]) => {
        const what = [
          ...(ahead > 0 ? [`${ahead} dated in the future`] : []),
          ...(long > 0 ? [`${long} valid for more than 7 d`] : []),
          ...(lines > MANY ? [`${lines} in all`] : []),
        ];
        return what.length === 0
          ? []
          : [`${who} wrote lines that are not from a console: ${what.join(', ')}`];
      });
      const more = all.length - SHOWN;
      return [
        ...all.slice(0, SHOWN),
        ...(more > 0 ? [`${more} more wrote lines that are not from a console`] : []),
      ];
    },
  };
};
