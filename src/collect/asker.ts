import type { Reread } from '../model/action.ts';
import type { Log } from '../model/ports.ts';
import type { Failure } from '../model/reading.ts';
import type { HostView } from '../model/site.ts';
import type { Probe, System } from '../model/system.ts';
import { age } from '../text/ages.ts';
import { askOnce, isBlocked, isWanted, readingOf, type AskParts, type AskResult } from './ask.ts';
import { endedBy } from './ended-by.ts';
import { createIdle } from './idle.ts';
import { abandonedPause } from './pace.ts';
import type { RawAnswers } from './raw-answers.ts';
import { createSchedule } from './schedule.ts';
import { createSlot, slotKey, type Slot } from './slot.ts';
import { createSleepWatch } from './clock.ts';
import { createTraffic } from './traffic.ts';
import type { Shared } from './shared/shared.ts';
import { createWaiters } from './waiters.ts';

export interface AskerSetup extends AskParts {
  systems: readonly System[];
  raws: RawAnswers;
  /** Probes that touch anything are never asked. */
  readOnly: boolean;
  log: Log;
  /** What consoles tell each other: that one of them began the site's traffic. */
  shared?: Pick<Shared, 'traffic' | 'add'>;
  /** 0..1. */
  random: () => number;
  /** Something in the store changed. */
  onChange(): void;
}

/** Keeps asking: every probe on every host with its role, each when it is due, and at once on demand. */
export interface Asker {
  start(): void;
  readNow(reads: readonly Reread[], signal?: AbortSignal): Promise<void>;
  /** Asks a host once what any host can be asked on demand only. */
  askOnDemand(host: string): Promise<void>;
  /** Asks again soon what is asked regularly and meant to be asked now, of this system or host; gives how many. */
  refresh(choice: { system?: string; host?: string }): number;
  slots(): readonly Slot[];
  /** Ends every ask; resolves when all have ended. */
  close(): Promise<void>;
}

const TICK = 1000;

/** Makes the slots; nothing is asked before `start` or `readNow`. */
export const createAsker = (setup: AskerSetup): Asker => {
  const { site, systems, store, clock, transports, readOnly, log, random, onChange } = setup;
  const slots = new Map<string, Slot>();
  const systemOf = new Map<string, string>();
  const flights = new Map<Slot, { abort: AbortController; ended: Promise<void> }>();
  const idle = createIdle(systemOf);
  const abandoned = new Map<Slot, number>();
  const waiters = createWaiters<Slot>();
  const traffic = createTraffic(readOnly ? [] : (site.traffic ?? []), setup.shared, random);
  let looping: Promise<void> | undefined;
  let slept: (() => boolean) | undefined;
  let wake = new AbortController();
  const life = new AbortController();

  const schedule = createSchedule({
    random,
    onHeld: (slot) => {
      const why = store.ofHost(slot.host.name).find((source) => source.failure?.kind === 'connect')?.failure;
      if (why) store.failed(slot, why, clock.now());
    },
  });

  // Traffic never goes by an interval: only when a person asks, or at its time of day.
  const everyMs = (probe: Probe): number =>
    probe.touches === 'traffic' ? 0 : (site.intervals[probe.id] ?? probe.everyMs);
  const addSlot = (probe: Probe, host: HostView, turn = 0): Slot => {
    const slot = createSlot(probe, host, everyMs(probe), turn);
    slots.set(slot.key, slot);
    store.add(slot);
    if (isBlocked(slot, readOnly))
      store.notAsked(slot, { kind: 'readOnly', message: 'not asked: read-only' });
    return slot;
  };
  /** What any host can be asked on demand: of 10,000 hosts a place is made for those that are. */
  const forAnyHost = new Map<string, Probe>();
  for (const system of systems) {
    for (const probe of system.probes) {
      systemOf.set(probe.id, system.id);
      if (probe.role === '*' && everyMs(probe) === 0) forAnyHost.set(probe.id, probe);
      else for (const [turn, host] of site.withRole(probe.role).entries()) addSlot(probe, host, turn);
    }
  }

  const skip = (slot: Slot): void => {
    schedule.done(slot, { kind: 'skipped' }, clock.mono());
    store.notAsked(slot);
    idle.add(slot);
    waiters.started(slot);
    waiters.ended(slot);
  };

  const failureOf = (slot: Slot, failure: Failure, slept: boolean): Failure => {
    if (slept)
      return { kind: 'lost', message: `${slot.host.name}: this console was asleep; asked again soon` };
    if (!abandoned.has(slot)) return failure;
    const again =
      slot.everyMs > 0 ? `asked again in ${age(abandonedPause(slot.hung))}` : 'asked on demand only';
    const message = `${failure.message}; ${slot.hung} commands of ours hang there: ${again}`;
    return { kind: 'abandoned', message };
  };

  const finish = (slot: Slot, result: AskResult): void => {
    flights.delete(slot);
    if (life.signal.aborted) return;
    const slept = slot.overslept;
    schedule.done(slot, endedBy(slot.probe, result), clock.mono());
    if (result.hung && slot.hung >= 2) abandoned.set(slot, clock.now());
    else abandoned.delete(slot);
    if (result.record) setup.raws.keep(result.record);
    const { interpreted } = result;
    if (interpreted.ok) store.good(slot, readingOf(slot, result, interpreted));
    else store.failed(slot, failureOf(slot, interpreted.failure, slept), clock.now());
    idle.answered(slot, clock.mono());
    waiters.ended(slot);
    // One more fine answer of a background host can wait for the next beat.
    if (!slot.probe.background || !interpreted.ok) onChange();
    pump();
    wake.abort('answered');
  };

  const isTime = (slot: Slot): boolean =>
    isWanted(slot, setup) &&
    (slot.probe.touches !== 'traffic' || traffic.allows(slot.probe.id, slot.host.name, clock.now()));

  const begin = (slot: Slot): void => {
    if (!slot.explicit && !isTime(slot)) return skip(slot);
    idle.delete(slot);
    waiters.started(slot);
    store.asked(slot, clock.now());
    const abort = new AbortController();
    const ended = askOnce(slot, setup, abort.signal).then((result) => finish(slot, result));
    flights.set(slot, { abort, ended });
  };

  const pump = (): void => {
    if (life.signal.aborted) return;
    // Before anything due is begun: after a stop an answer may come in first, and everything is due then.
    if (slept?.()) afterSleep();
    for (const slot of idle.due(clock.mono())) if (isWanted(slot, setup)) schedule.hasten(slot, clock.mono());
    for (let slot = schedule.take(clock.mono()); slot; slot = schedule.take(clock.mono())) begin(slot);
  };

  const afterSleep = (): void => {
    log('this console was asleep or stopped: connections are made anew, polls are spread');
    schedule.spread(clock.mono());
    transports.reset?.();
    for (const { abort } of flights.values()) abort.abort();
    onChange();
  };

  /** A connection made after our commands hung on the old one: the network was at fault, not the host. */
  const forgive = (): void => {
    for (const [slot, since] of abandoned) {
      const connection = transports.connections().get(slot.host.name);
      if (connection?.state !== 'up' || connection.since <= since) continue;
      slot.hung = 0;
      abandoned.delete(slot);
      schedule.hasten(slot, clock.mono() + random() * TICK);
    }
  };

  const loop = async (): Promise<void> => {
    slept = createSleepWatch(clock);
    while (!life.signal.aborted) {
      for (const { probe, hosts } of traffic.due(clock.now()))
        for (const host of hosts) schedule.once(find({ probe, host }), clock.mono());
      pump();
      wake = new AbortController();
      const wait = Math.max(1, Math.min(idle.soon() ?? TICK, schedule.nextWake() - clock.mono()));
      await clock.sleep(wait, wake.signal);
      forgive();
    }
  };

  const find = (read: Reread): Slot => {
    const probe = forAnyHost.get(read.probe);
    const host = probe && site.host(read.host);
    const slot = slots.get(slotKey(read.probe, read.host)) ?? (host && addSlot(probe, host));
    if (!slot) throw new Error(`${read.probe} is not asked on ${read.host}`);
    return slot;
  };

  const readNow: Asker['readNow'] = async (reads, signal) => {
    const wanted = [...new Set(reads.map(find))].filter((slot) => !isBlocked(slot, readOnly));
    const waits = wanted.map((slot) => {
      const wait = waiters.next(slot, signal);
      schedule.want(slot, clock.mono());
      return wait;
    });
    pump();
    await Promise.all(waits);
    if (!signal?.aborted) return;
    for (const slot of wanted.filter((one) => !waiters.any(one))) {
      schedule.unwant(slot);
      if (slot.explicit) flights.get(slot)?.abort.abort();
    }
  };

  return {
    start: () => {
      const now = clock.mono();
      for (const slot of slots.values()) if (!isBlocked(slot, readOnly)) schedule.add(slot, now);
      looping ??= loop();
    },
    askOnDemand: (host) => {
      const reads = [...forAnyHost.keys()].map((probe) => ({ probe, host }));
      return readNow(reads);
    },
    readNow,
    refresh: ({ system, host }) => {
      const chosen = [...slots.values()].filter(
        (slot) =>
          slot.everyMs > 0 &&
          (system === undefined || systemOf.get(slot.probe.id) === system) &&
          (host === undefined || slot.host.name === host) &&
          !isBlocked(slot, readOnly) &&
          isWanted(slot, setup),
      );
      for (const slot of chosen) if (!slot.running) schedule.want(slot, clock.mono());
      pump();
      return chosen.length;
    },
    slots: () => [...slots.values()],
    close: async () => {
      life.abort();
      wake.abort();
      const ends = [...flights.values()].map(({ abort, ended }) => {
        abort.abort();
        return ended;
      });
      waiters.endAll();
      await Promise.all([...ends, looping]);
    },
  };
};
