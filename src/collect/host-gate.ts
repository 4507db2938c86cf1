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
  /** It could not be reached by an attempt begun at `startedAt`, and is left alone for `longestMs` at most; gives the slots that waited for it. */
  fail(
    kind: ConnectFailureKind | undefined,
    startedAt: number,
    now: number,
    longestMs?: number,
  ): readonly Slot[];
  /** The slot ended without telling whether the host can be reached; gives the slots that waited for it. */
  leave(slot: Slot): readonly Slot[];
  /** The slot is being asked: it waits no more. */
  forget(slot: Slot): void;
  /** Not asked before this moment. */
  notBefore(): number;
}

/** A gate that stands open. `random` is 0..1. */
export const createHostGate = (random: () => number): HostGate => new Gate(random);

/** A class: there is one for every host, and its methods are shared. */
class Gate implements HostGate {
  readonly #random: () => number;
  #failures = 0;
  #failedAt = -Infinity;
  #notBefore = -Infinity;
  #scout: Slot | undefined;
  #held: Set<Slot> | undefined;

  constructor(random: () => number) {
    this.#random = random;
  }

  holds(slot: Slot, now: number): boolean {
    if (this.#failures === 0) return false;
    if (now < this.#notBefore || (this.#scout !== undefined && this.#scout !== slot)) {
      (this.#held ??= new Set()).add(slot);
      return true;
    }
    this.#scout = slot;
    return false;
  }

  open(): readonly Slot[] {
    this.#failures = 0;
    this.#notBefore = -Infinity;
    return this.#release();
  }

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
