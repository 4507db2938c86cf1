import type { HostView, Site } from '../model/site.ts';
import type { Groups } from '../text/set-arithmetic.ts';
import { MOST_HOSTS } from './draft.ts';
import { hostsOf, isHostName, labelsOf, namesOf } from './hosts.ts';
import type { FilePlace } from './merged.ts';
import type { Path, Problem } from './problem.ts';
import type { HostEntry } from './schema.ts';

/** What is wrong beyond is not listed. */
const MOST_PROBLEMS = 100;

export interface Inventory {
  hosts: HostView[];
  transports: Record<string, Site['transports'][string]>;
  /** Every name under `hosts`, lower case, also from entries with other faults: a reference to them is no further fault. */
  listed: ReadonlySet<string>;
  problems: Problem[];
  warnings: Problem[];
}

/**
 * All hosts of the file. `entries` are the raw entries, `parse` gives the typed one or undefined where the schema has
 * already complained. `mentioned` are hosts named outside the list (shared folder, undo hosts): they are hosts too.
 */
export const inventory = (
  entries: readonly unknown[],
  parse: (entry: unknown) => HostEntry | undefined,
  mentioned: readonly { name: string; path: Path }[],
  placeOf: (path: Path) => FilePlace,
  groups: Groups,
): Inventory => {
  const hosts: HostView[] = [];
  const transports: Inventory['transports'] = {};
  const seen = new Map<string, Path>();
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  let count = 0;
  for (const [at, raw] of entries.entries()) {
    const path: Path = ['hosts', at];
    if (problems.length > MOST_PROBLEMS) break;
    const namesPath = [...path, 'names'];
    const fields = isRecord(raw) ? raw : {};
    const given = namesOf(fields['names'], namesPath, groups);
    count += given.count;
    if (count > MOST_HOSTS) {
      const text = `with this entry the file names more than ${MOST_HOSTS} hosts; name those that are there`;
      problems.push({ path: namesPath, text });
      break;
    }
    const location = isRecord(fields['location']) ? fields['location'] : {};
    const { labels, problems: mislabelled } = labelsOf(location, given.names.length, [...path, 'location']);
    problems.push(...given.problems, ...mislabelled);
    const fresh = given.names.filter((name) => {
      const before = seen.get(name.toLowerCase());
      if (!before) {
        seen.set(name.toLowerCase(), namesPath);
        return true;
      }
      if (problems.length > MOST_PROBLEMS) return false;
      const where =
        before === namesPath ? 'twice in this entry' : already(placeOf(before), placeOf(namesPath));
      problems.push({
        path: namesPath,
        text: `host "${name}" is ${where}; give a host one entry with all its roles`,
      });
      return false;
    });
    const entry = parse(raw);
    if (!entry) continue;
    const news = new Set(fresh);
    hosts.push(...hostsOf(entry, given.names, labels).filter((host) => news.delete(host.name)));
    if (entry.transport !== 'ssh2') for (const name of fresh) transports[name] = entry.transport;
  }
  const listed = new Set(seen.keys());
  for (const { name, path } of mentioned) {
    if (seen.has(name.toLowerCase()) || !isHostName(name)) continue;
    seen.set(name.toLowerCase(), path);
    hosts.push({ name, roles: [], platform: 'linux', location: {}, legacy: false });
    warnings.push({ path, text: `host "${name}" is not under hosts; taken as a Linux host without a role` });
  }
  return { hosts, transports, listed, problems, warnings };
};

const already = ({ file, line }: FilePlace, here: FilePlace): string =>
  `already on line ${line}${file === here.file ? '' : ` of ${file}`}`;

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
