import type { Facts } from '../model/fact.ts';
import type { Told } from '../model/site.ts';

/** What systems tell of their groups now, for sets that name them: `@slurm:batch`. Undefined: its system was not read. */
export const toldGroups = (facts: Facts): ((group: string) => Told | undefined) => {
  const byName = new Map(facts.list('group').map(({ value }) => [value.name, value.members]));
  const known = [...byName.keys()];
  const sources = new Set(known.map(sourceOf));
  return (group) => {
    const members = byName.get(group);
    if (members && members.length > 0) return members;
    return sources.has(sourceOf(group)) ? { why: 'unknown there, or empty', known } : undefined;
  };
};

const sourceOf = (group: string): string => group.split(':')[0] ?? '';
