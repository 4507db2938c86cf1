import type { Reread } from '../model/action.ts';
import type { Log } from '../model/ports.ts';
import { delayFailure, failureOn } from './failures.ts';
import type { Failure } from '../model/reading.ts';
import type { System } from '../model/system.ts';
import type { Choked } from '../model/wire.ts';
import { age } from '../text/ages.ts';
import { createAbandoned } from './abandoned.ts';
import { askOnce, readingOf, type AskParts, type AskResult } from './ask.ts';
import { createDemand } from './demand.ts';
import { endOfAsk } from './ended.ts';
import { give } from './give.ts';
import { createIdle } from './idle.ts';
import { restPause } from './pace.ts';
import { isBlocked, listWanted, prepareAsks } from './prepare-ask.ts';
import type { RawAnswers } from './raw-answers.ts';
import type { Interpreted } from './read-answer.ts';
import { createSchedule } from './schedule.ts';
import { slotKey, type Slot } from './slot.ts';
import { createSlots } from './slots.ts';
import { createSleepWatch } from './clock.ts';
import { createTraffic } from './traffic.ts';
import type { Shared } from './shared/shared.ts';
import { createWaiters } from './waiters.ts';

export interface AskerSetup extends AskParts {
  systems: readonly System[];
  raws: RawAnswers;
  /** Probes that touch anything are never asked. */
  readOnly: boolean;
  /** Everything is asked once: nothing is asked again. */
  once?: boolean | undefined;
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
  readNow(reads: readonly Reread[], signal?: AbortSignal, together?: 'together'): Promise<void>;
  /** Asks a host once what any host can be asked on demand only. */
  askOnDemand(host: string): Promise<void>;
  /** Asks again soon, of this system or host, what is asked regularly and meant to be asked now, and what is unsettled; gives how many. */
  refresh(choice: { system?: string; host?: string }): number;
  /** Before `start`: what made a collector stand still rests as an answer that can't be read. */
  giveRest(choked: Choked): void;
  slots(): readonly Slot[];
  /** Ends every ask; resolves when all have ended. */
  close(): Promise<void>;
}

const TICK = 1000;

/** Makes the slots; nothing is asked before `start` or `readNow`. Long because its parts share what is under way: the loop, each ask's begin and its end. */
// oxlint-disable-next-line max-lines-per-function -- its parts share what is under way
export const createAsker = (setup: AskerSetup): Asker => {
  const { site, store, clock, transports, readOnly, log, random, onChange } = setup;
  const slots = createSlots(setup);
  const flights = new Map<Slot, { abort: AbortController; ended: Promise<void> }>();
  const idle = createIdle(slots.systemOf);
  const abandoned = createAbandoned(clock, transports);
  const waiters = createWaiters<Slot>();
  const traffic = createTraffic(readOnly ? [] : (site.traffic ?? []), setup.shared, random);
  let looping: Promise<void> | undefined;
  let slept: (() => boolean) | undefined;
  let wake = new AbortController();
  let pumps = false;
  const life = new AbortController();

  const schedule = createSchedule({
    random,
    onHeld: (slot) => {
      const why = store
        .listOnHost(slot.host.name)
        .find((source) => source.failure?.kind === 'connect')?.failure;
      if (why) store.noteFailed(slot, why, clock.now());
    },
  });

  const skip = (slot: Slot): void => {
    schedule.noteDone(slot, { kind: 'skipped' }, clock.mono());
    store.noteNotAsked(slot);
    idle.add(slot);
    waiters.noteStarted(slot);
    waiters.noteEnded(slot);
  };

  const finish = (slot: Slot, result: AskResult): void => {
    flights.delete(slot);
    if (life.signal.aborted) return;
    const asleep = slot.overslept;
    schedule.noteDone(slot, endOfAsk(slot.probe, result), clock.mono());
    abandoned.ended(slot, result.hung);
    if (result.record) setup.raws.keep(result.record);
    const interpreted = withRest(slot, result.interpreted, setup.once);
    if (interpreted.ok) store.noteGood(slot, readingOf(slot, result, interpreted));
    // Reading it may be what held this thread for so long.
    else if (asleep && interpreted.failure.kind !== 'unreadable')
      store.noteFailed(slot, asleepFailure(slot), clock.now());
    else store.noteFailed(slot, abandoned.failureOf(slot, interpreted.failure), clock.now());
    give(slot, slots.receiversOf(slot), result, interpreted, store);
    idle.noteAnswered(slot, clock.mono());
    waiters.noteEnded(slot);
    // One more fine answer of a background host can wait for the next beat.
    if (!slot.probe.background || !interpreted.ok) onChange();
    pumpSoon();
  };

  const isAllowed = ({ probe, host }: Slot): boolean =>
    probe.touches !== 'traffic' || traffic.allows(probe.id, host.name, clock.now());

  /** Asks those of them that want to be asked; whether they do, and with what, is worked out for all of them together. */
  const begin = (due: readonly Slot[]): void => {
    const planned = due.filter(({ explicit }) => !explicit);
    const wanted = new Set(listWanted(planned, setup).filter(isAllowed));
    planned.filter((slot) => !wanted.has(slot)).forEach(skip);
    const asked = due.filter((slot) => slot.explicit || wanted.has(slot));
    for (const slot of asked) {
      idle.delete(slot);
      waiters.noteStarted(slot);
      store.noteAsked(slot, clock.now());
    }
    for (const [slot, prepared] of prepareAsks(asked, setup)) {
      const abort = new AbortController();
      const ended = askOnce(slot, setup, abort.signal, prepared).then((result) => finish(slot, result));
      flights.set(slot, { abort, ended });
    }
  };

  const takeDue = (): Slot[] => {
    const due: Slot[] = [];
    for (let slot = schedule.take(clock.mono()); slot; slot = schedule.take(clock.mono())) due.push(slot);
    return due;
  };

  const pump = (): void => {
    if (life.signal.aborted) return;
    // Before anything due is begun: after a stop an answer may come in first, and everything is due then.
    if (slept?.()) afterSleep();
    for (const slot of listWanted(idle.listDue(clock.mono()), setup)) schedule.hasten(slot, clock.mono());
    // What is skipped makes room for others.
    for (let due = takeDue(); due.length > 0; due = takeDue()) begin(due);
  };

  /** Once for all whose answers were read together: each pump has deadlines of its own. */
  const pumpSoon = (): void => {
    if (pumps) return;
    pumps = true;
    queueMicrotask(() => {
      pumps = false;
      pump();
      wake.abort('answered');
    });
  };

  const afterSleep = (): void => {
    log('this console was asleep or stopped: it connects again, polls are spread out');
    schedule.spread(clock.mono());
    transports.reset?.();
    for (const { abort } of flights.values()) abort.abort();
    onChange();
  };

  const loop = async (): Promise<void> => {
    slept = createSleepWatch(clock);
    while (!life.signal.aborted) {
      for (const { probe, hosts } of traffic.listDue(clock.now()))
        for (const host of hosts) schedule.askOnce(slots.find({ probe, host }), clock.mono());
      pump();
      wake = new AbortController();
      const wait = Math.max(1, Math.min(idle.soon() ?? TICK, schedule.nextWake() - clock.mono()));
      await clock.sleep(wait, wake.signal);
      for (const slot of abandoned.forgive()) schedule.hasten(slot, clock.mono() + random() * TICK);
    }
  };

  const demand = createDemand(setup, {
    slots,
    schedule,
    waiters,
    pump,
    giveUp: async (slot) => {
      flights.get(slot)?.abort.abort();
      await flights.get(slot)?.ended;
    },
  });
  return {
    start: () => {
      const now = clock.mono();
      for (const slot of slots.all()) if (!isBlocked(slot, readOnly)) schedule.add(slot, now);
      looping ??= loop();
    },
    ...demand,
    giveRest: ({ probe, host, tries, restMs }) => {
      const slot = slots.all().find(({ key }) => key === slotKey(probe, host));
      if (!slot || slot.everyMs === 0) return;
      Object.assign(slot, { unreadable: tries, restsUntil: clock.mono() + restMs });
      const failure = failureOn(host, 'unreadable', {
        what: `${probe} made the collector stand still, which was started again`,
        next: `asked again in ${age(restMs)}, or at once when it is read again by hand`,
      });
      store.noteFailed(slot, failure, clock.now());
    },
    slots: slots.all,
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

/** A failure with how long the slot rests for it. */
const withRest = (slot: Slot, interpreted: Interpreted, once = false): Interpreted => {
  if (interpreted.ok || interpreted.failure.kind !== 'unreadable' || slot.everyMs === 0 || once)
    return interpreted;
  const next = `asked again in ${age(restPause(slot.unreadable))}, or at once when it is read again by hand`;
  return { ok: false, failure: delayFailure(interpreted.failure, next) };
};

const asleepFailure = ({ host }: Slot): Failure =>
  failureOn(host.name, 'lost', { what: 'this console was asleep', next: 'asked again soon' });
