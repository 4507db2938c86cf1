import type { Slot } from './slot.ts';

/** What does not want to be asked is looked at again after an answer of its system: soon at first, then at most this often, ms. */
const SOON = 200;
const LATER = 3000;

/** Slots that do not want to be asked now. A new reading of their system may change that: `when` looks at readings. */
export interface Idle {
  add(slot: Slot): void;
  delete(slot: Slot): void;
  /** A probe of this slot's system has answered. `now` on the monotonic clock. */
  noteAnswered(slot: Slot, now: number): void;
  /** Those whose time has come to be looked at. */
  listDue(now: number): readonly Slot[];
  /** When some are to be looked at, in ms; undefined: none are. */
  soon(): number | undefined;
}

export const createIdle = (systemOf: (slot: Slot) => string | undefined): Idle => {
  const idle = new Map<string, Set<Slot>>();
  const looks = new Map<string, { at: number; times: number }>();
  const planned = new Set<string>();
  const keyOf = (slot: Slot): string => systemOf(slot) ?? '';
  return {
    add: (slot) => void idle.set(keyOf(slot), (idle.get(keyOf(slot)) ?? new Set()).add(slot)),
    delete: (slot) => void idle.get(keyOf(slot))?.delete(slot),
    noteAnswered: (slot, now) => {
      const system = keyOf(slot);
      if (slot.probe.background || !idle.get(system)?.size) return;
      const { at, times } = looks.get(system) ?? { at: -Infinity, times: 0 };
      const pause = times < 5 ? SOON : LATER;
      if (at <= now) looks.set(system, { at: Math.max(now, at + pause), times: times + 1 });
      planned.add(system);
    },
    listDue: (now) => {
      const systems = [...planned].filter((system) => (looks.get(system)?.at ?? 0) <= now);
      for (const system of systems) planned.delete(system);
      return systems.flatMap((system) => [...(idle.get(system) ?? [])]);
    },
    soon: () => (planned.size > 0 ? SOON : undefined),
  };
};
