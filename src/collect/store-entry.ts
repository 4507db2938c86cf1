import type { Failure, Reading, Source } from '../model/reading.ts';
import type { SafeData } from '../text/safe.ts';
import type { Slot } from './slot.ts';

/** Fields are emptied, never deleted: an object that lost one is kept as a table, and there are 20,000 of these on a large site. */
export interface Entry {
  slot: Slot;
  good: Reading<SafeData> | undefined;
  before: readonly Reading<SafeData>[];
  failure: Failure | undefined;
  failingSince: number | undefined;
  askedAt: number | undefined;
  notAsked: boolean;
  durations: readonly number[];
  shown: Source | undefined;
}

const none: readonly never[] = [];

export const newEntry = (slot: Slot): Entry => ({
  slot,
  good: undefined,
  before: none,
  failure: undefined,
  failingSince: undefined,
  askedAt: undefined,
  notAsked: false,
  durations: none,
  shown: undefined,
});

export const wasAnswered = (one: Entry): void => {
  Object.assign(one, { failure: undefined, failingSince: undefined, notAsked: false });
};

/** Every value that is kept is what it was, and stands for as many readings: only their times are others. */
export const isReadAsBefore = (one: Entry, before: Entry): boolean => {
  const values = listKept(one);
  const last = listKept(before);
  return values.length === last.length && values.every((value, at) => value === last[at]);
};

const listKept = ({ good, before }: Entry): readonly unknown[] =>
  (good ? [good, ...before] : before).flatMap(({ value, notUnderstood }) => [value, notUnderstood]);

/** As `Readings.listUnread`. */
export const isUnreadSource = ({ everyMs, state, failure, good, old }: Source): boolean =>
  everyMs > 0 &&
  state !== 'notAsked' &&
  (failure
    ? // It is not asked again for so long that what was read before says nothing of it.
      good === undefined || old === true || failure.kind === 'unreadable'
    : (good?.notUnderstood ?? 0) > 0);

export const isUnreached = (one: Entry): boolean => one.failure?.kind === 'connect';

export const stateOnce = (one: Entry): Source['state'] => {
  if (one.notAsked) return 'notAsked';
  if (one.failure) return 'failed';
  return one.good ? 'fresh' : 'never';
};

export const isOlder = (one: Entry, intervalMs: number, mono: number): boolean =>
  one.slot.everyMs > 0 && one.good !== undefined && mono - one.good.mono > 2 * intervalMs;

/** Stale is what is older than twice the interval in force (model/reading.ts). */
export const stateAt = (one: Entry, mono: number): Source['state'] => {
  const state = stateOnce(one);
  const { everyMs, paceMs } = one.slot;
  return state === 'fresh' && isOlder(one, Math.max(everyMs, paceMs), mono) ? 'stale' : state;
};

export const snapshot = (
  one: Entry,
  state: Source['state'],
  old: boolean,
  time: { now(): number; mono(): number },
): Source => ({
  probe: one.slot.probe.id,
  host: one.slot.host.name,
  state,
  before: one.before,
  everyMs: one.slot.everyMs,
  durations: one.durations,
  ...(one.good && { good: one.good }),
  ...(old && { old: true }),
  ...(one.failure && { failure: one.failure }),
  ...(one.failingSince !== undefined && { failingSince: one.failingSince }),
  ...(one.askedAt !== undefined && { askedAt: one.askedAt }),
  ...(Number.isFinite(one.slot.nextAt) && {
    nextAt: Math.round(time.now() + one.slot.nextAt - time.mono()),
  }),
  ...(one.slot.paceMs > one.slot.everyMs && { slowedToMs: one.slot.paceMs }),
});
