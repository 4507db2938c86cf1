import type { Transports } from '../model/answer.ts';
import type { Clock, Log } from '../model/ports.ts';
import type { Site, SiteView } from '../model/site.ts';
import type { System } from '../model/system.ts';
import { realClock } from '../collect/clock.ts';
import { createCollector, type Collector } from '../collect/collector.ts';
import { memoryHistory } from '../collect/history-memory.ts';
import { openHistory } from '../collect/history-open.ts';
import type { HistoryStore } from '../collect/history-store.ts';
import { createParseThread } from '../collect/parse-thread.ts';
import { assembleShared } from './shared.ts';
import { entry } from '../threads/entry.ts';
import { createFleet } from '../transport/clush/fleet.ts';
import { createTransports } from '../transport/pool.ts';

export interface AssembleSetup {
  site: SiteView;
  systems: readonly System[];
  log: Log;
  env: Readonly<Record<string, string | undefined>>;
  readOnly: boolean;
  /** `memory`: nothing is written (demo, tests). */
  history: 'disk' | 'memory';
  clock?: Clock;
  /** Everything is asked once (`status`): nothing grows stale meanwhile. */
  once?: boolean;
}

export interface Assembled {
  collector: Collector;
  transports: Transports;
  history: HistoryStore;
  clock: Clock;
  /** Ends every ask, every connection, then the history. */
  close(): Promise<void>;
}

/** The read-only parts of the program for one site. Nothing is asked yet. */
export const assemble = async (setup: AssembleSetup): Promise<Assembled> => {
  const { site, systems, log, env, clock = realClock, once = false } = setup;
  const readOnly = setup.readOnly || site.readOnly;
  const history =
    setup.history === 'memory'
      ? memoryHistory()
      : await openHistory({
          env,
          uid: process.getuid?.() ?? 0,
          site: site.name,
          log,
          now: () => clock.now(),
        });
  const transports = createTransports({ site, clock, log, env });
  const parseElsewhere = createParseThread(entry('parse-worker'), plainSite(site), log);
  const fleet = createFleet(site, { transports, clock, log });
  const shared = await assembleShared({
    site,
    systems,
    transports,
    clock,
    log,
    env,
    readOnly,
    history: setup.history,
  });
  const parts = { site, systems, transports, history, clock, log, readOnly, parseElsewhere, once, shared };
  const collector = createCollector({ ...parts, ...(fleet && { fleet }) });
  return {
    collector,
    transports,
    history,
    clock,
    close: async () => {
      await collector.close();
      await transports.close();
      history.close();
    },
  };
};

/** A site's data without its functions, which do not travel to another thread. */
export const plainSite = (site: SiteView): Site => {
  const { host: _host, hostsWithRole: _withRole, expand: _expand, resolve: _resolve, ...data } = site;
  return data;
};
