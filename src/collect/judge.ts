import type { ConnectionState } from '../model/answer.ts';
import type { Fact } from '../model/fact.ts';
import type { Finding, RankedFinding } from '../model/finding.ts';
import type { Track } from '../model/history.ts';
import type { Clock, Log } from '../model/ports.ts';
import type { Source } from '../model/reading.ts';
import type { SiteView } from '../model/site.ts';
import type { Judgement, System } from '../model/system.ts';
import type { PaneView } from '../model/view.ts';
import { safeDeep } from '../text/safe.ts';
import { createFacts, factReads } from './facts.ts';
import { createFirstSeen } from './first-seen.ts';
import type { HistoryStore } from './history-store.ts';
import type { Kernels } from './kernels.ts';
import { rank } from './rank.ts';
import { rulesOf } from './rules.ts';
import { bugFinding, unreachableHosts } from './site-findings.ts';
import type { Shared } from './shared/shared.ts';
import type { Store } from './store.ts';
import type { ToldRuns } from './told-runs.ts';

export interface JudgeSetup {
  site: SiteView;
  systems: readonly System[];
  store: Store;
  history: HistoryStore;
  clock: Clock;
  log: Log;
  connections(): ReadonlyMap<string, ConnectionState>;
  shared?: Shared;
  kernels?: Kernels;
  toldRuns?: ToldRuns;
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

/** Judgements may rest on time that passed as well: each system is judged at least this often, ms. */
const AT_LEAST = 15_000;
/** Fine answers of hundreds of background hosts drip in all the time: they are judged together, this often, ms. */
const CALMLY = 5_000;
/** A pane is drawn by the judgement of its update when that is not older, ms. */
const FRESH = 1_000;

interface Judged {
  at: number;
  findings: readonly Finding[];
  bugs: Map<string, Finding>;
  pane?: { view: PaneView } | { error: string };
}

const noFacts = createFacts(() => []);

/** A judge that has judged nothing yet. */
export const createJudge = (setup: JudgeSetup): Judge => {
  const { site, systems, store, history, clock, log, shared, kernels, toldRuns } = setup;
  const firstSeen = createFirstSeen(history, clock.now());
  const judged = new Map<string, Judged>(
    systems.map((system) => [system.id, { at: -Infinity, findings: [], bugs: new Map() }]),
  );
  const inForce = rulesOf(site.rules?.off ?? []);
  const calm = new Set<string>();
  let ranked: readonly RankedFinding[] = [];
  let droppedSeen = '';
  let upSeen = '';
  let facts = noFacts;
  let factsVersion = -1;
  const told = (): number =>
    (shared?.version() ?? 0) + (kernels?.version() ?? 0) + (toldRuns?.version() ?? 0);
  let toldVersion = told();

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
          systems.flatMap((system) =>
            guarded<readonly Fact[]>(system, 'facts', () => system.facts({ ...base, facts: noFacts }), []),
          ),
        factReads(site, systems),
      );
    }
    return { ...plain(), facts };
  };
  const plain = (): Omit<Judgement, 'facts'> => {
    const audit = toldRuns?.runs();
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
    one.findings = guarded(system, 'findings', () => safeDeep(system.findings(seen)), []);
    delete one.pane;
    return guarded(system, 'track', () => system.track(seen), []);
  };

  /** Whether what a finding rests on (else all that its system asks regularly) is fresh: only then its absence says something. */
  const canTell = (finding: Pick<Finding, 'system' | 'evidence'>): boolean => {
    if (finding.system === 'site') return true;
    const named = finding.evidence.flatMap(({ probe, host }) =>
      probe !== undefined && host !== undefined ? (store.source(probe, host) ?? []) : [],
    );
    const sources: readonly Source[] =
      named.length > 0
        ? named
        : (systems.find((one) => one.id === finding.system)?.probes ?? [])
            .filter((probe) => probe.everyMs > 0 && !probe.background)
            .flatMap((probe) => store.sources(probe.id));
    return sources.length > 0 && sources.every(({ state }) => state === 'fresh' || state === 'notAsked');
  };

  const conclude = (): void => {
    const own = [...judged.values()];
    const found = [
      ...unreachableHosts(store),
      ...(kernels?.findings(clock.now()) ?? []),
      ...own.flatMap(({ bugs }) => [...bugs.values()].slice(0, 1)),
      ...own.flatMap(({ findings }) => findings),
    ];
    const now = clock.now();
    ranked = safeDeep(
      rank(found, {
        site,
        now,
        facts: judgement().facts,
        rules: inForce,
        firstSeen: (finding) => firstSeen.of(finding, now),
        ...(shared && {
          notes: shared.notes,
          windows: shared.windows(now),
          acked: (finding) => shared.acked(finding, now),
        }),
      }),
    );
    firstSeen.record(ranked, canTell, now);
  };

  return {
    judgement,
    update: () => {
      const changed = store.sweep();
      const connections = setup.connections();
      const dropped = fingerprint(connections, 'down');
      const lines = dropped !== droppedSeen;
      droppedSeen = dropped;
      const up = fingerprint(connections, 'up');
      if (up !== upSeen) for (const { id } of systems) calm.add(id);
      upSeen = up;
      const versionNow = told();
      const news = versionNow !== toldVersion;
      toldVersion = versionNow;
      const mono = clock.mono();
      const urgent = new Set<string>();
      for (const system of systems) {
        const touched = system.probes.filter((probe) => changed.has(probe.id));
        if (touched.some((probe) => changed.get(probe.id))) urgent.add(system.id);
        else if (touched.length > 0) calm.add(system.id);
      }
      const published = new Set(
        systems.filter(({ id }) => urgent.has(id)).flatMap((system) => system.publishes),
      );
      const due = systems.filter((system) => {
        const since = mono - (judged.get(system.id)?.at ?? 0);
        return (
          urgent.has(system.id) ||
          system.needs.some((name) => published.has(name)) ||
          lines ||
          news ||
          (calm.has(system.id) && since >= CALMLY) ||
          since >= AT_LEAST
        );
      });
      if (due.length === 0) return false;
      for (const { id } of due) calm.delete(id);
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

/** Changes when a connection comes into this state, leaves it, or comes into it again. */
const fingerprint = (
  connections: ReadonlyMap<string, ConnectionState>,
  wanted: ConnectionState['state'],
): string =>
  [...connections.values()]
    .filter(({ state }) => state === wanted)
    .map(({ host, since }) => `${host} ${since}`)
    .join('\n');
