import type { HostView } from '../model/site.ts';
import { nearestWord } from '../text/nearest.ts';
import type { Groups } from '../text/set-arithmetic.ts';
import { namesOfSubject, whyNoNames } from './groups.ts';
import { isHostName, namesOf } from './hosts.ts';
import { canonicalPort } from './ports.ts';
import type { Path, Problem } from './problem.ts';
import { clushProblems } from './clush-references.ts';
import type { FormerNames, SystemKnowledge } from './schema.ts';

/** A name in the file, and where it stands. */
export interface Named {
  name: string;
  path: Path;
}

/** What of a file names hosts, labels, probes and systems. */
export interface References {
  mentioned: readonly Named[];
  /** In a system's section: there a name that is no host of the site has no effect at all. */
  inSections: readonly Named[];
  links: readonly { from: string; to: string; path: Path }[];
  windowSubjects: readonly Named[];
  /** Findings with a runbook. */
  findings: readonly Named[];
  /** Probes with an interval. */
  probes: readonly Named[];
  traffic: readonly { probe: string; hosts?: string | undefined; path: Path }[];
  clush: readonly { through: string; hosts: string; path: Path }[];
  /** Rules switched off. */
  rules: readonly Named[];
}

export interface Known {
  /** Lower case. */
  names: ReadonlySet<string>;
  hosts: readonly HostView[];
  groups: Groups;
  probes: readonly SystemKnowledge['probes'][number][];
  systems: readonly string[];
  /** Absent: whoever asks does not know. */
  rules?: readonly string[];
  former?: FormerNames;
}

/** The nearest name that there is, else what to do. */
const suggest = (name: string, names: Iterable<string>, otherwise: string): string => {
  const near = nearestWord(name, names);
  return near === undefined ? otherwise : `did you mean "${near}"?`;
};

const noHost = (name: string, names: Iterable<string>, otherwise: string): string =>
  `there is no host "${name}"; ${suggest(name, names, otherwise)}`;

const knownList = (names: readonly string[]): string => `known: ${names.join(', ')}`;

/** What names something that the site does not have: errors where it can't work, warnings where it can't matter yet. */
export const checkReferences = (
  references: References,
  known: Known,
): { problems: Problem[]; warnings: Problem[] } => ({
  problems: [
    ...references.mentioned.flatMap((named) => mentionProblem(named, known)),
    ...references.inSections
      .filter(({ name }) => !known.names.has(name.toLowerCase()))
      .map(({ name, path }) => ({ path, text: noHost(name, known.names, 'name a host of this site') })),
    ...references.links.flatMap((link) => linkProblems(link, known)),
    ...portsTwice(references.links),
    ...references.probes.flatMap((named) => intervalProblems(named, known)),
    ...references.traffic.flatMap((rule) => trafficProblems(rule, known)),
    ...references.windowSubjects.flatMap((named) => windowProblem(named, known)),
    ...clushProblems(references.clush, known),
  ],
  warnings: [
    ...references.windowSubjects.flatMap((named) => windowWarning(named, known)),
    ...references.rules.flatMap((named) => ruleWarning(named, known)),
    ...references.findings.flatMap((named) => findingWarning(named, known)),
  ],
});

const ruleWarning = ({ name, path }: Named, { rules, former }: Known): Problem[] => {
  const now = former?.rules[name];
  if (now !== undefined)
    return [{ path, text: `"${name}" is part of "${now}" now, and switches off all of that` }];
  if (rules === undefined || rules.includes(name)) return [];
  const near = suggest(name, rules, knownList(rules));
  return [{ path, text: `no rule is called "${name}", so none is off by it; ${near}` }];
};

const findingWarning = ({ name, path }: Named, { systems, former }: Known): Problem[] => {
  const [system = '', kind = '*'] = name.split(':');
  if (system.includes('*') || systems.includes(system)) return [];
  const renamed = Object.entries(former?.findings ?? {})
    .filter(([old]) => (kind.includes('*') ? old.startsWith(`${system}:`) : old === `${system}:${kind}`))
    .map(([, now]) => now);
  const text =
    renamed.length > 0
      ? `what "${name}" stands for is called ${renamed.join(', ')} now`
      : `no system is called "${system}"; ${suggest(system, systems, knownList(systems))}`;
  return [{ path, text }];
};

const noProbe = (probe: string, ids: readonly string[]): string =>
  `"${probe}" is not a probe; ${suggest(probe, ids, knownList(ids))}`;

const intervalProblems = ({ name, path }: Named, { probes }: Known): Problem[] => {
  const found = probes.find(({ id }) => id === name);
  const ids = probes.map(({ id }) => id);
  if (!found) return [{ path, atKey: true, text: noProbe(name, ids) }];
  return found.touches === 'traffic'
    ? [{ path, atKey: true, text: `${name} puts traffic on the network; allow it under "traffic"` }]
    : [];
};

/** A rule of `traffic` that would do nothing, or something else than was meant. */
const trafficProblems = (
  { probe, hosts, path }: References['traffic'][number],
  { probes, hosts: all, groups }: Known,
): Problem[] => {
  const loud = probes.filter(({ touches }) => touches === 'traffic');
  const found = loud.find(({ id }) => id === probe);
  const problem = (key: string, text: string): Problem[] => [{ path: [...path, key], text }];
  if (!found) {
    const ids = loud.map(({ id }) => id);
    return problem(
      'probe',
      probes.some(({ id }) => id === probe)
        ? `${probe} puts no traffic on the network; its place is "intervals"; here: ${ids.join(', ')}`
        : noProbe(probe, ids),
    );
  }
  const named = hosts === undefined ? undefined : namesOf(hosts, [...path, 'hosts'], groups);
  if (named && named.problems.length > 0) return named.problems;
  const byName = new Map(all.map((host) => [host.name.toLowerCase(), host]));
  const wrong = named?.names.find((name) => !byName.get(name.toLowerCase())?.roles.includes(found.role));
  if (wrong !== undefined)
    return problem(
      'hosts',
      byName.has(wrong.toLowerCase())
        ? `"${wrong}" does not have the role ${found.role}, which ${probe} asks`
        : noHost(wrong, byName.keys(), 'name hosts of this site'),
    );
  return all.some(({ roles }) => roles.includes(found.role))
    ? []
    : problem('probe', `no host has the role ${found.role}, which ${probe} asks`);
};

/** Also of a name that only looks like one of a host: one that is far from all may be a machine that is not ours. */
const mentionProblem = ({ name, path }: Named, { names }: Known): Problem[] => {
  if (names.has(name.toLowerCase())) return [];
  if (!isHostName(name)) return [{ path, text: `"${name}" is not a host name; name one host of this site` }];
  return nearestWord(name, names) === undefined ? [] : [{ path, text: noHost(name, names, '') }];
};

const endsOf = ({ from, to, path }: References['links'][number]) => [
  { end: from, path: [...path, 'from'] },
  { end: to, path: [...path, 'to'] },
];

/** One end of a link may be a device that is not ours to ask; not both. */
const linkProblems = (link: References['links'][number], { names }: Known): Problem[] => {
  const ends = endsOf(link);
  const misshapen = ends.filter(({ end }) => !/^[^:]+:.+$/.test(end));
  if (misshapen.length > 0)
    return misshapen.map(({ end, path }) => ({
      path,
      text: `"${end}" is not a port; write it as HOST:PORT, core3:te3/46`,
    }));
  const unknown = ends.filter(({ end }) => !names.has(hostPart(end)));
  const typos = unknown.filter(({ end }) => nearestWord(hostPart(end), names) !== undefined);
  if (typos.length > 0)
    return typos.map(({ end, path }) => ({ path, text: noHost(hostPart(end), names, '') }));
  const text = 'neither end of this link is a host of the site; name at least one under hosts';
  return unknown.length === 2 ? [{ path: link.path, text }] : [];
};

/** A cable has two ends, and a port has one cable. */
const portsTwice = (links: References['links']): Problem[] => {
  const taken = new Set<string>();
  return links.flatMap(endsOf).flatMap(({ end, path }): Problem[] => {
    const [, host = '', port = ''] = /^([^:]*):(.*)$/.exec(end) ?? [];
    const id = (port === '' ? end : `${host}:${canonicalPort(port) ?? port}`).toLowerCase();
    if (taken.has(id)) return [{ path, text: `"${end}" is an end of a link already; a port has one cable` }];
    taken.add(id);
    return [];
  });
};

const hostPart = (port: string): string => (port.split(':')[0] ?? '').toLowerCase();

const windowProblem = ({ name, path }: Named, { groups }: Known): Problem[] => {
  const text = whyNoNames(() => namesOfSubject(name, groups));
  return text === undefined ? [] : [{ path, text }];
};

const windowWarning = ({ name, path }: Named, { hosts }: Known): Problem[] => {
  const [label = '', value] = name.split(':', 2);
  if (value === undefined || name.startsWith('@')) return [];
  const values = new Set(hosts.flatMap((host) => host.location[label] ?? []));
  if (values.size === 0 || values.has(value)) return [];
  const what = suggest(value, values, 'the window covers nothing by it');
  return [{ path, text: `no host has ${label} "${value}"; ${what}` }];
};
