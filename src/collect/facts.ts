import type { Fact, FactName, Facts } from '../model/fact.ts';
import type { SiteView } from '../model/site.ts';
import type { System } from '../model/system.ts';
import { subjectKey, type Subject } from '../model/subject.ts';

/** Facts by name and subject. The list is made on the first question, so that a judgement nobody asks costs nothing. */
export const createFacts = (
  collect: () => readonly Fact[],
  askedBy: NonNullable<Facts['askedBy']> = () => [],
): Facts => {
  let index: { byName: Map<string, Fact[]>; bySubject: Map<string, Fact> } | undefined;
  const indexed = (): NonNullable<typeof index> => {
    if (index) return index;
    // While the facts are being collected, a system that asks for facts sees none rather than itself.
    index = { byName: new Map(), bySubject: new Map() };
    const all = collect();
    index = {
      byName: Map.groupBy(all, (fact) => fact.name),
      bySubject: new Map(all.map((fact) => [keyOf(fact.name, fact.subject), fact])),
    };
    return index;
  };
  return {
    askedBy,
    // Facts are filed under their own name.
    all: <N extends FactName>(name: N) =>
      (indexed().byName.get(name) ?? []) as unknown as readonly Extract<Fact, { name: N }>[],
    of: <N extends FactName>(name: N, subject: Subject) =>
      indexed().bySubject.get(keyOf(name, subject)) as Extract<Fact, { name: N }> | undefined,
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
        .flatMap(({ id, role }) => site.withRole(role).map((host) => ({ probe: id, host: host.name }))),
    );
