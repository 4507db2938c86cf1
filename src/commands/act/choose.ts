import type { Judgement, System } from '../../model/system.ts';
import type { SiteView, Told } from '../../model/site.ts';
import type { Subject, SubjectKind } from '../../model/subject.ts';
import { askNodeset } from '../../site/clustershell.ts';
import { createGroups, resolveOutside, whyNoNames } from '../../site/groups.ts';
import { expandSet, isSet } from '../../text/set-arithmetic.ts';
import type { Io } from '../io.ts';
import { targetsOf } from './targets.ts';

type WithGroups = Pick<System, 'id' | 'title' | 'groups'>;

/** Whether targets name a group that a system knows only once it was asked: `@slurm:batch`, also through the site file's own groups. */
export const needsReadings = (
  typed: readonly string[],
  systems: readonly WithGroups[],
  own: SiteView['groups'] = {},
): boolean => {
  const named = new Set<string>();
  const noteName = (name: string): Told => {
    named.add(name);
    return [];
  };
  const groups = createGroups(own, { answered: { get: noteName }, wanted: new Set() });
  // What is wrong with a set is told where it is expanded.
  for (const set of typed) whyNoNames(() => isSet(set) && expandSet(set, groups));
  return systems.some(
    (system) => system.groups !== undefined && [...named].some((name) => name.startsWith(`${system.id}:`)),
  );
};

/** Targets as typed to canonical subjects, with the groups of the site file, of ClusterShell and of what was read. */
export const chooseTargets = (
  typed: readonly string[],
  kind: SubjectKind,
  site: SiteView,
  { env, systems, judgement }: Pick<Io, 'env'> & { systems: readonly WithGroups[]; judgement?: Judgement },
): Promise<Subject[]> =>
  resolveOutside(
    (outside) => targetsOf(typed, kind, site, createGroups(site.groups ?? {}, outside)),
    async (names) => {
      const ownAnswers = new Map<string, Told>();
      const others: string[] = [];
      for (const name of names) {
        const system = systems.find(({ id, groups }) => groups && name.startsWith(`${id}:`));
        if (system && judgement) ownAnswers.set(name, toldBy(system, name, judgement));
        else others.push(name);
      }
      return new Map([...ownAnswers, ...(await askNodeset(others, env))]);
    },
  );

const toldBy = (system: WithGroups, name: string, judgement: Judgement): Told => {
  const groups = system.groups?.(judgement) ?? new Map<string, readonly string[]>();
  const members = groups.get(name.slice(system.id.length + 1));
  if (members && members.length > 0) return members;
  const why =
    groups.size === 0
      ? `${system.title} was not read, so its groups are not known`
      : `${system.title} knows none of that name, or it is empty`;
  return { why, known: [...groups.keys()].map((one) => `${system.id}:${one}`) };
};
