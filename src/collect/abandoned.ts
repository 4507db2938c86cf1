import type { Transports } from '../model/answer.ts';
import type { Clock } from '../model/ports.ts';
import type { Failure } from '../model/reading.ts';
import { age } from '../text/ages.ts';
import { delayFailure } from './failures.ts';
import { pauseOfAbandoned } from './pace.ts';
import type { Slot } from './slot.ts';

/** Slots of which commands of ours hang on their host: they rest. */
export const createAbandoned = (clock: Clock, transports: Transports) => {
  /** Since when, UTC ms. */
  const abandoned = new Map<Slot, number>();
  return {
    /** The ask of a slot ended; `hung`: its command may still be there. */
    ended: (slot: Slot, hung: boolean): void => {
      if (hung && slot.hung >= 2) abandoned.set(slot, clock.now());
      else abandoned.delete(slot);
    },
    /** The failure of a slot, with what hangs there. */
    failureOf: (slot: Slot, failure: Failure): Failure => {
      if (!abandoned.has(slot)) return failure;
      const again =
        slot.everyMs > 0 ? `asked again in ${age(pauseOfAbandoned(slot.hung))}` : 'asked on demand only';
      const { message, said } = delayFailure(failure, `${slot.hung} commands of ours hang there: ${again}`);
      return { kind: 'abandoned', message, ...(said && { said }) };
    },
    /** Those that need not rest any more: a connection made after our commands hung says that the network was at fault, not the host. */
    forgive: (): readonly Slot[] => {
      const forgiven = [...abandoned].filter(([{ host }, since]) => {
        const connection = transports.connections().get(host.name);
        return connection?.state === 'up' && connection.since > since;
      });
      for (const [slot] of forgiven) {
        slot.hung = 0;
        abandoned.delete(slot);
      }
      return forgiven.map(([slot]) => slot);
    },
  };
};
