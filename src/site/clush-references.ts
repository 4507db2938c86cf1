import type { HostView } from '../model/site.ts';
import { nearestWord } from '../text/nearest.ts';
import { namesOf } from './hosts.ts';
import type { Path, Problem } from './problem.ts';
import type { Known, References } from './references.ts';

type Entry = References['clush'][number];

/** What of `clush` could never work, or would be asked in two ways. */
export const clushProblems = (entries: readonly Entry[], { hosts, groups }: Known): Problem[] => {
  const byName = new Map(hosts.map((host) => [host.name.toLowerCase(), host]));
  const taken = new Set<string>();
  return entries.flatMap(({ through, hosts: set, path }): Problem[] => {
    const admin = adminProblem(through, [...path, 'through'], byName);
    const at = [...path, 'hosts'];
    const named = namesOf(set, at, groups);
    const wrong = named.names
      .flatMap((name) => memberProblem(name, through, byName, taken) ?? [])
      .slice(0, 3);
    for (const name of named.names) taken.add(name.toLowerCase());
    return [...admin, ...named.problems, ...wrong.map((text) => ({ path: at, text }))];
  });
};

const adminProblem = (through: string, path: Path, byName: ReadonlyMap<string, HostView>): Problem[] => {
  const admin = byName.get(through.toLowerCase());
  if (!admin) return [{ path, text: `there is no host "${through}"; ${suggest(through, byName)}` }];
  return admin.platform === 'linux'
    ? []
    : [{ path, text: `"${through}" is a ${admin.platform}; ClusterShell runs on a linux host` }];
};

const memberProblem = (
  name: string,
  through: string,
  byName: ReadonlyMap<string, HostView>,
  taken: ReadonlySet<string>,
): string | undefined => {
  const key = name.toLowerCase();
  const host = byName.get(key);
  if (!host) return `there is no host "${name}"; ${suggest(name, byName)}`;
  if (key === through.toLowerCase())
    return `"${name}" would be asked through itself; leave it out of the set`;
  if (host.platform !== 'linux')
    return `"${name}" is a ${host.platform}; ClusterShell asks hosts that have sh`;
  return taken.has(key) ? `"${name}" is asked through another host already; name it once` : undefined;
};

const suggest = (name: string, byName: ReadonlyMap<string, HostView>): string => {
  const near = nearestWord(name, byName.keys());
  return near === undefined ? 'name a host of this site' : `did you mean "${near}"?`;
};
