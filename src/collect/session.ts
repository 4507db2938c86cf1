import type { Clock, Log } from '../model/ports.ts';
import type { RunView } from '../model/run.ts';
import type { FromWorker, RequestName, Requests, ToWorker } from '../model/wire.ts';
import { makeSafeDeep, makeSafe, type SafeData } from '../text/safe.ts';
import type { Collector } from './collector.ts';
import { evidenceOf } from './evidence.ts';
import { createFeed, type Shown } from './feed.ts';
import { expandNow, lookFor, runningJobs } from './look.ts';
import { readChanges, readDetail, readHostPage, type Known } from './night-requests.ts';
import { paneOf } from './pane-head.ts';
import { acknowledge, announce, endAnnouncement, jotNote, takeBack } from './shared/requests.ts';
import { stripOf } from './strip.ts';
import { createWatch, type Watch } from './watch.ts';

type Handlers = {
  [N in RequestName]: (args: Requests[N]['in']) => Promise<Requests[N]['out']> | Requests[N]['out'];
};

/** Questions that only a program with remedies can answer. */
export type RemedyRequest =
  'actions' | 'menu' | 'plan' | 'confirm' | 'drop' | 'stop' | 'keep' | 'restore' | 'audit' | 'shell';

/** What a program that may change machines adds. */
export interface RemedyExtras {
  handlers: Pick<Handlers, RemedyRequest>;
  /** Runs, each as it goes. */
  runs(): readonly RunView[];
  /** `actions off: audit log cannot be written`. */
  badges(): readonly string[];
  /** Calls back when a run or a badge changed. */
  onChange(listener: () => void): void;
}

/** What goes on beside the asking. */
export interface SessionExtras {
  remedy?: RemedyExtras;
  /** Called once, when everything that is asked regularly and not in the background has had its first answer or failure. */
  noteInformed(): void;
  close(): Promise<void>;
}

export interface SessionSetup {
  collector: Collector;
  clock: Clock;
  log: Log;
  send(message: FromWorker): void;
  extras?: SessionExtras;
}

/** The collector's side of the wire. */
export interface Session {
  receive(message: Exclude<ToWorker, { type: 'start' | 'stop' }>): void;
  close(): void;
}

/** At most four updates a second; the first one goes out at once. */
const PACE = 250;
/** Until everything urgent was heard: panes fill as fast as answers come. */
const FIRST_PACE = 100;
/** Ages become stale and minutes pass without any answer: looked at this often. */
const BEAT = 1000;

/**
 * Tells the screen what changed: one update in flight, the next after its acknowledgement, everything in between merged into
 * the difference to what was sent last. Requests are answered at once, whatever is in flight. Long because the update in flight and what changed since
 * are one state.
 */
// oxlint-disable-next-line max-lines-per-function -- one update in flight, and what changed since, are one state
export const createSession = ({ collector, clock, log, send, extras }: SessionSetup): Session => {
  const feed = createFeed();
  const life = new AbortController();
  const remedy = extras?.remedy;
  let seq = 0;
  let inFlight = false;
  let dirty = true;
  let informed = false;
  /** A judgement or the remedies have something new to show. */
  let changed = false;
  let shownVersion = -1;
  let wake = new AbortController();

  const stir = (): void => {
    dirty = true;
    wake.abort('changed');
  };
  const watch = createWatch(collector, () => {
    changed = true;
    stir();
  });
  const handlers = handlersOf(collector, remedy, watch);
  const stopListening = collector.onChange(stir);
  remedy?.onChange(() => {
    changed = true;
    stir();
  });

  const tell = (): void => {
    changed ||= collector.update(true);
    dirty = collector.isBehind('value');
    const version = collector.store.version();
    if (!changed && version === shownVersion) return;
    if (!informed && isInformed(collector)) {
      informed = true;
      extras?.noteInformed();
    }
    const update = feed.makeUpdate(shownOf(collector, remedy, watch), seq + 1, clock.now());
    changed = false;
    shownVersion = version;
    if (!update) return;
    seq = update.seq;
    inFlight = true;
    send(update);
  };

  const beat = async (): Promise<void> => {
    let beats = 0;
    while (!life.signal.aborted) {
      if (!inFlight) {
        try {
          tell();
          if (beats % 8 === 0) collector.history.tidy(clock.now());
        } catch (error) {
          log(`update: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        }
      }
      beats += 1;
      await clock.sleep(informed ? PACE : FIRST_PACE, life.signal);
      if (dirty || life.signal.aborted) continue;
      wake = new AbortController();
      await clock.sleep(BEAT - PACE, AbortSignal.any([wake.signal, life.signal]));
    }
  };
  send({ type: 'ready' });
  void beat();

  return {
    receive: (message) => {
      if (message.type === 'request') void answer(message, handlers, send);
      else if (message.seq === seq) {
        inFlight = false;
        if (dirty) wake.abort('changed');
      }
    },
    close: () => {
      stopListening();
      watch.close();
      life.abort();
    },
  };
};

const answer = async (
  { id, name, args }: Extract<ToWorker, { type: 'request' }>,
  handlers: Handlers,
  send: (message: FromWorker) => void,
): Promise<void> => {
  try {
    // `name` and `args` belong together: the wire's type says so, a call by name can't.
    const handler = handlers[name] as (given: unknown) => Promise<unknown>;
    const value = await handler(args);
    // Evidence was made safe line by line (`evidence.ts`): here its line feeds would be lost.
    const safe = name === 'evidence' ? (value as SafeData) : makeSafeDeep(value);
    send({ type: 'reply', id, ok: true, value: safe });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    send({ type: 'reply', id, ok: false, error: makeSafe(message) });
  }
};

const shownOf = (collector: Collector, remedy: RemedyExtras | undefined, watch: Watch): Shown => {
  const panes = collector.systems
    .filter(({ probes }) => probes.length > 0)
    .map((system) => paneOf(collector, system));
  return {
    strip: stripOf(collector, [...(remedy?.badges() ?? []), ...watch.badges()]),
    panes,
    ...((isInformed(collector) || collector.findings().length > 0) && { findings: collector.findings() }),
    fixed: collector.listFixed(),
    runs: remedy?.runs() ?? [],
  };
};

/**
 * Whatever is asked regularly, at once and without fear of hanging has had an answer or a failure, and that was judged: before, "no
 * findings" would be a lie.
 */
const isInformed = (collector: Collector): boolean =>
  !collector.isBehind('state') &&
  collector.systems
    .flatMap((system) => system.probes)
    .filter((probe) => probe.everyMs > 0 && !probe.background && !probe.mayHang)
    .every((probe) => collector.store.sources(probe.id).every(({ state }) => state !== 'never'));

const readOnly = { refused: { guard: '1 read-only', reason: 'this console is read-only' } };

const readOnlyHandlers: RemedyExtras['handlers'] = {
  actions: () => [],
  menu: () => [],
  plan: () => readOnly,
  confirm: () => readOnly,
  drop: () => ({}),
  stop: () => ({}),
  keep: () => readOnly,
  restore: () => readOnly,
  shell: () => ({ refused: 'this console is read-only' }),
  audit: () => {
    throw new Error('this console is read-only: "faultline audit" shows the audit log');
  },
};

/** What the remedies know of the night; a read-only program has no log of its own and no actions. */
const knownOf = (remedy: RemedyExtras | undefined): Known => ({
  audit: async (since) => (remedy ? (await remedy.handlers.audit({ since })).entries : []),
  menu: async (subjects, system) =>
    remedy ? remedy.handlers.menu({ subjects, ...(system !== undefined && { system }) }) : [],
});

const handlersOf = (collector: Collector, remedy: RemedyExtras | undefined, watch: Watch): Handlers => ({
  ...(remedy?.handlers ?? readOnlyHandlers),
  detail: (args) => readDetail(collector, args, knownOf(remedy)),
  evidence: ({ sources, whole }) => evidenceOf(collector, sources, whole),
  read: ({ pane, host }) => ({
    asked: collector.refresh({
      ...(pane !== undefined && { system: pane }),
      ...(host !== undefined && { host }),
    }),
  }),
  host: (args) => readHostPage(collector, args, knownOf(remedy)),
  changed: (args) => readChanges(collector, args, knownOf(remedy)),
  look: (args) => lookFor(collector, args),
  jobs: () => runningJobs(collector),
  expand: ({ set }) => expandNow(collector, set),
  watch: ({ pane }) => {
    const until = watch.toggle(pane);
    return until === undefined ? {} : { until };
  },
  ack: (args) => acknowledge(collector, args),
  unack: (args) => takeBack(collector, args),
  note: (args) => jotNote(collector, args),
  window: (args) => announce(collector, args),
  windowEnd: (args) => endAnnouncement(collector, args),
});
