import type { Transports } from '../model/answer.ts';
import type { Clock } from '../model/ports.ts';
import type { Failure } from '../model/reading.ts';
import { age } from '../text/ages.ts';
import { abandonedPause } from './pace.ts';
import type { Slot } from './slot.ts';

/** Slots of which commands of ours hang on their host: they rest. */
export interface Abandoned {
  /** The ask of a slot ended; `hung`: its command may still be there. */
  ended(slot: Slot, hung: boolean): void;
  /** The failure of a slot, with what hangs there. */
  failureOf(slot: Slot, failure: Failure): Failure;
  /** Those that need not rest any more: a connection made after our commands hung says that the network was at fault, not the host. */
  forgive(): readonly Slot[];
}

export const createAbandoned = (clock: Clock, transports: Transports): Abandoned => {
  /** Since when, UTC ms. */
  const abandoned = new Map<Slot, number>();
  return {
    ended: (slot, hung) => {
      if (hung && slot.hung >= 2) abandoned.set(slot, clock.now());
      else abandoned.delete(slot);
    },
    failureOf: (slot, failure) => {
      if (!abandoned.has(slot)) return failure;
      const again =
        slot.everyMs > 0 ? `asked again in ${age(abandonedPause(slot.hung))}` : 'asked on demand only';
      const message = `${failure.message}; ${slot.hung} commands of ours hang there: ${again}`;
      return { kind: 'abandoned', message };
    },
    forgive: () => {
      const forgiven: Slot[] = [];
      for (const [slot, since] of abandoned) {
        const connection = transports.connections().get(slot.host.name);
        if (connection?.state !== 'up' || connection.since <= since) continue;
        slot.hung = 0;
        abandoned.delete(slot);
        forgiven.push(slot);
      }
      return forgiven;
    },
  };
};
