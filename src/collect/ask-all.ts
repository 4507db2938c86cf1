import type { Collector } from './collector.ts';
import { isBlocked, isWanted } from './ask.ts';
import type { Slot } from './slot.ts';

/** Answers can make other probes worth asking (jobs on nodes that drain): so many rounds at most. */
const ROUNDS = 4;
/** Rates need two samples this far apart, ms. */
const BETWEEN = 2000;

/**
 * Asks once everything that is asked regularly, and a second time 2 s later what keeps earlier readings; and reads once what other
 * consoles say. Ends at the deadline, in ms; what hangs is then a failure of its source. Gives the keys of what was asked.
 */
export const askAll = async (collector: Collector, deadlineMs: number): Promise<ReadonlySet<string>> => {
  const { clock } = collector;
  const late = new AbortController();
  const done = new AbortController();
  void clock.sleep(deadlineMs, done.signal).then(() => late.abort());
  const told = Promise.race([collector.shared?.readNow(), clock.sleep(deadlineMs, done.signal)]);
  const asked = new Set<string>();
  const read = async (slots: readonly Slot[]): Promise<void> => {
    for (const slot of slots) asked.add(slot.key);
    const reads = slots.map(({ probe, host }) => ({ probe: probe.id, host: host.name }));
    await collector.readNow(reads, late.signal);
  };
  const untilNothingNew = async (background: boolean): Promise<void> => {
    for (let round = 0; round < ROUNDS && !late.signal.aborted; round += 1) {
      const next = collector
        .slots()
        .filter(
          (slot) =>
            slot.everyMs > 0 &&
            (slot.probe.background ?? false) === background &&
            !asked.has(slot.key) &&
            isWorthwhile(collector, slot),
        );
      if (next.length === 0) break;
      await read(next);
    }
  };
  // What is urgent must not stand in a queue behind hundreds of handshakes.
  await untilNothingNew(false);
  await untilNothingNew(true);
  const twice = collector
    .slots()
    .filter((slot) => asked.has(slot.key) && (slot.probe.keep ?? 0) > 0 && sourceOf(collector, slot)?.good);
  if (twice.length > 0 && !late.signal.aborted) {
    await clock.sleep(BETWEEN, late.signal);
    await read(twice);
  }
  await told;
  done.abort();
  return asked;
};

const sourceOf = (collector: Collector, slot: Slot): ReturnType<Collector['store']['source']> =>
  collector.store.source(slot.probe.id, slot.host.name);

/** Not what is forbidden or not wanted, nor a host that could not be reached a moment ago. */
const isWorthwhile = (collector: Collector, slot: Slot): boolean =>
  !isBlocked(slot, collector.readOnly) &&
  isWanted(slot, collector) &&
  !collector.store.ofHost(slot.host.name).some((source) => source.failure?.kind === 'connect');
