import { slotKey, type Slot } from './slot.ts';

/** What the cheap question to a daemon tells about it, for those that ask the same daemon dearly. */
export interface Pulses {
  add(slot: Slot): void;
  /** The slot failed and its daemon is known not to work: its pulse finds the end of that, not the slot itself. */
  isWaiting(slot: Slot): boolean;
  /** The slot is the pulse of a daemon that does not work, and others wait for it. */
  isAwaited(slot: Slot): boolean;
  /** The slot failed: its pulse, which can tell at once whether the daemon works. */
  findToAsk(slot: Slot): Slot | undefined;
  /** The slot ended; gives those that are to be asked again, because their daemon did not work and does now. */
  noteEnded(slot: Slot): readonly Slot[];
}

/** No probes yet. */
export const createPulses = (): Pulses => {
  const slots = new Map<string, Slot>();
  /** Probe to the probe that is its pulse. */
  const pulseOf = new Map<string, string>();
  const ill = new Set<Slot>();
  const pulseFor = ({ probe, host }: Slot): Slot | undefined => {
    const pulse = pulseOf.get(probe.id);
    return pulse === undefined ? undefined : slots.get(slotKey(pulse, host.name));
  };
  const followersOf = ({ probe, host }: Slot): readonly Slot[] =>
    (probe.pulse?.of ?? []).flatMap((id) => slots.get(slotKey(id, host.name)) ?? []);
  return {
    add: (slot) => {
      slots.set(slot.key, slot);
      for (const probe of slot.probe.pulse?.of ?? []) pulseOf.set(probe, slot.probe.id);
    },
    isWaiting: (slot) => {
      const pulse = pulseFor(slot);
      return slot.failing && pulse !== undefined && ill.has(pulse);
    },
    isAwaited: (slot) => ill.has(slot) && followersOf(slot).some(({ failing }) => failing),
    findToAsk: (slot) => {
      const pulse = pulseFor(slot);
      return slot.failing && pulse && pulse.hung < 2 ? pulse : undefined;
    },
    noteEnded: (slot) => {
      if (!slot.probe.pulse) return [];
      const wasIll = ill.delete(slot);
      // A pulse that is not asked any more finds the end of nothing.
      if (slot.failing && slot.hung < 2) ill.add(slot);
      if (slot.failing || !wasIll) return [];
      return followersOf(slot).filter((one) => one.hung < 2 && (one.failing || one.paceMs > one.everyMs));
    },
  };
};
