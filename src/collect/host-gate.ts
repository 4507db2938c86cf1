import type { ConnectFailureKind } from '../model/answer.ts';
import { connectBackoff } from './pace.ts';
import type { Slot } from './slot.ts';

/**
 * Back-off belongs to the host, not to each of its probes: while it can't be reached one probe goes ahead as a scout, the
 * others wait for it.
 */
export interface HostGate {
  /** Whether this slot must wait; if it need not and the host is down, it becomes the scout. */
  holds(slot: Slot, now: number): boolean;
  /** The host answered; gives the slots that waited for it. */
  open(): readonly Slot[];
  /** It could not be reached by an attempt begun at `startedAt`; gives the slots that waited for it. */
  fail(kind: ConnectFailureKind | undefined, startedAt: number, now: number): readonly Slot[];
  /** The slot ended without telling whether the host can be reached; gives the slots that waited for it. */
  leave(slot: Slot): readonly Slot[];
  /** The slot is being asked: it waits no more. */
  forget(slot: Slot): void;
  /** Not asked before this moment. */
  notBefore(): number;
}

/** A gate that stands open. `random` is 0..1. */
export const createHostGate = (random: () => number): HostGate => {
  let failures = 0;
  let failedAt = -Infinity;
  let notBefore = -Infinity;
  let scout: Slot | undefined;
  const held = new Set<Slot>();
  const release = (): readonly Slot[] => {
    const slots = [...held];
    held.clear();
    scout = undefined;
    return slots;
  };
  return {
    holds: (slot, now) => {
      if (failures === 0) return false;
      if (now < notBefore || (scout !== undefined && scout !== slot)) {
        held.add(slot);
        return true;
      }
      scout = slot;
      return false;
    },
    open: () => {
      failures = 0;
      notBefore = -Infinity;
      return release();
    },
    fail: (kind, startedAt, now) => {
      // Probes that were on their way together fail together: that is one failure.
      if (startedAt >= failedAt) {
        failures += 1;
        failedAt = now;
        notBefore = now + connectBackoff(kind, failures, random());
      }
      return release();
    },
    leave: (slot) => (scout === slot ? release() : []),
    forget: (slot) => void held.delete(slot),
    notBefore: () => notBefore,
  };
};
