import type { HostView } from '../model/site.ts';
import { expand } from '../text/nodeset.ts';
import { expandSet, NotYetKnown, type Groups } from '../text/set-arithmetic.ts';
import { isPlain } from '../text/safe.ts';
import type { Path, Problem } from './problem.ts';
import type { HostEntry } from './schema.ts';

/** A host name that may be a target: it starts with a letter or digit, so it is never an option, and holds no set syntax. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$/;

/** True for a name that a command may be built from; `ALL` means every node to scontrol. */
export const isHostName = (name: string): boolean => NAME.test(name) && name.toUpperCase() !== 'ALL';

/** The names of an entry, or what is wrong with them; `count`: how many it stands for, those that are no host names as well. */
export const namesOf = (
  names: unknown,
  path: Path,
  groups: Groups,
): { names: string[]; count: number; problems: Problem[] } => {
  if (typeof names !== 'string') return { names: [], count: 0, problems: [] };
  try {
    const all = expandSet(names, groups);
    if (all.length === 0)
      return { names: [], count: 0, problems: [{ path, text: `"${names}" stands for no name at all` }] };
    const bad = all.filter((name) => !isHostName(name));
    const problems = bad.slice(0, 3).map((name) => ({
      path,
      text: `"${name}" is not a host name; use letters, digits, ".", "_" and "-", starting with a letter or digit`,
    }));
    return { names: all.filter(isHostName), count: all.length, problems };
  } catch (error) {
    const what = textOf(error);
    return {
      names: [],
      count: 0,
      problems: [
        { path, text: what.includes('; ') ? what : `${what}; write names like ctl1 or "node[1-200]"` },
      ],
    };
  }
};

const textOf = (error: unknown): string => {
  if (error instanceof NotYetKnown) return `${error.message}, and this must be known before; name the hosts`;
  return error instanceof RangeError ? error.message : String(error);
};

/** The label of each name: the same number zips, one is for all, a divisor gives blocks of equal size in order. */
const dealOut = (value: string, count: number): string[] | string => {
  let labels: string[];
  try {
    labels = expand(value);
  } catch (error) {
    return `${error instanceof RangeError ? error.message : String(error)}; write labels like r7 or "r[1-10]"`;
  }
  if (!labels.every(isPlain)) return 'holds control or invisible characters; write it in plain text';
  if (count % labels.length !== 0) {
    return `${labels.length} labels for ${count} names; give one, ${count}, or a number that divides ${count}`;
  }
  const block = count / labels.length;
  return Array.from({ length: count }, (_, at) => labels[Math.floor(at / block)] ?? '');
};

export type Labels = readonly (readonly [string, readonly string[]])[];

/** Each location label with its value per name, from a raw entry; the schema says what is wrong with other types. */
export const labelsOf = (
  location: Readonly<Record<string, unknown>>,
  count: number,
  path: Path,
): { labels: Labels; problems: Problem[] } => {
  const problems: Problem[] = [];
  const labels = Object.entries(location).flatMap(([label, value]) => {
    if (count === 0 || (typeof value !== 'string' && typeof value !== 'number')) return [];
    const dealt = dealOut(String(value), count);
    if (typeof dealt !== 'string') return [[label, dealt] as const];
    problems.push({ path: [...path, label], text: `location ${label}: ${dealt}` });
    return [];
  });
  return { labels, problems };
};

/** One entry of `hosts` as hosts, with its names expanded and its labels dealt out. */
export const hostsOf = (entry: HostEntry, names: readonly string[], labels: Labels): HostView[] =>
  names.map((name, at) => ({
    name,
    roles: entry.roles,
    platform: entry.platform,
    location: Object.fromEntries(labels.map(([label, values]) => [label, values[at] ?? ''])),
    legacy: entry.legacy,
    ...(entry.undoHost === undefined ? {} : { undoHost: entry.undoHost }),
    ...(entry.withoutUndo && { withoutUndo: true as const }),
  }));
