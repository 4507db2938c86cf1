import type { PlaceClue, SettingClue } from '../../model/discover.ts';
import { makeSafe } from '../../text/safe.ts';
import { MOST_HOSTS, type Draft, type DraftHost } from '../../site/draft.ts';
import type { Entry } from './book.ts';
import type { Found } from './rounds.ts';

/** Lines of one kind of comment. */
const MOST_LINES = 100;

export interface Setting {
  /** All roles that there are, in the order of the systems. */
  roles: readonly string[];
  /** Where host lists of people, and the configuration of SSH, were read. */
  notes: readonly string[];
  places: readonly PlaceClue[];
  sshConfig?: string;
  now: Date;
}

/** What a host says of itself stands for what others say of it; of many others the first two do. */
const fromText = (told: ReadonlySet<string>): string => {
  const own = [...told].find((one) => one.endsWith(' there'));
  if (own !== undefined) return own;
  const [first = '', second, ...more] = told;
  const rest = more.length > 0 ? `; and ${more.length} more` : '';
  return `${first}${second === undefined ? '' : `; ${second}`}${rest}`;
};

/** `slurm-controller: SlurmctldHost in scontrol show config on ctl1`. */
const fromLines = (roles: readonly string[], { roles: told }: Entry): string[] =>
  roles.map((role) => `${role}: ${fromText(told.get(role) ?? new Set())}`);

const draftHost = (entry: Entry, setting: Setting, found: Found): DraftHost => {
  const order = (role: string): number => setting.roles.indexOf(role);
  const roles = [...entry.roles.keys()]
    .filter((role) => order(role) >= 0)
    .toSorted((a, b) => order(a) - order(b));
  const failure = found.failures.get(entry.name);
  const isHere = entry.name === found.here && failure !== undefined;
  return {
    name: entry.name,
    roles,
    ...(entry.platform !== undefined && entry.platform !== 'linux' && { platform: entry.platform }),
    ...(isHere && { transport: 'local' as const }),
    from: [
      ...fromLines(roles, entry),
      ...(isHere
        ? [
            'transport: this machine itself, which does not let itself in by SSH; without it where the file is used elsewhere',
          ]
        : failure === undefined
          ? []
          : ['not asked, as it could not be reached: what else it is for is not known']),
    ],
    order: order(roles[0] ?? ''),
  };
};

/** The machine that this program runs on is one of the site when others say so, or it was named; a laptop that mounts something is not. */
const isOfSite = (entry: Entry, { here, answered, typed }: Found): boolean =>
  entry.name !== here || !entry.onlyItself || answered.has(entry.name) || typed.includes(entry.name);

/** A value as YAML has it. */
const plainOrQuoted = (value: string): string =>
  /^[A-Za-z][\w.-]*$/.test(value) ? value : JSON.stringify(value);

const placeLines = (places: readonly PlaceClue[]): string[] => {
  const groups = Map.groupBy(
    places,
    ({ label, from }) => `${label}: proposed by ${from}; where it is so, add it to the entries above`,
  );
  return [...groups].flatMap(([head, some]) => [
    head,
    ...some
      .slice(0, MOST_LINES)
      .map(({ label, value, hosts }) => `  ${hosts}: location: { ${label}: ${plainOrQuoted(value)} }`),
    ...(some.length > MOST_LINES ? [`  and ${some.length - MOST_LINES} more`] : []),
  ]);
};

/** Hosts that were named, or told of, but have no entry, each with why. */
const withoutEntry = (found: Found, written: ReadonlySet<string>): string[] => {
  const names = [...new Set([...found.typed, ...found.failures.keys()])].filter((name) => !written.has(name));
  const lines = names.map((name) => {
    const failure = found.failures.get(name);
    const from = [...(found.book.hosts.get(name)?.from ?? [])][0];
    const what =
      failure === undefined
        ? 'it answered, but nothing there shows what it is for'
        : `could not be asked: ${failure}`;
    return `- { names: ${name} } ${from === undefined ? '' : `(${from}) `}${what}`;
  });
  return lines.length > MOST_LINES
    ? [...lines.slice(0, MOST_LINES), `and ${lines.length - MOST_LINES} more`]
    : lines;
};

const siteName = (found: Found): Draft['name'] => {
  const names = found.book.clues.flatMap(({ clues }) => clues.names ?? []);
  const [first] = names;
  return first
    ? { value: makeSafe(first.name, 100), from: first.from }
    : { value: 'site', from: 'what you call it; no machine reports it' };
};

/** Of a key that two sources tell differently the first stands, and the other is told. */
const mergeSettings = (settings: readonly SettingClue[]): SettingClue[] =>
  [...new Map(settings.toReversed().map((one) => [one.key, one])).values()].toReversed();

/** Of more hosts than a file may hold those are left out of which there are most. */
const boundHosts = (all: readonly DraftHost[]): { hosts: readonly DraftHost[]; tooMany: string[] } => {
  if (all.length <= MOST_HOSTS) return { hosts: all, tooMany: [] };
  const groups = [...Map.groupBy(all, ({ order }) => order).values()].toSorted((a, b) => a.length - b.length);
  const hosts = groups.flat().slice(0, MOST_HOSTS);
  return {
    hosts,
    tooMany: [`${all.length - hosts.length} hosts more were found than a site file may hold (${MOST_HOSTS})`],
  };
};

/** Makes one plan for a file of all that was found. Pure. */
export const draftSite = (found: Found, setting: Setting): Draft => {
  const entries = [...found.book.hosts.values()].filter(({ roles }) => roles.size > 0);
  const all = entries
    .filter((entry) => isOfSite(entry, found))
    .map((entry) => draftHost(entry, setting, found));
  const { hosts, tooMany } = boundHosts(all);
  const written = new Set(hosts.map(({ name }) => name));
  const itself = entries.find((entry) => !isOfSite(entry, found));
  const own = found.book.clues.flatMap(({ clues }) => clues.places ?? []);
  return {
    head: [
      `Written by faultline init on ${found.here ?? 'this machine'}, ${setting.now.toISOString().slice(0, 10)}. Above each entry, or behind it, stands where it comes from.`,
      'What could not be found out stands below as a comment, with what to write. Nothing was changed on any host.',
    ],
    name: siteName(found),
    ...(setting.sshConfig !== undefined && { sshConfig: setting.sshConfig }),
    hosts,
    afterHosts: [
      ...withoutEntry(found, written),
      ...tooMany,
      ...(itself
        ? [
            `- { names: ${itself.name}, roles: [${[...itself.roles.keys()].join(', ')}] }: this machine itself, if it belongs to the site`,
          ]
        : []),
      ...placeLines([...own, ...setting.places]),
    ],
    sections: found.book.clues.map(({ system, clues }) => ({
      system,
      settings: mergeSettings(clues.settings ?? []),
    })),
    notes: [...found.book.notes, ...found.notes, ...setting.notes],
  };
};
