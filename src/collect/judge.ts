import type { ConnectionState } from '../model/answer.ts';
import type { Facts } from '../model/fact.ts';
import { readDraft, type Finding, type RankedFinding } from '../model/finding.ts';
import type { Track } from '../model/reading.ts';
import type { Clock, Log } from '../model/ports.ts';
import type { SiteView } from '../model/site.ts';
import type { Judgement, System } from '../model/system.ts';
import type { Fixed } from '../model/wire.ts';
import { makeSafeDeep } from '../text/safe.ts';
import { createDueSystems, type Change, type LastJudgement } from './due-systems.ts';
import { createFacts, createFactWatch, factReads, type Published } from './facts.ts';
import { createFirstSeen } from './first-seen.ts';
import { createFixed, type FixedFindings } from './fixed.ts';
import type { HistoryStore } from './history-store.ts';
import { currentId, currentRules, formerNames } from './former-names.ts';
import { createOwnFaults, type OwnFaults } from './own-faults.ts';
import { createPanes, type Pane } from './panes.ts';
import { rank } from './rank.ts';
import { hasFreshReadings, lastRead } from './rests-on.ts';
import type { Shared } from './shared/shared.ts';
import type { Store } from './store.ts';
import type { KnownRuns } from './known-runs.ts';

export interface JudgeSetup {
  site: SiteView;
  systems: readonly System[];
  store: Store;
  history: HistoryStore;
  clock: Clock;
  log: Log;
  connections(): ReadonlyMap<string, ConnectionState>;
  shared?: Shared;
  knownRuns?: KnownRuns;
}

/** Turns readings into findings, facts, tracks and panes; a system that throws is named and hurts no other. */
export interface Judge {
  judgement(): Judgement;
  /**
   * Judges the systems whose readings, facts or connections changed; gives whether anything was judged. `paced`: a system rests after a
   * judgement by what that cost, for somebody who looks on all the time; nothing that fails or grows old waits longer than half a second.
   */
  update(paced?: boolean): boolean;
  /** Something as pressing as this, or more so, waits until its system has rested: `update` is to be called again soon. */
  isBehind(least: Change): boolean;
  findings(): readonly RankedFinding[];
  /** What went in the last hour after somebody acted on it. */
  listFixed(): readonly Fixed[];
  /** The pane of a system, or the error that its view threw. */
  pane(system: System): Pane;
}

/** A pane is drawn by the judgement of its update when that is not older, ms. */
const FRESH = 1_000;

interface Judged {
  at: number;
  /** What judging and drawing it took, ms. */
  costMs: number;
  findings: readonly Finding[];
}

/** A judge that has judged nothing yet. Long because what is judged, ranked and drawn of it is one state. */
// oxlint-disable-next-line max-lines-per-function -- what is judged, ranked and drawn of it is one state
export const createJudge = (setup: JudgeSetup): Judge => {
  const { systems, store, history, clock, shared, knownRuns } = setup;
  const judged = new Map<string, Judged>(
    systems.map(({ id }) => [id, { at: -Infinity, costMs: 0, findings: [] }]),
  );
  const faults = createOwnFaults(setup.log, clock);
  const judgements = createJudgements(setup, faults);
  const cured = createFixed(history, clock.now());
  const rankAll = createRanking(setup, cured);
  let ranked: readonly RankedFinding[] = [];
  const sharedVersion = (): number => (shared?.version() ?? 0) + (knownRuns?.version() ?? 0);
  const dueSystems = createDueSystems(systems, sharedVersion());
  const changedFacts = createFactWatch(systems);

  /** Gives what the history is to keep. */
  const judge = (system: System): readonly Track[] => {
    const seen = judgements.current();
    const own = judged.get(system.id);
    if (!own) return [];
    own.at = clock.mono();
    const find = (): readonly Finding[] => makeSafeDeep(system.findings(seen)).map(readDraft);
    own.findings = faults.guard(system, 'findings', find, []);
    panes.forget(system);
    const tracks = faults.guard(system, 'track', () => system.track(seen), []);
    own.costMs = clock.mono() - own.at;
    return tracks;
  };
  /** Those that read otherwise, and then those that need facts that are others by it. */
  const judgeDue = (paced: boolean): readonly Track[] | undefined => {
    const mono = clock.mono();
    const lastOf = ({ id }: System): LastJudgement => {
      const { at, costMs } = judged.get(id) ?? { at: -Infinity, costMs: 0 };
      return { sinceMs: mono - at, costMs: paced ? costMs : 0 };
    };
    const news = { changed: store.sweep(), connections: setup.connections(), toldCount: sharedVersion() };
    const due = dueSystems.listDue(news, lastOf);
    if (due.length === 0) return undefined;
    judgements.forget();
    return faults.together(() => {
      const tracks = due.flatMap(judge);
      dueSystems.noteFacts(changedFacts(due, judgements.current().facts), due);
      return [...tracks, ...dueSystems.listDue({ ...news, changed: new Map() }, lastOf).flatMap(judge)];
    });
  };
  const conclude = (): void => {
    const found = [...judged.values()].flatMap(({ findings }) => findings);
    ranked = rankAll([...faults.findings(systems), ...found], judgements.make().facts);
  };

  const panes = createPanes(systems, faults, judgements, ({ id }, ms) => {
    const own = judged.get(id);
    if (own) own.costMs += ms;
  });

  return {
    judgement: judgements.make,
    update: (paced = false) => {
      const tracks = judgeDue(paced);
      if (!tracks) return false;
      history.record(tracks, clock.now());
      conclude();
      return true;
    },
    isBehind: dueSystems.isBehind,
    findings: () => ranked,
    listFixed: () => cured.list(knownRuns?.runs(), clock.now()),
    pane: (system) => {
      const { pane, newlyBroken } = panes.find(system);
      if (newlyBroken) conclude();
      return pane;
    },
  };
};

const noFacts = createFacts(() => []);

/** What systems judge by. */
const createJudgements = (setup: JudgeSetup, faults: OwnFaults) => {
  const { site, systems, store, history, clock, shared, knownRuns } = setup;
  let facts = noFacts;
  let factsVersion = -1;
  let last: { seen: Judgement; version: number } | undefined;
  const plain = (): Omit<Judgement, 'facts'> => {
    const audit = knownRuns?.runs();
    return {
      readings: store,
      history,
      connections: setup.connections(),
      site,
      ...(shared && { notes: shared.notes, doubts: shared.listOdd().doubts }),
      ...(audit && { audit }),
      now: clock.now(),
      mono: clock.mono(),
    };
  };
  const make = (): Judgement => {
    if (factsVersion !== store.version()) {
      factsVersion = store.version();
      // A system that makes facts sees none: what it publishes must not depend on what it published.
      const base = { ...plain(), facts: noFacts };
      const published = (system: System): Published => ({
        names: system.publishes,
        make: () => faults.guard(system, 'facts', () => system.facts(base), []),
      });
      facts = createFacts(() => systems.map(published), factReads(site, systems));
    }
    return { ...plain(), facts };
  };
  return {
    make,
    /** One for all that an update judges and draws: systems keep by it what they worked out of thousands of readings. */
    current: (): Judgement => {
      const version = store.version();
      if (last?.version === version && clock.mono() - last.seen.mono <= FRESH) return last.seen;
      last = { seen: make(), version };
      return last.seen;
    },
    forget: (): void => {
      last = undefined;
    },
  };
};

/** Puts findings in their order, with what explains them and since when they are seen. */
const createRanking = (
  { site, systems, store, history, clock, shared }: JudgeSetup,
  cured: FixedFindings,
) => {
  const former = formerNames(systems);
  const firstSeen = createFirstSeen(history, clock.now(), (id) => currentId(id, former));
  const causes = systems.map((system) => ({ system: system.id, causes: system.causes ?? [] }));
  return (found: readonly Finding[], facts: Facts): readonly RankedFinding[] => {
    const now = clock.now();
    const ranked = rank(found, {
      site,
      now,
      facts,
      causes,
      off: currentRules(site.rules?.off ?? [], former),
      former,
      firstSeen: (finding) => firstSeen.findFirstSeen(finding, now),
      lastRead: (finding) => lastRead(finding, store),
      ...(shared && {
        notes: shared.notes,
        windows: shared.windows(now),
        findAck: (finding) => shared.findAck(finding, now),
      }),
    });
    const gone = firstSeen.record(ranked, (finding) => hasFreshReadings(finding, store, systems), now);
    cured.record(ranked, gone, now);
    return ranked;
  };
};
