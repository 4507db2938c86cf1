import * as z from 'zod';
import type { HostView, Site, TrafficRule } from '../model/site.ts';
import { durationMs } from '../text/ages.ts';
import { expandSet, type Groups } from '../text/set-arithmetic.ts';
import { dayTimes } from '../text/zone.ts';
import { explain } from './explain.ts';
import { createGroups, groupProblems, namesOfSubject, type Outside } from './groups.ts';
import { inventory, isRecord, type Inventory } from './inventory.ts';
import { problemLine, SiteError, type Path, type Problem } from './problem.ts';
import { checkReferences, type Named, type References } from './references.ts';
import {
  groupsSchema,
  hostSchema,
  knownRoles,
  linkSchema,
  runbookSchema,
  auditSchema,
  sharedSchema,
  siteSchema,
  trafficSchema,
  windowSchema,
  type Knowledge,
} from './schema.ts';
import { dropUnknownKeys, hasKeptKeys } from './unknown-keys.ts';
import { joinSections, sectionProblems, type SectionFile } from './section-files.ts';
import { parseYaml, type Place } from './yaml.ts';

export interface ParsedSite {
  site: Site;
  /** `FILE:LINE:COL: what; what would be right`, in the order of the file. */
  warnings: readonly string[];
  /** One line about a place of the file, for faults that only the disk shows. */
  lineAt(path: Path, text: string): string;
}

/**
 * The text of a site file to the site. Throws SiteError with everything that is wrong, not only the first. `sshConfig`
 * stays as written: `loadSite` knows the folder. What it wants to know of groups that the file does not have is in `outside`.
 */
export const parseSite = (
  text: string,
  file: string,
  knowledge: Knowledge,
  outside: Outside = { told: new Map(), wanted: new Set() },
  files: readonly SectionFile[] = [],
): ParsedSite => {
  const yaml = joinSections(parseYaml(text), files);
  const show = showIn(file);
  const placeProblems = (problems: readonly Problem[]) =>
    problems.map((problem) => ({ place: yaml.locate(problem.path, problem.atKey), text: problem.text }));
  if (yaml.errors.length > 0) throw new SiteError(show(yaml.errors));
  if (!isRecord(yaml.value))
    throw new SiteError(show([{ place: { line: 1, col: 1 }, text: notAMap(yaml.value) }]));

  const schema = siteSchema(knowledge);
  const direct = schema.safeParse(yaml.value);
  // The JSON Schema that knows all keys costs a third of the loading: only when some key was lost is it asked which.
  const { value, warnings } =
    direct.success && hasKeptKeys(yaml.value, direct.data)
      ? { value: yaml.value, warnings: [] }
      : dropUnknownKeys(yaml.value, z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  const checked = value === yaml.value ? direct : schema.safeParse(value);
  const raw = isRecord(value) ? value : {};
  const named = referencesOf(raw);
  const own = groupsIn(raw['groups']);
  const groups = createGroups(own, outside);
  const host = hostSchema(knownRoles(knowledge));
  const hosts = inventory(
    listOf(raw['hosts']),
    (entry) => host.safeParse(entry).data,
    named.mentioned,
    (path) => yaml.locate(path).line,
    groups,
  );
  const references = checkReferences(
    { ...named, inSections: mentionsOf(raw, knowledge) },
    {
      names: hosts.listed,
      hosts: hosts.hosts,
      groups,
      probes: knowledge.systems.flatMap((system) => system.probes),
      systems: knowledge.systems.map((system) => system.id),
      ...(knowledge.rules && { rules: knowledge.rules }),
      ...(knowledge.former && { former: knowledge.former }),
    },
  );
  const shape = checked.success ? [] : checked.error.issues.map((issue) => explain(issue, value));
  const inSections = sectionProblems(raw, knowledge, hosts.hosts);
  const inGroups = groupProblems(own, groups);
  const problems = [shape, inGroups, hosts.problems, references.problems, inSections].flat();
  if (problems.length > 0 || !checked.success) {
    throw new SiteError(show(placeProblems([...warnings, ...problems])));
  }
  const all = [...yaml.warnings, ...placeProblems([...warnings, ...hosts.warnings, ...references.warnings])];
  return {
    site: siteOf(checked.data, file, { ...hosts, groups }, knowledge),
    warnings: show(all),
    lineAt: (path, what) => problemLine(file, yaml.locate(path), what),
  };
};

/** Lines in the order of the file, `FILE:LINE:COL: what`; each with the file that it is in. */
const showIn =
  (file: string) =>
  (found: readonly { place: Place; text: string }[]): string[] =>
    [...found]
      .sort((a, b) => a.place.line - b.place.line || a.place.col - b.place.col)
      .map(({ place, text }) => problemLine(place.file ?? file, place, text));

/** What was checked, with instants and durations as numbers and the defaults of the systems' sections. */
const siteOf = (
  data: z.output<ReturnType<typeof siteSchema>>,
  file: string,
  { hosts, transports, groups }: Inventory & { groups: Groups },
  knowledge: Knowledge,
): Site => {
  const { site: name, readOnly, sshConfig, shared, audit, links, rules, alerts, zone, traffic } = data;
  return {
    name,
    file,
    readOnly,
    hosts,
    ...(Object.keys(data.groups).length > 0 && { groups: data.groups }),
    ...(shared && { shared }),
    ...(audit && { audit }),
    settings: settingsOf(data, knowledge),
    links,
    ...(rules && { rules }),
    ...(alerts && { alerts }),
    ...(traffic.length > 0 && {
      traffic: traffic.map((rule) => ruleOf(rule, zone, knowledge, hosts, groups)),
    }),
    windows: data.windows.map((window) => ({
      ...window,
      subjects: window.subjects.flatMap((subject) => namesOfSubject(subject, groups)),
      from: Date.parse(window.from),
      to: Date.parse(window.to),
    })),
    runbooks: data.runbooks.map(({ finding, url, contact }) => ({
      finding,
      ...(url !== undefined && { url }),
      ...(contact !== undefined && { contact }),
    })),
    intervals: Object.fromEntries(
      Object.entries(data.intervals).map(([probe, every]) => [probe, durationMs(every) ?? 0]),
    ),
    ...(sshConfig !== undefined && { sshConfig }),
    transports,
  };
};

const notAMap = (value: unknown): string =>
  value === null || value === undefined || value === ''
    ? 'the file is empty; start with "site: NAME" and "hosts:"'
    : 'this is not a site file: no keys; start with "site: NAME" and "hosts:"';

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

/** Hosts that the sections of systems name, where they are in shape. */
const mentionsOf = (raw: Readonly<Record<string, unknown>>, { systems }: Knowledge): Named[] =>
  systems.flatMap(({ id, settings, mentions }) => {
    const section = raw[id] === undefined ? undefined : settings?.safeParse(raw[id]);
    return section?.success && mentions
      ? mentions(section.data).map(({ name, path }) => ({ name, path: [id, ...path] }))
      : [];
  });

/** A rule of `traffic` whose references were checked. */
const ruleOf = (
  { probe, between, every, hosts }: z.output<typeof trafficSchema>,
  zone: string,
  { systems }: Knowledge,
  all: readonly HostView[],
  groups: Groups,
): TrafficRule => {
  const role = systems.flatMap((system) => system.probes).find(({ id }) => id === probe)?.role ?? '';
  const named =
    hosts === undefined ? undefined : new Set(expandSet(hosts, groups).map((name) => name.toLowerCase()));
  return {
    probe,
    hosts: all
      .filter(({ name, roles }) => roles.includes(role) && (named?.has(name.toLowerCase()) ?? true))
      .map(({ name }) => name),
    everyMs: durationMs(every) ?? Infinity,
    ...(dayTimes(between) ?? { from: 0, to: 0 }),
    zone,
  };
};

/** Each system's section, with its defaults where the file has none and the schema can do without. */
const settingsOf = (data: Readonly<Record<string, unknown>>, knowledge: Knowledge): Record<string, unknown> =>
  Object.fromEntries(
    knowledge.systems.flatMap(({ id, settings }) => {
      if (!settings) return [];
      if (data[id] !== undefined) return [[id, data[id]]];
      const defaults = settings.safeParse({});
      return defaults.success ? [[id, defaults.data]] : [];
    }),
  );
