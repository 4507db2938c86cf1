import type { Fact, FactName, Facts } from '../model/fact.ts';
import type { SiteView } from '../model/site.ts';
import type { System } from '../model/system.ts';
import { askedHosts } from './on-site.ts';
import { isSame } from './row-diff.ts';
import { subjectKey, type Subject } from '../model/subject.ts';

/** One system's facts, filed. */
interface Filed {
  byName: ReadonlyMap<string, readonly Fact[]>;
  bySubject: ReadonlyMap<string, Fact>;
}

/** A system gives the same list as long as what it rests on is the same: of 10,000 nodes it is filed once a poll. */
const known = new WeakMap<readonly Fact[], Filed>();

const fileFacts = (list: readonly Fact[]): Filed => {
  const before = known.get(list);
  if (before) return before;
  const made = {
    byName: Map.groupBy(list, (fact) => fact.name),
    bySubject: new Map(list.map((fact) => [keyOf(fact.name, fact.subject), fact])),
  };
  known.set(list, made);
  return made;
};

/** What one system publishes: its facts, or their names and how to make them. */
export type Published = readonly Fact[] | { names: readonly FactName[]; make(): readonly Fact[] };

/** The facts of one system: of one that says their names they are made on the first question for one of them. */
const lazily = (one: Published): ((name: FactName) => Filed | undefined) => {
  if ('make' in one) {
    let filed: Filed | undefined;
    return (name) => {
      if (!one.names.includes(name)) return undefined;
      if (!filed) {
        // While its facts are being made, a system that asks for facts sees none rather than itself.
        filed = fileFacts([]);
        filed = fileFacts(one.make());
      }
      return filed;
    };
  }
  return () => fileFacts(one);
};

/**
 * Facts by name and subject, of lists of which each is one system's: a name is published by one. They are asked for on the first
 * question, so that a judgement nobody asks costs nothing.
 */
export const createFacts = (
  collect: () => readonly Published[],
  askedBy: NonNullable<Facts['askedBy']> = () => [],
): Facts => {
  let lists: readonly ((name: FactName) => Filed | undefined)[] | undefined;
  const listFiled = (name: FactName): readonly Filed[] => {
    if (!lists) {
      lists = [];
      lists = collect().map(lazily);
    }
    return lists.flatMap((one) => one(name) ?? []);
  };
  return {
    askedBy,
    // Facts are filed under their own name.
    list: <N extends FactName>(name: N) =>
      listFiled(name).flatMap(({ byName }) => byName.get(name) ?? []) as unknown as readonly Extract<
        Fact,
        { name: N }
      >[],
    find: <N extends FactName>(name: N, subject: Subject) => {
      const key = keyOf(name, subject);
      for (const { bySubject } of listFiled(name)) {
        const found = bySubject.get(key);
        if (found) return found as Extract<Fact, { name: N }>;
      }
      return undefined;
    },
  };
};

/** Says which facts that some system needs are others than when it was last asked of the systems that publish them. */
export const createFactWatch = (
  systems: readonly System[],
): ((publishers: readonly System[], facts: Facts) => ReadonlySet<FactName>) => {
  const needed = new Set(systems.flatMap(({ needs }) => needs));
  const last = new Map<FactName, readonly Fact[]>();
  return (publishers, facts) => {
    const changed = new Set<FactName>();
    for (const name of new Set(publishers.flatMap(({ publishes }) => publishes))) {
      if (!needed.has(name)) continue;
      const list = facts.list(name);
      if (!isSame(last.get(name) ?? [], list)) changed.add(name);
      last.set(name, list);
    }
    return changed;
  };
};

const keyOf = (name: FactName, subject: Subject): string => `${name} ${subjectKey(subject)}`;

/** The probes behind facts of a name, on each host of the site that is asked for them. */
export const factReads =
  (site: SiteView, systems: readonly System[]): NonNullable<Facts['askedBy']> =>
  (name) =>
    systems.flatMap((system) =>
      system.probes
        .filter(({ id }) => system.factProbes?.[name]?.includes(id) === true)
        .flatMap((probe) => askedHosts(probe, site).map((host) => ({ probe: probe.id, host: host.name }))),
    );
