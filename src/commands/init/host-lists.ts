import type { PlaceClue, Said } from '../../model/discover.ts';
import { fold } from '../../text/nodeset.ts';
import { createNameSet } from '../../text/name-set.ts';

/** Of a list that is too long also when it is folded, so many names are shown. */
const MOST_SHOWN = 60;

/** Names for people: folded, or the first of them and how many there are besides. */
export const shownNames = (names: readonly string[]): string => {
  const folded = fold(names);
  return folded.length <= 300
    ? folded
    : `${fold(names.slice(0, MOST_SHOWN))} and ${names.length - MOST_SHOWN} more`;
};

/** `@compute node[1-200]` of `nodeset -LL`, `node[1-4] compute,rack=r1` of genders(5). */
const groupsIn = ({ host, printed }: Said): { group: string; hosts: string; from: string }[] => [
  ...[...(printed.get('groups')?.text ?? '').matchAll(/^@(\S+) (\S+)$/gm)].map(
    ([, group = '', hosts = '']) => ({
      group,
      hosts,
      from: `ClusterShell on ${host}`,
    }),
  ),
  ...[
    ...(printed.get('genders')?.code === 0 ? (printed.get('genders')?.text ?? '') : '').matchAll(
      /^([^#\s]\S*)[ \t]+(\S+)$/gm,
    ),
  ].flatMap(([, hosts = '', attributes = '']) =>
    attributes.split(',').map((group) => ({ group, hosts, from: `genders on ${host}` })),
  ),
];

/** `rack7`, `r7`, `rack=r7`: a group that stands for a rack. */
const rackOf = (group: string): string | undefined =>
  /^(?:rack=(\S+)|((?:rack|r)[-_]?\d+))$/i.exec(group)?.slice(1).find(Boolean);

/** Groups that people keep: those of racks are proposed as places, the others told. */
export const groupClues = (
  said: readonly Said[],
  hosts: readonly string[],
): { notes: string[]; places: PlaceClue[] } => {
  // Groups of none of the hosts found are another site's, or the example of a package.
  const all = said
    .flatMap(groupsIn)
    .slice(0, 500)
    .filter((one) => {
      const set = createNameSet(one.hosts);
      return hosts.some((name) => set.has(name));
    });
  const places = all.flatMap(({ group, hosts, from }) => {
    const value = rackOf(group);
    return value === undefined ? [] : [{ label: 'rack', value, hosts, from }];
  });
  const groups = [...Map.groupBy(all, ({ group, from }) => JSON.stringify([from, group])).values()];
  const others = groups.filter(([one]) => one !== undefined && rackOf(one.group) === undefined).slice(0, 40);
  return {
    places,
    notes: others.map(
      ([one, ...more]) =>
        `${one?.from} has the group ${one?.group}; to use it here: groups: { ${one?.group}: "${[one?.hosts, ...more.map(({ hosts }) => hosts)].slice(0, 20).join(',').slice(0, 300)}" }`,
    ),
  };
};

/** `r1n05`, `rack3-node7`, `n-r2-1`: racks that names seem to tell of; two at least, or it is no pattern. */
export const placesInNames = (names: readonly string[]): PlaceClue[] => {
  const racks = Map.groupBy(
    names.flatMap((name) => {
      const rack = /(?:^|[^a-z])(?:rack|r)[-_]?(\d+)(?=[-_a-z])/i.exec(name)?.[1];
      return rack === undefined ? [] : [{ name, rack }];
    }),
    ({ rack }) => rack,
  );
  return racks.size < 2
    ? []
    : [...racks].map(([rack, some]) => ({
        label: 'rack',
        value: `r${rack}`,
        hosts: fold(some.map(({ name }) => name)),
        from: "the hosts' names",
      }));
};
