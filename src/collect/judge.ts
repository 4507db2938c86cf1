import type { ConnectionState } from '../model/answer.ts';
import type { Fact } from '../model/fact.ts';
import type { Finding, FindingDraft, RankedFinding } from '../model/finding.ts';
import type { Track } from '../model/history.ts';
import type { Clock, Log } from '../model/ports.ts';
import type { SiteView } from '../model/site.ts';
import type { Judgement, System } from '../model/system.ts';
import type { PaneView } from '../model/view.ts';
import { safeDeep } from '../text/safe.ts';
import { bugFinding } from './bug-finding.ts';
import { createDueSystems } from './due-systems.ts';
import { createFacts, factReads } from './facts.ts';
import { createFirstSeen } from './first-seen.ts';
import type { HistoryStore } from './history-store.ts';
import { currentId, currentRules, formerNames } from './former-names.ts';
import { rank } from './rank.ts';
import { readDraft } from './read-draft.ts';
import { canTell, lastRead } from './rests-on.ts';
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
  /** Judges the systems whose readings, facts or connections changed; gives whether anything was judged. */
  update(): boolean;
  findings(): readonly RankedFinding[];
  /** The pane of a system, or the error that its view threw. */
  pane(system: System): { view: PaneView } | { error: string };
}

/** A pane is drawn by the judgement of its update when that is not older, ms. */
const FRESH = 1_000;

interface Judged {
  at: number;
  findings: readonly Finding[];
  bugs: Map<string, FindingDraft>;
  pane?: { view: PaneView } | { error: string };
}

const noFacts = createFacts(() => []);

/** A judge that has judged nothing yet. */
export const createJudge = (setup: JudgeSetup): Judge => {
  const { site, systems, store, history, clock, log, shared, knownRuns } = setup;
  const former = formerNames(systems);
  const firstSeen = createFirstSeen(history, clock.now(), (id) => currentId(id, former));
  const judged = new Map<string, Judged>(
    systems.map((system) => [system.id, { at: -Infinity, findings: [], bugs: new Map() }]),
  );
  const causes = systems.map((system) => ({ system: system.id, causes: system.causes ?? [] }));
  let ranked: readonly RankedFinding[] = [];
  let facts = noFacts;
  let factsVersion = -1;
  const told = (): number => (shared?.version() ?? 0) + (knownRuns?.version() ?? 0);
  const dueSystems = createDueSystems(systems, told());

  /** What a system gives, or the fallback with a finding that names its fault. */
  const guarded = <T>(system: System, what: string, work: () => T, fallback: T): T => {
    const bugs = judged.get(system.id)?.bugs;
    try {
      const result = work();
      bugs?.delete(what);
      return result;
    } catch (error) {
      const known = bugs?.get(what);
      const finding = bugFinding(system.id, system.title, what, error);
      if (known?.summary !== finding.summary) {
        log(
          `${system.id} ${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        );
      }
      bugs?.set(what, finding);
      return fallback;
    }
  };

  const judgement = (): Judgement => {
    if (factsVersion !== store.version()) {
      factsVersion = store.version();
      const base = plain();
      // A system that makes facts sees none: what it publishes must not depend on what it published.
      facts = createFacts(
        () =>
          systems.map((system) =>
            guarded<readonly Fact[]>(system, 'facts', () => system.facts({ ...base, facts: noFacts }), []),
          ),
        factReads(site, systems),
      );
    }
    return { ...plain(), facts };
  };
  const plain = (): Omit<Judgement, 'facts'> => {
    const audit = knownRuns?.runs();
    return {
      readings: store,
      history,
      connections: setup.connections(),
      site,
      ...(shared && { notes: shared.notes }),
      ...(audit && { audit }),
      now: clock.now(),
      mono: clock.mono(),
    };
  };

  let last: { seen: Judgement; version: number } | undefined;
  /** One for all that an update judges and draws: systems keep by it what they worked out of thousands of readings. */
  const current = (): Judgement => {
    const version = store.version();
    if (last?.version === version && clock.mono() - last.seen.mono <= FRESH) return last.seen;
    last = { seen: judgement(), version };
    return last.seen;
  };

  /** Gives what the history is to keep. */
  const judge = (system: System): readonly Track[] => {
    const seen = current();
    const one = judged.get(system.id);
    if (!one) return [];
    one.at = clock.mono();
    one.findings = guarded(system, 'findings', () => safeDeep(system.findings(seen)).map(readDraft), []);
    delete one.pane;
    return guarded(system, 'track', () => system.track(seen), []);
  };

  const conclude = (): void => {
    const own = [...judged.values()];
    const found = [
      ...own.flatMap(({ bugs }) => [...bugs.values()].slice(0, 1).map(readDraft)),
      ...own.flatMap(({ findings }) => findings),
    ];
    const now = clock.now();
    ranked = safeDeep(
      rank(found, {
        site,
        now,
        facts: judgement().facts,
        causes,
        off: currentRules(site.rules?.off ?? [], former),
        former,
        firstSeen: (finding) => firstSeen.of(finding, now),
        lastRead: (finding) => lastRead(finding, store),
        ...(shared && {
          notes: shared.notes,
          windows: shared.windows(now),
          acked: (finding) => shared.acked(finding, now),
        }),
      }),
    );
    firstSeen.record(ranked, (finding) => canTell(finding, store, systems), now);
  };

  return {
    judgement,
    update: () => {
      const mono = clock.mono();
      const due = dueSystems(
        { changed: store.sweep(), connections: setup.connections(), told: told() },
        ({ id }) => mono - (judged.get(id)?.at ?? 0),
      );
      if (due.length === 0) return false;
      last = undefined;
      const now = clock.now();
      history.record(due.flatMap(judge), now);
      conclude();
      return true;
    },
    findings: () => ranked,
    pane: (system) => {
      const one = judged.get(system.id);
      if (one?.pane) return one.pane;
      const pane = guarded<{ view: PaneView } | undefined>(
        system,
        'view',
        () => ({ view: system.view(current()) }),
        undefined,
      ) ?? { error: one?.bugs.get('view')?.summary ?? `${system.title}: no view` };
      if (one) one.pane = pane;
      if ('error' in pane) conclude();
      return pane;
    },
  };
};
