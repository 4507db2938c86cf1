import { createCollector, type Collector } from '../../../src/collect/collector.ts';
import { memoryHistory } from '../../../src/collect/history-memory.ts';
import type { HistoryStore } from '../../../src/collect/history-store.ts';
import { doParseJob } from '../../../src/collect/parse-job.ts';
import type { ParseElsewhere } from '../../../src/collect/parse-thread.ts';
import type { Shared } from '../../../src/collect/shared/shared.ts';
import type { Fleet, RawAnswer, RunRequest } from '../../../src/model/answer.ts';
import type { SiteView } from '../../../src/model/site.ts';
import type { System } from '../../../src/model/system.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import { fakeTransports, type FakeTransports } from './fake-site.ts';

export interface Rig {
  clock: FakeClock;
  transports: FakeTransports;
  collector: Collector;
  log: string[];
}

/** A collector on fake hosts and a fake clock; `random` is a fixed sequence. */
export const rig = (
  site: SiteView,
  systems: readonly System[],
  answer: (host: string, request: RunRequest, clock: FakeClock) => RawAnswer | 'hang',
  more: {
    readOnly?: boolean;
    history?: HistoryStore;
    seed?: number;
    parseElsewhere?: ParseElsewhere;
    once?: boolean;
    shared?: (clock: FakeClock) => Shared;
    fleet?: Fleet;
  } = {},
): Rig => {
  const clock = createFakeClock();
  const log: string[] = [];
  const transports = fakeTransports(clock, (host, request) => answer(host, request, clock));
  const probes = systems.flatMap((system) => system.probes);
  const collector = createCollector({
    site,
    systems,
    transports,
    clock,
    history: more.history ?? memoryHistory(),
    readOnly: more.readOnly ?? false,
    once: more.once ?? false,
    log: (line) => log.push(line),
    ...(more.fleet && { fleet: more.fleet }),
    ...(more.shared && { shared: more.shared(clock) }),
    random: sequence(more.seed ?? 1),
    parseElsewhere: more.parseElsewhere ?? (async (job) => doParseJob(job, probes, site)),
  });
  return { clock, transports, collector, log };
};

/** mulberry32: a small generator, so that a failing test can be run again. */
export const sequence = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};
