import { expect, it } from 'vitest';
import { plainSite } from '../../src/assemble/assemble.ts';
import { createCollector, type Collector } from '../../src/collect/collector.ts';
import { createFacts, factReads } from '../../src/collect/facts.ts';
import { memoryHistory } from '../../src/collect/history-memory.ts';
import { doParseJob } from '../../src/collect/parse-job.ts';
import { World } from '../../src/demo/world.ts';
import type { Transports } from '../../src/model/answer.ts';
import type { Readings, Source } from '../../src/model/reading.ts';
import type { Judgement } from '../../src/model/system.ts';
import { textOf } from '../../src/model/words.ts';
import { createSimulators } from '../../src/registries/simulators.ts';
import { systems } from '../../src/registries/systems.ts';
import { viewOf } from '../../src/site/view.ts';
import { createFakeClock } from '../collect/helpers/fake-clock.ts';
import { sequence } from '../collect/helpers/fake-collector.ts';
import { unreachable } from '../collect/helpers/fake-site.ts';
import { demoSite, transportsTo } from './whole-site.ts';

const probes = systems.flatMap((system) => system.probes);

const incidents = [
  ...new Set(createSimulators().flatMap((simulator) => simulator.incidents.map(({ name }) => name))),
].filter((name) => name !== 'quiet' && name !== 'night');

/** The same readings as other objects: nothing that was kept for one of them is found again. */
const copyReadings = ({ store }: Collector): Readings => {
  const keyOf = ({ probe, host }: Source): string => `${probe} ${host}`;
  const copies = new Map(
    probes.flatMap(({ id }) => store.sources(id).map((one) => [keyOf(one), structuredClone(one)])),
  );
  const list = (chosen: (source: Source) => boolean): Source[] => [...copies.values()].filter(chosen);
  const unread = new Set(store.listUnread().map(keyOf));
  const readings = {
    source: (probe: string, host: string) => copies.get(`${probe} ${host}`),
    sources: (probe: string) => list((one) => one.probe === probe),
    listOnHost: (host: string) => list((one) => one.host === host),
    listUnreached: () => store.listUnreached(),
    listUnread: () => list((one) => unread.has(keyOf(one))),
  };
  return readings as Readings;
};

/** What is to be judged now, with nothing that anybody could have kept of it but the charts. */
const fromScratch = (collector: Collector): Judgement => {
  const { connections, history, now, mono } = collector.judgement();
  const site = viewOf(structuredClone(plainSite(collector.site)));
  const bare = {
    readings: copyReadings(collector),
    // The same: by it the little charts are kept for a minute, in which their last column may lack what was just written.
    history,
    connections,
    site,
    now,
    mono,
  };
  const base = { ...bare, facts: createFacts(() => []) };
  const published = systems.map((system) => ({
    names: system.publishes,
    make: () => system.facts(base),
  }));
  return { ...bare, facts: createFacts(() => published, factReads(site, systems)) };
};

/** What each system says of a judgement. Tracks before the pane: both ask the history. */
const sayAll = (judgement: Judgement) =>
  systems.map((system) => ({
    system: system.id,
    facts: system.publishes.flatMap((name): readonly object[] => judgement.facts.list(name)),
    findings: system.findings(judgement),
    tracks: system.track(judgement),
    pane: system.view(judgement),
  }));

interface Told {
  id: string;
  summary: string;
}

const byId = (list: readonly Told[]): readonly Told[] => list.toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** What the console shows of a system. */
const shownOf = (collector: Collector, system: string): readonly Told[] =>
  byId(
    collector
      .findings()
      .filter((one) => one.system === system)
      .map(({ id, summary }) => ({ id, summary: textOf(summary) })),
  );

const STEPS = 12;
const STEP_MS = 5_000;
/** Every system is judged at least every 15 s. */
const LATE_STEPS = 3;

it.each([1, 2, 3])(
  'what is kept of earlier readings changes nothing, and nothing is told later than 15 s: seed %i',
  async (seed) => {
    const random = sequence(seed);
    const clock = createFakeClock();
    const world = new World(createSimulators(), () => clock.now());
    const site = await demoSite();
    const away = new Set<string>();
    const real = transportsTo(world, clock);
    const transports: Transports = {
      ...real,
      transportTo: (name) => {
        const to = real.transportTo(name);
        return {
          ...to,
          run: async (request) => (away.has(name) ? unreachable(name) : to.run(request)),
        };
      },
    };
    const history = memoryHistory();
    const collector = createCollector({
      site,
      systems,
      transports,
      clock,
      history,
      readOnly: true,
      log: () => {},
      random,
      parseElsewhere: async (job) => doParseJob(job, probes, site),
    });
    collector.start();
    const said: ReturnType<typeof sayAll>[] = [];
    let compared = 0;
    for (let step = 0; step < STEPS; step += 1) {
      const incident = incidents[Math.floor(random() * incidents.length)];
      if (incident !== undefined && random() < 0.4) world.start(incident);
      const host = site.hosts[Math.floor(random() * site.hosts.length)]?.name ?? '';
      if (random() < 0.5) away.add(host);
      if (random() < 0.3) away.clear();
      await clock.advance(STEP_MS);
      const scratch = sayAll(fromScratch(collector));
      expect(sayAll(collector.judgement())).toEqual(scratch);
      said.push(scratch);
      // It writes down what it judged: what was said before rests on the same history.
      collector.update(true);
      for (const [at, { id }] of systems.entries()) {
        const lately = said.slice(-1 - LATE_STEPS);
        // What could not be read of a system is told by another one, in its name.
        const others = new Set(
          lately.flatMap((all) =>
            all.flatMap((one) => (one.system === id ? [] : one.findings.map((found) => found.id))),
          ),
        );
        const drafts = lately.map((one) =>
          byId(one[at]?.findings.filter(({ system }) => system === id) ?? []),
        );
        const shown = shownOf(collector, id).filter((one) => !others.has(one.id));
        const matching = drafts.filter(
          (one) => JSON.stringify(one.map(tell)) === JSON.stringify(shown.map(tell)),
        );
        expect(matching.length, `${id}, step ${step}: ${JSON.stringify(shown)}`).toBeGreaterThan(0);
        compared += shown.length;
      }
    }
    expect(compared).toBeGreaterThan(0);
    const closing = collector.close();
    // What is under way ends on the fake clock.
    await clock.advance(60_000);
    await closing;
  },
  240_000,
);

const tell = ({ id, summary }: Told): readonly string[] => [id, summary];
