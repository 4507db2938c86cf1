import type { ConnectFailureKind } from '../model/answer.ts';
import { createAgenda } from './agenda.ts';
import { createHostGate, type HostGate } from './host-gate.ts';
import { abandonedPause, jittered, LONGEST_BACKOFF, pulsePause, slowedDown } from './pace.ts';
import { createPulses } from './pulses.ts';
import type { Slot } from './slot.ts';

/**
 * How an ask ended, as far as the schedule cares. `tookMs`: on the host, where that is known. `works`: false when the command failed, or
 * its answer says that the daemon it asks does not work. `untouched`: see `ConnectFailure`.
 */
export type Ended =
  | { kind: 'answered'; tookMs: number; works: boolean }
  | { kind: 'unreachable'; why: ConnectFailureKind | undefined; untouched: boolean }
  | { kind: 'hung' }
  | { kind: 'failed' }
  | { kind: 'skipped' };

/** Who is asked when: pure of time and network, so that tests can hold both. All times are monotonic ms. */
export interface Schedule {
  add(slot: Slot, now: number): void;
  /** The next slot to ask, marked as running; never one that is running, beyond its probe's `parallel`, or behind its host's back-off. */
  take(now: number): Slot | undefined;
  done(slot: Slot, ended: Ended, now: number): void;
  /** Asks the slot as soon as can be; when it is being asked, once more right after. */
  want(slot: Slot, now: number): void;
  /** Asks it once, when its host can be reached: what is asked on demand only, and nobody waits for. */
  once(slot: Slot, now: number): void;
  /** Nobody waits for it any more. */
  unwant(slot: Slot): void;
  /** Earlier than planned, never later. */
  hasten(slot: Slot, at: number): void;
  /** After a suspend: everything waits a random part of its interval. */
  spread(now: number): void;
  /** When to call `take` again; Infinity: when something ends. */
  nextWake(): number;
}

export interface ScheduleSetup {
  /** 0..1. */
  random: () => number;
  /** The slot was due and waits because its host can't be reached. */
  onHeld(slot: Slot): void;
}

/** An empty schedule. */
export const createSchedule = ({ random, onHeld }: ScheduleSetup): Schedule => {
  const agenda = createAgenda<Slot>();
  const slots = new Set<Slot>();
  const gates = new Map<string, HostGate>();
  const running = new Map<string, number>();
  const waiting = new Map<string, Set<Slot>>();
  const pulses = createPulses();
  /** Host to the shortest interval of what is asked there: how soon its return is to be seen. */
  const shortest = new Map<string, number>();

  /** Of a host that has always been reached there is none. */
  const gateOf = (slot: Slot): HostGate | undefined => gates.get(slot.host.name);
  const gateFor = (slot: Slot): HostGate => {
    const gate = gateOf(slot) ?? createHostGate(random);
    gates.set(slot.host.name, gate);
    return gate;
  };
  const at = (slot: Slot, time: number): void => {
    slot.nextAt = time;
    agenda.add(slot);
  };
  const full = (slot: Slot): boolean =>
    (running.get(slot.probe.id) ?? 0) >= (slot.probe.parallel ?? Infinity);
  const queue = (slot: Slot): void => {
    const queued = waiting.get(slot.probe.id) ?? new Set<Slot>();
    waiting.set(slot.probe.id, queued.add(slot));
  };
  const admit = (probe: string, now: number): void => {
    const next = waiting.get(probe)?.values().next().value;
    if (!next) return;
    waiting.get(probe)?.delete(next);
    at(next, now);
  };
  const start = (slot: Slot, now: number): Slot => {
    running.set(slot.probe.id, (running.get(slot.probe.id) ?? 0) + 1);
    waiting.get(slot.probe.id)?.delete(slot);
    gateOf(slot)?.forget(slot);
    Object.assign(slot, { running: true, explicit: slot.wanted, wanted: false, startedAt: now });
    return slot;
  };
  const nextTime = (slot: Slot, ended: Ended, now: number): number => {
    if (slot.everyMs === 0) return Infinity;
    if (slot.overslept) return now + random() * slot.everyMs;
    if (ended.kind === 'unreachable') {
      const soonest = slot.probe.background ? slot.everyMs : Math.min(slot.everyMs, LONGEST_BACKOFF);
      return Math.max(slot.startedAt + jittered(soonest, random()), gateFor(slot).notBefore());
    }
    if (ended.kind === 'hung' && slot.hung >= 2) return now + abandonedPause(slot.hung);
    if (pulses.isAwaited(slot)) return now + pulsePause(slot.everyMs);
    // What stands in the queue of a daemon that hangs is carried out when it goes on: the dear questions wait.
    if (pulses.waits(slot)) return slot.startedAt + slowedDown(slot.everyMs, now - slot.startedAt);
    return Math.max(slot.startedAt + jittered(slot.paceMs, random()), now + Math.min(1000, slot.paceMs));
  };
  const tellGate = (slot: Slot, ended: Ended, now: number): void => {
    if (ended.kind === 'unreachable') {
      const gate = gateFor(slot);
      const longest = ended.untouched ? shortest.get(slot.host.name) : LONGEST_BACKOFF;
      for (const held of gate.fail(ended.why, slot.startedAt, now, longest)) at(held, gate.notBefore());
      return;
    }
    const gate = gateOf(slot);
    const released = ended.kind === 'answered' ? gate?.open() : gate?.leave(slot);
    for (const held of released ?? []) at(held, now + random() * Math.min(500, held.paceMs));
  };

  /** What the end of an ask says of the slot and of the daemon behind it; nothing when we slept meanwhile. */
  const judge = (slot: Slot, ended: Ended, now: number): void => {
    if (ended.kind === 'skipped' || slot.overslept) return;
    slot.failing = ended.kind !== 'answered' || !ended.works;
    const took = ended.kind === 'answered' && ended.works ? ended.tookMs : 0;
    // One slow answer is a stall of something; two in a row are a slow command.
    slot.paceMs = slowedDown(slot.everyMs, Math.min(took, slot.tookMs));
    slot.tookMs = took;
    // A host that can't be reached says nothing of its daemons.
    if (ended.kind === 'unreachable') return;
    for (const one of pulses.told(slot)) {
      Object.assign(one, { paceMs: one.everyMs, tookMs: 0 });
      const soon = Math.max(now + random() * Math.min(500, one.everyMs), one.startedAt + one.everyMs / 5);
      hasten(one, soon);
    }
    const pulse = pulses.toAsk(slot);
    if (pulse) hasten(pulse, Math.max(now, pulse.startedAt + pulsePause(pulse.everyMs)));
  };
  const hasten = (slot: Slot, time: number): void => {
    if (!slot.running && slot.everyMs > 0 && time < slot.nextAt) at(slot, time);
  };

  return {
    add: (slot, now) => {
      slots.add(slot);
      pulses.add(slot);
      const { name } = slot.host;
      if (slot.everyMs > 0 && !slot.probe.background)
        shortest.set(name, Math.min(LONGEST_BACKOFF, shortest.get(name) ?? Infinity, slot.everyMs));
      if (slot.everyMs > 0) at(slot, slot.probe.background ? now + random() * slot.everyMs : now);
    },
    take: (now) => {
      for (let slot = agenda.take(now); slot; slot = agenda.take(now)) {
        slot.nextAt = Infinity;
        if (slot.running) continue;
        if (full(slot)) {
          queue(slot);
          continue;
        }
        const gate = gateOf(slot);
        if (slot.wanted || !gate?.holds(slot, now)) return start(slot, now);
        const reopens = gate.notBefore();
        if (reopens > now) at(slot, reopens);
        onHeld(slot);
      }
      return undefined;
    },
    done: (slot, ended, now) => {
      slot.running = false;
      running.set(slot.probe.id, (running.get(slot.probe.id) ?? 1) - 1);
      if (ended.kind === 'hung') Object.assign(slot, { hung: slot.hung + 1, hungAt: now });
      if (ended.kind === 'answered') slot.hung = 0;
      judge(slot, ended, now);
      tellGate(slot, ended, now);
      if (slot.again) Object.assign(slot, { again: false, wanted: true });
      at(slot, slot.wanted ? now : nextTime(slot, ended, now));
      slot.overslept = false;
      admit(slot.probe.id, now);
    },
    want: (slot, now) => {
      if (slot.running) slot.again = true;
      else {
        slot.wanted = true;
        at(slot, now);
      }
    },
    once: (slot, now) => {
      if (!slot.running) at(slot, Math.min(now, slot.nextAt));
    },
    unwant: (slot) => {
      slot.wanted = false;
      slot.again = false;
      if (slot.everyMs === 0 && !slot.running) slot.nextAt = Infinity;
    },
    hasten,
    spread: (now) => {
      for (const slot of slots) {
        if (slot.running) slot.overslept = true;
        else if (slot.everyMs > 0 && !slot.wanted) at(slot, now + random() * slot.everyMs);
      }
    },
    nextWake: () => agenda.next(),
  };
};
