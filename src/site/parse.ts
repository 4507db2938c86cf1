import * as z from 'zod';
import type { Site } from '../model/site.ts';
import { expandSet, type Groups } from '../text/set-arithmetic.ts';
import { explain } from './explain.ts';
import { createGroups, groupProblems, type Outside } from './groups.ts';
import type { SiteText } from './includes.ts';
import { inventory, isRecord, type Inventory } from './inventory.ts';
import { mergeFiles, readFiles, showInOrder, type PlacedProblem, warningsIn } from './merged.ts';
import { prometheusIn } from './prometheus.ts';
import { problemLine, SiteError, type Path, type Problem } from './problem.ts';
import { checkReferences, type Known, type Named, type References } from './references.ts';
import {
  auditSchema,
  clushSchema,
  linkSchema,
  runbookSchema,
  sharedSchema,
  trafficSchema,
  windowSchema,
} from './entry-schemas.ts';
import { groupsSchema, hostSchema, knownRoles, siteSchema, type Knowledge } from './schema.ts';
import { dropUnknownKeys, hasKeptKeys } from './unknown-keys.ts';
import { sectionProblems, type SectionFile } from './section-files.ts';
import { siteOf } from './site-of.ts';

export interface ParsedSite {
  site: Site;
  /** `FILE:LINE:COL: what; what would be right`, in the order of the file. */
  warnings: readonly string[];
  /** One line about a place of the file, for faults that only the disk shows. */
  lineAt(path: Path, text: string): string;
  /** The file in which it stands. */
  fileAt(path: Path): string;
}

/** What stands in files beside the site file. */
export interface FurtherFiles {
  /** Entries of systems' sections. */
  sections?: readonly SectionFile[];
  included?: readonly SiteText[];
}

/**
 * The text of a site file to the site. Throws SiteError with everything that is wrong, not only the first. `sshConfig`
 * stays as written: `loadSite` knows the folder. What it wants to know of groups that the file does not have is in `outside`.
 */
export const parseSite = (
  text: string,
  file: string,
  knowledge: Knowledge,
  outside: Outside = { answered: new Map(), wanted: new Set() },
  { sections = [], included = [] }: FurtherFiles = {},
): ParsedSite => {
  const files = readFiles([{ file, text }, ...included], sections);
  const { value: whole, problems: twice, locate, ownPath } = mergeFiles(files);
  const show = (found: readonly PlacedProblem[]): string[] => showInOrder(found, files);
  const placeProblems = (problems: readonly Problem[]): PlacedProblem[] =>
    problems.map((problem) => ({ place: locate(problem.path, problem.atKey), text: problem.text }));

  const schema = siteSchema(knowledge);
  const direct = schema.safeParse(whole);
  // The JSON Schema that knows all keys costs a third of the loading: only when some key was lost is it asked which.
  const { value, warnings } =
    direct.success && hasKeptKeys(whole, direct.data)
      ? { value: whole, warnings: [] }
      : dropUnknownKeys(whole, z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  const checked = value === whole ? direct : schema.safeParse(value);
  const raw = isRecord(value) ? value : {};
  const named = referencesOf(raw);
  const own = groupsIn(raw['groups']);
  const groups = createGroups(own, outside);
  const host = hostSchema(knownRoles(knowledge));
  const hosts = inventory(
    listOf(raw['hosts']),
    (entry) => host.safeParse(entry).data,
    named.mentioned,
    locate,
    groups,
  );
  const references = checkReferences(
    { ...named, inSections: [...throughOf(raw), ...mentionsOf(raw, knowledge)] },
    knownOf(hosts, groups, knowledge),
  );
  const shape = checked.success ? [] : checked.error.issues.map((issue) => explain(issue, value, ownPath));
  const expand = (set: string) => expandSet(set, groups);
  const known = { hosts: hosts.hosts, expand, ...prometheusIn(raw['prometheus']) };
  const inSections = sectionProblems(raw, knowledge, known);
  const inGroups = groupProblems(own, groups);
  const problems = [shape, inGroups, hosts.problems, references.problems, inSections].flat();
  if (problems.length > 0 || twice.length > 0 || !checked.success) {
    throw new SiteError(show([...twice, ...placeProblems([...warnings, ...problems])]));
  }
  const all = [
    ...warningsIn(files),
    ...placeProblems([...warnings, ...hosts.warnings, ...references.warnings]),
  ];
  return {
    site: siteOf(checked.data, file, { ...hosts, groups, outside }, knowledge),
    warnings: show(all),
    lineAt: (path, what) => {
      const place = locate(path);
      return problemLine(place.file, place, what);
    },
    fileAt: (path) => locate(path).file,
  };
};

/** What names may stand for. */
const knownOf = (hosts: Inventory, groups: Groups, { systems, rules, former }: Knowledge): Known => ({
  names: hosts.listed,
  hosts: hosts.hosts,
  groups,
  probes: systems.flatMap((system) => system.probes),
  systems: systems.map((system) => system.id),
  ...(rules && { rules }),
  ...(former && { former }),
});

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What names other things, from those parts of the file that are in shape: the schema has said what is wrong with the rest. */
const referencesOf = (raw: Readonly<Record<string, unknown>>): Omit<References, 'inSections'> => {
  const readGood = <T>(key: string, schema: z.ZodType<T>): (T & { path: Path })[] =>
    listOf(raw[key]).flatMap((entry, at) => {
      const parsed = schema.safeParse(entry);
      return parsed.success ? [{ ...parsed.data, path: [key, at] }] : [];
    });
  const ifText = (name: unknown, path: Path): Named[] => (typeof name === 'string' ? [{ name, path }] : []);
  const fieldOf = (value: unknown, key: string): unknown => (isRecord(value) ? value[key] : undefined);
  const shared = sharedSchema.safeParse(raw['shared']);
  return {
    mentioned: [
      ...ifText(shared.data?.host, ['shared', 'host']),
      ...ifText(auditSchema.safeParse(raw['audit']).data?.syslog, ['audit', 'syslog']),
      ...listOf(raw['hosts']).flatMap((entry, at) =>
        ifText(fieldOf(entry, 'undoHost'), ['hosts', at, 'undoHost']),
      ),
    ],
    links: readGood('links', linkSchema),
    windowSubjects: readGood('windows', windowSchema).flatMap(({ subjects, path }) =>
      subjects.map((name, at) => ({ name, path: [...path, 'subjects', at] })),
    ),
    findings: readGood('runbooks', runbookSchema).map(({ finding: name, path }) => ({
      name,
      path: [...path, 'finding'],
    })),
    traffic: readGood('traffic', trafficSchema),
    clush: readGood('clush', clushSchema),
    probes: (isRecord(raw['intervals']) ? Object.keys(raw['intervals']) : []).map((name) => ({
      name,
      path: ['intervals', name],
    })),
    rules: listOf(fieldOf(raw['rules'], 'off')).flatMap((rule, at) => ifText(rule, ['rules', 'off', at])),
  };
};

/** Those that are in shape: of the others the schema has told. */
const groupsIn = (value: unknown): Record<string, string> =>
  Object.assign(
    {},
    ...Object.entries(isRecord(value) ? value : {}).map(
      ([name, set]) => groupsSchema.safeParse({ [name]: set }).data ?? {},
    ),
  ) as Record<string, string>;

/** Who asks the Prometheus: without that host nothing is read. */
const throughOf = (raw: Readonly<Record<string, unknown>>): Named[] => {
  const name = prometheusIn(raw['prometheus']).prometheus?.through;
  return name === undefined ? [] : [{ name, path: ['prometheus', 'through'] }];
};

/** Hosts that the sections of systems name, where they are in shape. */
const mentionsOf = (raw: Readonly<Record<string, unknown>>, { systems }: Knowledge): Named[] =>
  systems.flatMap(({ id, settings, mentions }) => {
    const section = raw[id] === undefined ? undefined : settings?.safeParse(raw[id]);
    return section?.success && mentions
      ? mentions(section.data).map(({ name, path }) => ({ name, path: [id, ...path] }))
      : [];
  });
