import type { Asker, AskerSetup } from './asker.ts';
import { isBlocked, listWanted } from './prepare-ask.ts';
import type { Schedule } from './schedule.ts';
import type { Slot } from './slot.ts';
import type { Slots } from './slots.ts';
import type { Waiters } from './waiters.ts';

/** So long it is waited for what was given up: it ends at once, but for what is just being read, ms. */
const GIVEN_UP_MS = 1000;

/** Asked on demand, and what came of it stands there as unknown: nobody else asks it again. Never what touches anything. */
const isUnsettled = ({ probe, host }: Slot, { store }: AskerSetup): boolean => {
  const source = probe.touches === 'nothing' ? store.source(probe.id, host.name) : undefined;
  return source?.failure !== undefined || (source?.good?.notUnderstood ?? 0) > 0;
};

/** What is asked because somebody wants to know it now. */
export const createDemand = (
  setup: AskerSetup,
  {
    slots,
    schedule,
    waiters,
    pump,
    giveUp,
  }: {
    slots: Slots;
    schedule: Schedule;
    waiters: Waiters<Slot>;
    pump(): void;
    giveUp(slot: Slot): Promise<void>;
  },
): Pick<Asker, 'readNow' | 'askOnDemand' | 'refresh'> => {
  const { clock, readOnly } = setup;
  const readNow: Asker['readNow'] = async (reads, signal, together) => {
    const wanted = [...new Set(reads.map(slots.find))].filter((slot) => !isBlocked(slot, readOnly));
    const waits = wanted.map((slot) => {
      const wait = waiters.waitForNext(slot, signal);
      schedule.want(slot, clock.mono(), together === undefined);
      // A run for thousands of hosts may take minutes: a guard does not wait for its end.
      if (together === undefined && slot.beat !== undefined && slot.running && !slot.direct)
        void giveUp(slot);
      return wait;
    });
    pump();
    await Promise.all(waits);
    if (!signal?.aborted) return;
    const idle = wanted.filter((one) => !waiters.isAwaited(one));
    for (const slot of idle) schedule.unwant(slot);
    // What is given up has ended then, so that nothing comes of it behind the back of who asked.
    const ends = idle.filter(({ explicit }) => explicit).map(giveUp);
    await Promise.race([Promise.all(ends), clock.sleep(GIVEN_UP_MS)]);
  };
  return {
    readNow,
    askOnDemand: (host) => readNow(slots.forAnyHost().map((probe) => ({ probe, host }))),
    refresh: ({ system, host }) => {
      const isChosen = (slot: Slot): boolean =>
        (slot.everyMs > 0 || isUnsettled(slot, setup)) &&
        (system === undefined || slots.systemOf(slot) === system) &&
        (host === undefined || slot.host.name === host) &&
        !isBlocked(slot, readOnly);
      const chosen = listWanted(slots.all().filter(isChosen), setup);
      for (const slot of chosen) if (!slot.running) schedule.want(slot, clock.mono(), host !== undefined);
      pump();
      return chosen.length;
    },
  };
};
