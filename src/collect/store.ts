import type { Failure, Reading, Readings, Source } from '../model/reading.ts';
import type { Safe, SafeData } from '../text/safe.ts';
import { directOf } from './direct.ts';
import { worseChange, type Change } from './due-systems.ts';
import { isSame } from './row-diff.ts';
import type { Slot } from './slot.ts';
import {
  isOlder,
  isUnreached,
  isUnreadSource,
  newEntry,
  isReadAsBefore,
  snapshot,
  stateAt,
  stateOnce,
  wasAnswered,
  type Entry,
} from './store-entry.ts';

/** What is known of every probe on every host. Snapshots given out never change. */
export interface Store extends Readings {
  add(slot: Slot): void;
  noteAsked(slot: Slot, at: number): void;
  noteGood(slot: Slot, reading: Reading<SafeData>): void;
  noteFailed(slot: Slot, failure: Failure, at: number): void;
  /** What is known is so still: it was told again, and is as old as it was. */
  noteStill(slot: Slot): void;
  /** Not asked, with the reason when there is one to tell. */
  noteNotAsked(slot: Slot, failure?: Failure): void;
  /** UTC ms of the oldest last-good reading of all that is asked regularly; undefined before the first. */
  oldestAt(): number | undefined;
  /** Counts every change. */
  version(): number;
  /** Probes whose sources changed or grew stale since the last sweep, with the most pressing change of each. */
  sweep(): ReadonlyMap<string, Change>;
}

/** What is asked more seldom than this makes no screen look old, unless it is late itself. */
const SELDOM_MS = 60_000;

/**
 * An empty store. `now` and `mono` in ms; ages are taken from `mono`, so a jump of the wall clock makes nothing stale. `ageless`:
 * everything is asked once only, so that nothing is ever late. Long because it takes and gives the same entries, by probe and by host.
 */
// oxlint-disable-next-line max-lines-per-function -- all its questions are of the same entries
export const createStore = (time: { now(): number; mono(): number }, ageless = false): Store => {
  const stateOf = (one: Entry, mono: number): Source['state'] =>
    ageless ? stateOnce(one) : stateAt(one, mono);
  // Two levels: findings look up 10,000 sources in a row, and a joined key would be a new string each time.
  const byProbe = new Map<string, Map<string, Entry>>();
  const byHost = new Map<string, Entry[]>();
  /** What was read and is asked regularly: all that can grow old. Of 10,000 nodes most are never asked themselves. */
  const ageing = new Set<Entry>();
  let changed = new Map<string, Change>();
  let version = 0;
  const given = new Set<string>();

  const entry = (slot: Slot): Entry => {
    const found = byProbe.get(slot.probe.id)?.get(slot.host.name);
    if (!found) throw new Error(`no such source: ${slot.key}`);
    return found;
  };
  const mark = (one: Entry, change: Change): void => {
    const { id } = one.slot.probe;
    changed.set(id, worseChange(change, changed.get(id)));
  };
  /** Changes an entry; the snapshots given out before stay as they are. */
  const change = (slot: Slot, edit: (one: Entry) => void): void => {
    const one = entry(slot);
    const before = { ...one };
    const state = stateOf(one, time.mono());
    edit(one);
    version += 1;
    one.shown = undefined;
    const sameState = stateOf(one, time.mono()) === state && isSame(one.failure, before.failure);
    const again = slot.probe.background === true || isReadAsBefore(one, before);
    mark(one, sameState ? (again ? 'again' : 'value') : 'state');
  };
  const show = (one: Entry, mono = time.mono()): Source => {
    if (!one.shown || hasAged(one.shown, one, mono))
      one.shown = snapshot(one, stateOf(one, mono), isOld(one, mono), time);
    return one.shown;
  };
  // Where everything is asked once, what was read before a failure is the first of two samples.
  const isOld = (one: Entry, mono: number): boolean =>
    ageless ? one.good !== undefined && one.failure !== undefined : isOlder(one, one.slot.everyMs, mono);
  const hasAged = (shown: Source, one: Entry, mono: number): boolean =>
    shown.state !== stateOf(one, mono) || (shown.old === true) !== isOld(one, mono);
  const listEntries = (): Iterable<Entry> => byProbe.values().flatMap((hosts) => hosts.values());
  const findSource = (probe: string, host: string): Source | undefined => {
    const found = byProbe.get(probe)?.get(host);
    return found && show(found);
  };
  const ofProbe = (probe: string): readonly Source[] => {
    const mono = time.mono();
    return [...(byProbe.get(probe)?.values() ?? [])].map((one) => show(one, mono));
  };

  const readings: Readings = {
    // The type of a reading belongs to its probe: whoever asks for a probe by its id knows it.
    source: <T>(probe: string, host: string) => findSource(probe, host) as Source<Safe<T>> | undefined,
    sources: <T>(probe: string) => ofProbe(probe) as unknown as readonly Source<Safe<T>>[],
    listOnHost: (host) => (byHost.get(host) ?? []).map((one) => show(one)),
    listUnreached: () => new Set([...listEntries()].filter(isUnreached).map((one) => one.slot.host.name)),
    listUnread: () => {
      const mono = time.mono();
      // Of 20,000 sources few are in trouble: only these are looked at.
      return [...listEntries()]
        .filter(({ failure, good }) => failure !== undefined || (good?.notUnderstood ?? 0) > 0)
        .map((one) => show(one, mono))
        .filter(isUnreadSource);
    },
  };

  return {
    ...readings,
    direct: () => (given.size === 0 ? undefined : directOf(readings, given)),
    add: (slot) => {
      const one = newEntry(slot);
      if (slot.probe.givenBy !== undefined) given.add(slot.probe.id);
      const hosts = byProbe.get(slot.probe.id) ?? new Map<string, Entry>();
      byProbe.set(slot.probe.id, hosts.set(slot.host.name, one));
      const probes = byHost.get(slot.host.name);
      if (probes) probes.push(one);
      else byHost.set(slot.host.name, [one]);
    },
    noteAsked: (slot, moment) => {
      const one = entry(slot);
      one.askedAt = moment;
      one.notAsked = false;
      one.shown = undefined;
    },
    noteGood: (slot, reading) =>
      change(slot, (one) => {
        const keep = slot.probe.keep ?? 0;
        if (one.good) one.before = [one.good, ...one.before].slice(0, keep);
        one.good = reading;
        if (slot.everyMs > 0) ageing.add(one);
        one.durations = [reading.hostMs ?? reading.durationMs, ...one.durations].slice(0, 5);
        wasAnswered(one);
      }),
    noteStill: (slot) => {
      const { failure, notAsked } = entry(slot);
      if (failure || notAsked) change(slot, wasAnswered);
    },
    noteFailed: (slot, failure, moment) =>
      change(slot, (one) => {
        one.failure = failure;
        one.failingSince ??= moment;
        one.notAsked = false;
      }),
    noteNotAsked: (slot, failure) => {
      const known = entry(slot);
      if (known.notAsked && known.failure === failure) return;
      change(slot, (one) => {
        one.notAsked = true;
        one.failure = failure;
        one.failingSince = undefined;
      });
    },
    oldestAt: () => {
      let oldest = Infinity;
      let oldestSeldom = Infinity;
      const mono = time.mono();
      for (const one of ageing) {
        const { good, notAsked, slot } = one;
        if (!good || notAsked) continue;
        if (slot.everyMs > SELDOM_MS && !isOld(one, mono)) oldestSeldom = Math.min(oldestSeldom, good.at);
        else oldest = Math.min(oldest, good.at);
      }
      // Where nothing is asked often, the age is that of what there is.
      const shown = Number.isFinite(oldest) ? oldest : oldestSeldom;
      return Number.isFinite(shown) ? shown : undefined;
    },
    version: () => version,
    sweep: () => {
      const mono = time.mono();
      for (const one of ageing) {
        if (one.shown && hasAged(one.shown, one, mono)) mark(one, 'state');
      }
      const swept = changed;
      changed = new Map();
      return swept;
    },
  };
};
