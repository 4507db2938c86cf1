import type { Collector } from './collector.ts';
import { failureOn } from './failures.ts';
import { isBlocked, listWanted } from './prepare-ask.ts';
import type { Slot } from './slot.ts';
import { READ_MS, runTogetherWithin, runWithin } from './within-time.ts';

/** Answers can make other probes worth asking (jobs on nodes that drain): so many rounds at most. */
const ROUNDS = 4;
/** Rates need two samples this far apart, ms. */
const BETWEEN = 2000;
/** Where these two are too few to tell, a third one comes so much later, ms: 1.2 in a second are two or three in 2 s, and seven in 6 s. */
const LONGER = 6000;

export interface AskAllOptions {
  /** Leaves out what only tells the cause of something that was found. */
  quick?: boolean;
  /** Asks a third time, 6 s later, what says that two readings are too few to tell. */
  third?: boolean;
}

/**
 * Asks once everything that is asked regularly, a second time 2 s later what keeps earlier readings (each probe for itself: another's
 * daemon that hangs does not hold it up), and then what these make worth asking (modules of ports with errors); and reads once what other
 * consoles say. Ends at the deadline, in ms; what hangs is then a failure of its source. Gives the keys of what was asked.
 */
export const askAll = async (
  collector: Collector,
  deadlineMs: number,
  { quick = false, third = false }: AskAllOptions = {},
): Promise<ReadonlySet<string>> => {
  const { clock } = collector;
  const late = new AbortController();
  const done = new AbortController();
  void clock.sleep(deadlineMs, done.signal).then(() => late.abort());
  const sharedRead = Promise.race([collector.shared?.readNow(), clock.sleep(deadlineMs, done.signal)]);
  const asked = new Set<string>();
  const { read, whenAgain } = makeReaders(collector, late.signal, asked, third);
  const listDue = (isIn: (slot: Slot) => boolean = () => true): Slot[] => {
    const open = collector
      .slots()
      .filter(
        (slot) =>
          isIn(slot) &&
          slot.everyMs > 0 &&
          !asked.has(slot.key) &&
          !(quick && slot.probe.tellsCause) &&
          isAllowed(collector, slot),
      );
    const { site, store } = collector;
    return listWanted(open, { site, store, clock, facts: () => collector.judgement().facts });
  };
  const untilNothingNew = async (background: boolean): Promise<void> => {
    for (let round = 0; round < ROUNDS && !late.signal.aborted; round += 1) {
      const next = listDue((slot) => (slot.probe.background ?? false) === background);
      if (next.length === 0) break;
      await read(next);
    }
  };
  // What is urgent must not stand in a queue behind hundreds of handshakes.
  await untilNothingNew(false);
  await untilNothingNew(true);
  while (await whenAgain()) await untilNothingNew(false);
  await sharedRead;
  done.abort();
  if (late.signal.aborted) {
    const unreached = new Set(listDue());
    for (const { key } of unreached) asked.add(key);
    failMissing(collector, asked, unreached, deadlineMs);
  }
  return asked;
};

/**
 * `read` reads slots once; those that keep earlier readings it reads again meanwhile. `whenAgain` ends when that is done for all so far;
 * false: there was nothing to wait for.
 */
const makeReaders = (
  collector: Collector,
  late: AbortSignal,
  asked: Set<string>,
  third: boolean,
): { read: (slots: readonly Slot[]) => Promise<void>; whenAgain: () => Promise<boolean> } => {
  const readAll = (slots: readonly Slot[]): Promise<void> =>
    collector.readNow(
      slots.map(({ probe, host }) => ({ probe: probe.id, host: host.name })),
      late,
      'together',
    );
  const readLater = async (slots: readonly Slot[], afterMs: number): Promise<void> => {
    if (slots.length === 0 || late.aborted) return;
    await collector.clock.sleep(afterMs, late);
    if (!late.aborted) await readAll(slots);
  };
  const readAgain = async (slots: readonly Slot[]): Promise<void> => {
    const twice = slots.filter((slot) => sourceOf(collector, slot)?.good);
    await readLater(twice, BETWEEN);
    if (!third) return;
    await readLater(listTooFew(collector, twice), LONGER);
  };
  const again: Promise<void>[] = [];
  return {
    read: async (slots) => {
      for (const slot of slots) asked.add(slot.key);
      const others = slots.filter(({ probe }) => (probe.keep ?? 0) === 0);
      const keeping = slots.filter(({ probe }) => (probe.keep ?? 0) > 0);
      const ofProbes = [...Map.groupBy(keeping, ({ probe }) => probe.id).values()];
      const first = ofProbes.map(async (some) => {
        const firstRead = readAll(some);
        again.push(firstRead.then(() => readAgain(some)));
        await firstRead;
      });
      await Promise.all([...first, readAll(others)]);
    },
    whenAgain: async () => (await Promise.all(again.splice(0))).length > 0,
  };
};

/**
 * What gave no answer until the deadline is as unknown as what failed: findings must see it. One sample of what is judged by two tells no
 * rate, and is as good as none.
 */
const failMissing = (
  { slots, store, clock }: Collector,
  asked: ReadonlySet<string>,
  unreached: ReadonlySet<Slot>,
  deadlineMs: number,
): void => {
  for (const slot of slots()) {
    const source = asked.has(slot.key) ? store.source(slot.probe.id, slot.host.name) : undefined;
    if (!source || (source.state === 'notAsked' && !unreached.has(slot))) continue;
    const isEnough = source.good !== undefined && ((slot.probe.keep ?? 0) === 0 || source.before.length > 0);
    if (source.failure ? source.failure.kind !== 'cancelled' : isEnough) continue;
    const which =
      source.good === undefined ? 'answer' : source.before.length === 0 ? 'second answer' : 'third answer';
    const what = `${slot.probe.id}: no ${which} within ${Math.round(deadlineMs / 1000)} s`;
    store.noteFailed(slot, failureOn(slot.host.name, 'timeout', { what }), clock.now());
  }
};

/** Those whose readings are too few to tell; a probe that throws or does not end over them is asked once more, as one whose `when` does is asked. */
const listTooFew = (collector: Collector, slots: readonly Slot[]): Slot[] => {
  const judging = slots.filter(({ probe }) => probe.isTooFew);
  if (judging.length === 0) return [];
  return runTogetherWithin(() => judging.filter((slot) => isTooFew(collector, slot)), READ_MS);
};

const isTooFew = (collector: Collector, slot: Slot): boolean => {
  const source = sourceOf(collector, slot);
  if (source?.good === undefined || source.state === 'failed') return false;
  const samples = [source.good, ...source.before];
  try {
    return runWithin(() => slot.probe.isTooFew?.(samples, collector.site) ?? false);
  } catch {
    return true;
  }
};

const sourceOf = (collector: Collector, slot: Slot): ReturnType<Collector['store']['source']> =>
  collector.store.source(slot.probe.id, slot.host.name);

/** Not what is forbidden, nor a host that could not be reached a moment ago. */
const isAllowed = (collector: Collector, slot: Slot): boolean =>
  !isBlocked(slot, collector.readOnly) &&
  !collector.store.listOnHost(slot.host.name).some((source) => source.failure?.kind === 'connect');
