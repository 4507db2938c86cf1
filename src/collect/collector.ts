import type { Reread } from '../model/action.ts';
import type { Fleet, Transports } from '../model/answer.ts';
import type { RankedFinding } from '../model/finding.ts';
import type { Fixed } from '../model/wire.ts';
import type { Clock, Log, Reader } from '../model/ports.ts';
import type { SiteView } from '../model/site.ts';
import type { System } from '../model/system.ts';
import { createAsker, type Asker } from './asker.ts';
import type { HistoryStore } from './history-store.ts';
import { createJudge, type Judge } from './judge.ts';
import type { ParseElsewhere } from './parse-thread.ts';
import { createRawAnswers, type RawAnswers } from './raw-answers.ts';
import type { Shared } from './shared/shared.ts';
import { createStore, type Store } from './store.ts';
import { createKnownRuns, type KnownRuns } from './known-runs.ts';

export interface CollectorSetup {
  site: SiteView;
  systems: readonly System[];
  transports: Transports;
  /** Hosts that are asked many at a time. */
  fleet?: Fleet;
  history: HistoryStore;
  clock: Clock;
  log: Log;
  readOnly: boolean;
  parseElsewhere: ParseElsewhere;
  /** Everything is asked once, by `readNow`: nothing grows stale. */
  once?: boolean;
  /** What consoles tell each other. */
  shared?: Shared;
  /** 0..1; tests hold it. */
  random?: () => number;
}

/** Everything that is asked, known and concluded about a site. */
export interface Collector extends Reader {
  /** `together`: through a host that asks many, where the site has one; a guard's reading never is. */
  readNow(reads: readonly Reread[], signal?: AbortSignal, together?: 'together'): Promise<void>;
  readonly site: SiteView;
  readonly systems: readonly System[];
  readonly readOnly: boolean;
  readonly store: Store;
  readonly raws: RawAnswers;
  readonly transports: Transports;
  readonly history: HistoryStore;
  readonly clock: Clock;
  readonly shared?: Shared;
  /** The remedies tell of earlier runs, so that findings can say who did what. */
  tellRuns: KnownRuns['tell'];
  /** Asks from now on, until `close`. */
  start(): void;
  askOnDemand: Asker['askOnDemand'];
  refresh: Asker['refresh'];
  giveRest: Asker['giveRest'];
  slots: Asker['slots'];
  /** Judges what changed since the last time; gives whether anything did. */
  update: Judge['update'];
  isBehind: Judge['isBehind'];
  pane: Judge['pane'];
  findings(): readonly RankedFinding[];
  /** What was cured in the last hour. */
  listFixed(): readonly Fixed[];
  /** Calls back at each change, many a second: the listener gathers them. Gives the way to stop. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

/** Ties the store, the asker and the judge together. Nothing is asked before `start` or `readNow`. */
export const createCollector = (setup: CollectorSetup): Collector => {
  const { transports, random = Math.random } = setup;
  const store = createStore(setup.clock, setup.once);
  const raws = createRawAnswers();
  const listeners = new Set<() => void>();
  const onChange = (): void => {
    for (const listener of listeners) listener();
  };
  const touches = new Map(
    setup.systems.flatMap(({ probes }) => probes.map(({ id, touches: what }) => [id, what] as const)),
  );
  const asker = createAsker({
    ...setup,
    store,
    raws,
    random,
    onChange,
    facts: () => judge.judgement().facts,
  });
  const knownRuns = createKnownRuns();
  const judge = createJudge({
    ...setup,
    store,
    knownRuns,
    connections: () => transports.connections(),
  });
  setup.shared?.onChange(onChange);
  return {
    ...setup,
    store,
    raws,
    tellRuns: (runs) => {
      knownRuns.tell(runs);
      onChange();
    },
    start: () => {
      asker.start();
      setup.shared?.start();
    },
    readNow: asker.readNow,
    touches: (probe) => touches.get(probe),
    askOnDemand: asker.askOnDemand,
    refresh: asker.refresh,
    giveRest: asker.giveRest,
    slots: asker.slots,
    ...judge,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {
      await setup.shared?.close();
      await asker.close();
    },
  };
};
