import { createAgenda } from './agenda.ts';
import type { Ended } from './ended.ts';
import { createHostGates, type HostGates } from './host-gate.ts';
import {
  pauseOfAbandoned,
  jitter,
  LONGEST_BACKOFF,
  nextBeat,
  pulsePause,
  restPause,
  slowDown,
} from './pace.ts';
import { createPulses, type Pulses } from './pulses.ts';
import type { Slot } from './slot.ts';

/** Who is asked when: pure of time and network, so that tests can hold both. All times are monotonic ms. */
export interface Schedule {
  add(slot: Slot, now: number): void;
  /** The next slot to ask, marked as running; never one that is running, beyond its probe's `parallel`, or behind its host's back-off. */
  take(now: number): Slot | undefined;
  noteDone(slot: Slot, ended: Ended, now: number): void;
  /** Asks the slot as soon as can be; when it is being asked, once more right after. `direct` (default): the host itself, not through another one. */
  want(slot: Slot, now: number, direct?: boolean): void;
  /** Asks it once, when its host can be reached: what is asked on demand only, and nobody waits for. */
  askOnce(slot: Slot, now: number): void;
  /** Nobody waits for it any more. */
  unwant(slot: Slot): void;
  /** Earlier than planned, never later. */
  hasten(slot: Slot, at: number): void;
  /** After a suspend: whatever is due waits a random part of its interval. */
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

/** An empty schedule. Long because all its questions are of one agenda. */
// oxlint-disable-next-line max-lines-per-function -- all its questions are of one agenda
export const createSchedule = ({ random, onHeld }: ScheduleSetup): Schedule => {
  const agenda = createAgenda<Slot>();
  const slots = new Set<Slot>();
  const gates = createHostGates(random);
  const limits = createLimits();
  const pulses = createPulses();

  const askAt = (slot: Slot, time: number): void => {
    slot.nextAt = time;
    agenda.add(slot);
  };
  const hasten = (slot: Slot, time: number): void => {
    if (!slot.running && slot.everyMs > 0 && time < slot.nextAt && time >= slot.restsUntil) askAt(slot, time);
  };
  const begin = (slot: Slot, now: number): Slot => {
    limits.begin(slot);
    gates.forget(slot);
    const { wanted: explicit, wantedDirect: direct } = slot;
    Object.assign(slot, {
      running: true,
      explicit,
      direct,
      wanted: false,
      wantedDirect: false,
      startedAt: now,
    });
    return slot;
  };

  return {
    add: (slot, now) => {
      slots.add(slot);
      pulses.add(slot);
      gates.add(slot);
      if (slot.everyMs === 0) return;
      const late = slot.probe.background ? now + (slot.beat ?? random()) * slot.everyMs : now;
      askAt(slot, Math.max(slot.restsUntil, late));
    },
    take: (now) => {
      for (let slot = agenda.take(now); slot; slot = agenda.take(now)) {
        slot.nextAt = Infinity;
        if (slot.running || limits.queueWhenFull(slot)) continue;
        const reopens = slot.wanted ? undefined : gates.heldUntil(slot, now);
        if (reopens === undefined) return begin(slot, now);
        if (reopens > now) askAt(slot, reopens);
        onHeld(slot);
      }
      return undefined;
    },
    noteDone: (slot, ended, now) => {
      slot.running = false;
      limits.end(slot);
      if (ended.kind === 'hung') Object.assign(slot, { hung: slot.hung + 1, hungAt: now });
      if (ended.kind === 'answered') {
        const unreadable = ended.unreadable ? slot.unreadable + 1 : 0;
        const restsUntil = unreadable > 0 ? now + restPause(unreadable) : -Infinity;
        Object.assign(slot, { hung: 0, unreadable, restsUntil });
      }
      if (ended.kind !== 'skipped' && !slot.overslept) {
        takeEnd(slot, ended);
        // A host that can't be reached says nothing of its daemons.
        if (ended.kind !== 'unreachable')
          for (const [one, time] of hastenedBy(slot, now, pulses, random)) hasten(one, time);
      }
      for (const [held, time] of gates.ended(slot, ended, now)) askAt(held, time);
      if (slot.again) Object.assign(slot, { again: false, wanted: true });
      askAt(
        slot,
        slot.wanted ? now : onBeat(slot, nextTime(slot, ended, now, { gates, pulses, random }), now, ended),
      );
      slot.overslept = false;
      const next = limits.next(slot);
      if (next) askAt(next, now);
    },
    want: (slot, now, direct = true) => {
      slot.wantedDirect ||= direct;
      if (slot.running) slot.again = true;
      else {
        slot.wanted = true;
        askAt(slot, now);
      }
    },
    askOnce: (slot, now) => {
      if (!slot.running) askAt(slot, Math.min(now, slot.nextAt));
    },
    unwant: (slot) => {
      slot.wanted = false;
      slot.wantedDirect = false;
      slot.again = false;
      if (slot.everyMs === 0 && !slot.running) slot.nextAt = Infinity;
    },
    hasten,
    spread: (now) => {
      for (const slot of slots) {
        if (slot.running) slot.overslept = true;
        // What is not due yet keeps its time: what is asked seldom would be put off again and again where the machine stalls often.
        else if (slot.everyMs > 0 && !slot.wanted && !(slot.nextAt > now && slot.nextAt < Infinity))
          askAt(slot, Math.max(slot.restsUntil, now + (slot.beat ?? random()) * slot.everyMs));
      }
    },
    nextWake: () => agenda.findNext(),
  };
};

/** What the end of an ask says of the slot. */
const takeEnd = (slot: Slot, ended: Ended): void => {
  slot.failing = ended.kind !== 'answered' || !ended.works;
  const took = ended.kind === 'answered' && ended.works ? ended.tookMs : 0;
  // One slow answer is a stall of something; two in a row are a slow command.
  slot.paceMs = slowDown(slot.everyMs, Math.min(took, slot.tookMs));
  slot.tookMs = took;
};

/** What the end of an ask says of the daemon behind it: who is to be asked sooner, and when. */
const hastenedBy = (
  slot: Slot,
  now: number,
  pulses: Pulses,
  random: () => number,
): readonly [slot: Slot, time: number][] => {
  const hastened = pulses.noteEnded(slot).map((one): [Slot, number] => {
    Object.assign(one, { paceMs: one.everyMs, tookMs: 0 });
    return [one, Math.max(now + random() * Math.min(500, one.everyMs), one.startedAt + one.everyMs / 5)];
  });
  const pulse = pulses.findToAsk(slot);
  if (pulse) hastened.push([pulse, Math.max(now, pulse.startedAt + pulsePause(pulse.everyMs))]);
  return hastened;
};

/** A daemon that is asked seldom and does not work comes back within the minute: nobody who has started it waits for the next turn. */
const saysIll = ({ probe, failing }: Slot, { kind }: Ended): boolean =>
  probe.pulse !== undefined && failing && kind === 'answered';

/** The moment for a slot that is asked together with others: theirs, the last one until then; the next one after a host was away, or where all are asked less often. */
const onBeat = (slot: Slot, time: number, now: number, { kind }: Ended): number => {
  if (slot.beat === undefined || time === Infinity) return time;
  const isLater = kind === 'unreachable' || slot.paceMs > slot.everyMs;
  const wait = Math.max(now, isLater ? time : time - slot.everyMs);
  return nextBeat(slot.everyMs, slot.beat, wait);
};

/** When a slot that was just asked is asked again. */
const nextTime = (
  slot: Slot,
  ended: Ended,
  now: number,
  { gates, pulses, random }: { gates: HostGates; pulses: Pulses; random: () => number },
): number => {
  if (slot.everyMs === 0) return Infinity;
  if (ended.kind === 'answered' && ended.unreadable) return slot.restsUntil;
  if (slot.overslept) return now + random() * slot.everyMs;
  if (ended.kind === 'unreachable') {
    const soonest = slot.probe.background ? slot.everyMs : Math.min(slot.everyMs, LONGEST_BACKOFF);
    return Math.max(slot.startedAt + jitter(soonest, random()), gates.earliestAt(slot));
  }
  if (ended.kind === 'hung' && slot.hung >= 2) return now + pauseOfAbandoned(slot.hung);
  if (pulses.isAwaited(slot)) return now + pulsePause(slot.everyMs);
  // What stands in the queue of a daemon that hangs is carried out when it goes on: the dear questions wait.
  if (pulses.isWaiting(slot)) return slot.startedAt + slowDown(slot.everyMs, now - slot.startedAt);
  const pace = Math.min(
    slot.paceMs,
    saysIll(slot, ended) ? slowDown(LONGEST_BACKOFF, now - slot.startedAt) : Infinity,
  );
  return Math.max(slot.startedAt + jitter(pace, random()), now + Math.min(1000, pace));
};

/** How many hosts are asked by one probe at once: its `parallel`. Those beyond wait for their turn; what is asked together has a fan-out. */
const createLimits = () => {
  const running = new Map<string, number>();
  const waiting = new Map<string, Set<Slot>>();
  const count = ({ probe }: Slot): number => running.get(probe.id) ?? 0;
  return {
    /** Whether the slot must wait; then it does. */
    queueWhenFull: (slot: Slot): boolean => {
      if (slot.beat !== undefined || count(slot) < (slot.probe.parallel ?? Infinity)) return false;
      waiting.set(slot.probe.id, (waiting.get(slot.probe.id) ?? new Set()).add(slot));
      return true;
    },
    begin: (slot: Slot): void => {
      running.set(slot.probe.id, count(slot) + 1);
      waiting.get(slot.probe.id)?.delete(slot);
    },
    end: (slot: Slot): void => void running.set(slot.probe.id, Math.max(0, count(slot) - 1)),
    /** The next one that waits for the end of one like this, taken out. */
    next: ({ probe }: Slot): Slot | undefined => {
      const next = waiting.get(probe.id)?.values().next().value;
      if (next) waiting.get(probe.id)?.delete(next);
      return next;
    },
  };
};
