import type { ConnectFailureKind } from '../model/answer.ts';
import type { Ended } from './ended.ts';
import { connectBackoff, LONGEST_BACKOFF } from './pace.ts';
import type { Slot } from './slot.ts';

export type HostGates = ReturnType<typeof createHostGates>;

/** The gates of all hosts: they stand open until a host can't be reached. `random` gives 0..1. */
export const createHostGates = (random: () => number) => {
  /** Of a host that has always been reached there is none. */
  const gates = new Map<string, Gate>();
  /** Host to the shortest interval of what is asked there: how soon its return is to be seen. */
  const shortest = new Map<string, number>();
  const gateOf = ({ host }: Slot): Gate | undefined => gates.get(host.name);
  return {
    add: ({ host: { name }, everyMs, probe }: Slot): void => {
      if (everyMs > 0 && !probe.background)
        shortest.set(name, Math.min(LONGEST_BACKOFF, shortest.get(name) ?? Infinity, everyMs));
    },
    /** Whether this slot must wait, and until when at least; undefined: it may be asked. */
    heldUntil: (slot: Slot, now: number): number | undefined => {
      const gate = gateOf(slot);
      return gate?.holds(slot, now) ? gate.notBefore() : undefined;
    },
    /** Its host is not asked before this moment. */
    earliestAt: (slot: Slot): number => gateOf(slot)?.notBefore() ?? -Infinity,
    /** The slot is being asked: it waits no more. */
    forget: (slot: Slot): void => gateOf(slot)?.forget(slot),
    /** The ask of a slot ended; gives those that waited for it, each with the time at which it is to be asked. */
    ended: (slot: Slot, ended: Ended, now: number): readonly [slot: Slot, time: number][] => {
      if (ended.kind !== 'unreachable') {
        const gate = gateOf(slot);
        const released = (ended.kind === 'answered' ? gate?.listOpen() : gate?.leave(slot)) ?? [];
        return released.map((held) => [held, now + random() * Math.min(500, held.paceMs)]);
      }
      const gate = gateOf(slot) ?? new Gate(random);
      gates.set(slot.host.name, gate);
      const longest = ended.untouched ? shortest.get(slot.host.name) : LONGEST_BACKOFF;
      const held = gate.fail(ended.why, slot.startedAt, now, longest);
      return held.map((one) => [one, gate.notBefore()]);
    },
  };
};

/**
 * Back-off belongs to the host, not to each of its probes: while it can't be reached one probe goes ahead as a scout, the others wait
 * for it. A class: there may be one for every host, and its methods are shared.
 */
class Gate {
  readonly #random: () => number;
  #failures = 0;
  #failedAt = -Infinity;
  #notBefore = -Infinity;
  #scout: Slot | undefined;
  #held: Set<Slot> | undefined;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Whether this slot must wait; if it need not and the host is down, it becomes the scout. */
  holds(slot: Slot, now: number): boolean {
    if (this.#failures === 0) return false;
    if (now < this.#notBefore || (this.#scout !== undefined && this.#scout !== slot)) {
      (this.#held ??= new Set()).add(slot);
      return true;
    }
    this.#scout = slot;
    return false;
  }

  /** The host answered; gives the slots that waited for it. */
  listOpen(): readonly Slot[] {
    this.#failures = 0;
    this.#notBefore = -Infinity;
    return this.#release();
  }

  /** It could not be reached by an attempt begun at `startedAt`, and is left alone for `longestMs` at most; gives those that waited. */
  fail(
    kind: ConnectFailureKind | undefined,
    startedAt: number,
    now: number,
    longestMs?: number,
  ): readonly Slot[] {
    // Probes that were on their way together fail together: that is one failure.
    if (startedAt >= this.#failedAt) {
      this.#failures += 1;
      this.#failedAt = now;
      this.#notBefore = now + connectBackoff(kind, this.#failures, this.#random(), longestMs);
    }
    return this.#release();
  }

  /** The slot ended without telling whether the host can be reached; gives those that waited for it. */
  leave(slot: Slot): readonly Slot[] {
    return this.#scout === slot ? this.#release() : [];
  }

  forget(slot: Slot): void {
    this.#held?.delete(slot);
  }

  notBefore(): number {
    return this.#notBefore;
  }

  #release(): readonly Slot[] {
    const slots = [...(this.#held ?? [])];
    this.#held = undefined;
    this.#scout = undefined;
    return slots;
  }
}
