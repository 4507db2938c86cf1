import type { Clues, Discovery, HostClue, Said } from '../../model/discover.ts';
import { isAddress, Names } from '../../site/names.ts';

/** A host as all answers together have it. */
export interface Entry {
  name: string;
  /** Each role with where it comes from. */
  roles: ReadonlyMap<string, ReadonlySet<string>>;
  platform?: string;
  /** What else is told of it, where it has no role. */
  from: ReadonlySet<string>;
  /** What it is that makes it worth to be asked. */
  asIs: ReadonlySet<string>;
  /** Only it itself says anything of it. */
  onlyItself: boolean;
}

/** Everything that the answers say so far. */
export interface Book {
  hosts: ReadonlyMap<string, Entry>;
  /** In the order of the discoveries, without what nothing is known of. */
  clues: readonly { system: string; clues: Clues }[];
  notes: readonly string[];
}

interface Draft {
  name: string;
  roles: Map<string, Set<string>>;
  platform?: string;
  from: Set<string>;
  asIs: Set<string>;
  onlyItself: boolean;
}

const draftOf = (name: string): Draft => ({
  name,
  roles: new Map(),
  from: new Set(),
  asIs: new Set(),
  onlyItself: true,
});

/** What one system's clues add to a host. */
const addClue = (draft: Draft, clue: HostClue): void => {
  const { role, from, asIs, platform, ofItself } = clue;
  if (role === undefined) draft.from.add(from);
  else draft.roles.set(role, (draft.roles.get(role) ?? new Set()).add(from));
  if (asIs !== undefined) draft.asIs.add(asIs);
  if (platform !== undefined) draft.platform ??= platform;
  draft.onlyItself &&= ofItself === true;
};

/** Lines for names that can't stand in a site file, the first few of each source. */
const oddNotes = (odd: ReadonlyMap<string, ReadonlySet<string>>): string[] =>
  [...odd].map(([from, names]) => {
    const shown = [...names].slice(0, 3).map((name) => JSON.stringify(name));
    const more = names.size > 3 ? ` and ${names.size - 3} more` : '';
    return `${from} names ${shown.join(', ')}${more}: ${
      [...names].every(isAddress) ? 'an address that no host asked has' : 'no plain host name'
    }; left out`;
  });

/** Reads all answers together. Names are made one by `names`, which goes on knowing them. */
export const makeBook = (
  discoveries: readonly Discovery[],
  said: ReadonlyMap<string, readonly Said[]>,
  names: Names,
): Book => {
  const hosts = new Map<string, Draft>();
  const odd = new Map<string, Set<string>>();
  const clues = discoveries.map(({ system, read }) => ({
    system,
    clues: read(said.get(system) ?? [], { hostOf: (name) => names.find(name) }),
  }));
  for (const { clues: found } of clues)
    for (const clue of found.hosts) {
      const name = names.add(clue.name);
      if (name === undefined) {
        odd.set(clue.from, (odd.get(clue.from) ?? new Set()).add(clue.name));
        continue;
      }
      const draft = hosts.get(name) ?? draftOf(name);
      hosts.set(name, draft);
      addClue(draft, clue);
    }
  return { hosts, clues, notes: [...clues.flatMap((one) => one.clues.notes ?? []), ...oddNotes(odd)] };
};
