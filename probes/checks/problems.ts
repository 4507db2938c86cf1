import type { SectionProblem } from '../../src/model/system.ts';
import { nearestWord } from '../../src/text/nearest.ts';
import { NotYetKnown } from '../../src/text/set-arithmetic.ts';
import { hostsNamed, whereNamed, type Named } from './where.ts';
import { library, type LibraryCheck } from './library/index.ts';
import { settingsSchema, type ActionEntry, type CheckEntry, type Section } from './settings.ts';

/** What is wrong with the section that its schema can't see: names of hosts, checks and parameters that are not there. */
export const problems = (settings: unknown, site: Named): readonly SectionProblem[] => {
  const section = settingsSchema.safeParse(settings);
  return section.success
    ? Object.entries(section.data).flatMap(([name, check]) => [
        ...whereProblems(name, check, site),
        ...libraryProblems(name, check),
        ...Object.entries(check.actions ?? {}).flatMap(([verb, action]) =>
          actionProblems([name, 'actions', verb], action, section.data, site, check, name),
        ),
      ])
    : [];
};

const ownOf = ({ use }: CheckEntry): LibraryCheck | undefined =>
  use === undefined ? undefined : library[use];

/** The words by which a check says where it is asked. */
const wordsOf = (check: CheckEntry): readonly string[] => [check.on ?? ownOf(check)?.on ?? []].flat();

/** Hosts on which a check is asked, or `later` where a system has to tell of a group. */
const namedBy = (check: CheckEntry, site: Named): ReadonlySet<string> | 'later' => {
  const where = whereNamed(wordsOf(check), site);
  return 'hosts' in where ? where.hosts : where.isWaiting ? 'later' : new Set();
};

const whereProblems = (name: string, check: CheckEntry, site: Named): readonly SectionProblem[] => {
  const path = check.on === undefined ? [name] : [name, 'on'];
  if (check.on === undefined) {
    const named = namedBy(check, site);
    return named === 'later' || named.size > 0
      ? []
      : [{ path, text: `checks.${name} is asked on no host; say where with "on", a role or a node set` }];
  }
  return wordsOf(check).flatMap((word): readonly SectionProblem[] => {
    const text = whyNowhere(word, site);
    return text === undefined ? [] : [{ path, text }];
  });
};

const whyNowhere = (word: string, site: Named): string | undefined => {
  try {
    const found = hostsNamed(word, site);
    const { hosts } = site;
    const wanted = site.expand(word);
    const isRole = hosts.some(({ roles }) => roles.includes(word));
    if (isRole || found.length === wanted.length) return undefined;
    const known = new Set(hosts.map(({ name }) => name.toLowerCase()));
    const unknown = wanted.find((one) => !known.has(one.toLowerCase())) ?? word;
    const near = nearestWord(unknown, [
      ...hosts.flatMap(({ roles }) => roles),
      ...hosts.map(({ name }) => name),
    ]);
    return `no host is called "${unknown}", and none has that role; ${near === undefined ? 'name a role or a host of this site' : `did you mean "${near}"?`}`;
  } catch (error) {
    if (error instanceof NotYetKnown) return undefined;
    return `"${word}" is not a node set: ${error instanceof Error ? error.message : String(error)}`;
  }
};

const libraryProblems = (name: string, check: CheckEntry): readonly SectionProblem[] => {
  const own = ownOf(check);
  if (!own) return [];
  const known = Object.keys(own.parameters);
  const given = check.with ?? {};
  return [
    ...Object.keys(given)
      .filter((key) => !known.includes(key))
      .map((key) => ({
        path: [name, 'with', key],
        text: `check ${check.use} takes no "${key}"; known: ${known.join(', ') || 'nothing'}`,
      })),
    ...(own.needs ?? [])
      .filter((key) => given[key] === undefined)
      .map((key) => ({ path: [name], text: `checks.${name} does not say which; add with: {${key}: ...}` })),
  ];
};

/** Why a check that guards or verifies is not asked, or not surely, on each host on which the action can be had. */
const whyNotAsked = (
  other: string,
  found: CheckEntry,
  { name, check }: { name: string; check: CheckEntry },
  site: Named,
): string | undefined => {
  const [on, asked] = [namedBy(check, site), namedBy(found, site)];
  const must = 'a check must be read where it guards or verifies';
  if (on === 'later' || asked === 'later') {
    const own = wordsOf(check);
    const isSame =
      own.length === wordsOf(found).length && own.every((word, at) => word === wordsOf(found)[at]);
    return isSame
      ? undefined
      : `${other} is to have the same "on" as ${name}, since one of them names a group that is known only later; ${must}`;
  }
  const missing = [...on].find((host) => !asked.has(host));
  return missing === undefined ? undefined : `${other} is not asked on ${missing}, where ${name} is; ${must}`;
};

/** A check that guards or verifies must be asked on every host on which the action can be had. */
const actionProblems = (
  path: readonly string[],
  action: ActionEntry,
  section: Section,
  site: Named,
  check: CheckEntry,
  name: string,
): readonly SectionProblem[] => {
  const problemOf = (other: string, at: readonly (string | number)[]): readonly SectionProblem[] => {
    const found = section[other];
    if (!found) {
      const near = nearestWord(other, Object.keys(section));
      const right = near === undefined ? 'name a check of this section' : `did you mean "${near}"?`;
      return [{ path: [...path, ...at], text: `there is no check "${other}"; ${right}` }];
    }
    const text = whyNotAsked(other, found, { name, check }, site);
    return text === undefined ? [] : [{ path: [...path, ...at], text }];
  };
  return [
    ...action.guards.flatMap((other, at) => problemOf(other, ['guards', at])),
    ...problemOf(action.verify, ['verify']),
    ...(action.class === 'reversible' && action.undo === 'none'
      ? [
          {
            path: [...path, 'class'],
            text: 'is reversible without an undo; write undo: {run: ...}, or leave out class',
          },
        ]
      : []),
  ];
};
