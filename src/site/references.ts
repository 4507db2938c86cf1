import type { HostView } from '../model/site.ts';
import { nearest } from '../text/nearest.ts';
import { isHostName, namesOf } from './hosts.ts';
import { canonicalPort } from './ports.ts';
import type { Path, Problem } from './problem.ts';
import type { SystemKnowledge } from './schema.ts';

/** The part of a file that names hosts, labels, probes and systems. */
export interface References {
  mentioned: readonly { name: string; path: Path }[];
  /** In a system's section: there a name that is no host of the site has no effect at all. */
  inSections: readonly { name: string; path: Path }[];
  links: readonly { from: string; to: string; path: Path }[];
  windowSubjects: readonly { subject: string; path: Path }[];
  findings: readonly { finding: string; path: Path }[];
  probes: readonly { probe: string; path: Path }[];
  traffic: readonly { probe: string; hosts?: string | undefined; path: Path }[];
  /** Rules switched off. */
  rules: readonly { rule: string; path: Path }[];
}

export interface Known {
  /** Lower case. */
  names: ReadonlySet<string>;
  hosts: readonly HostView[];
  probes: readonly SystemKnowledge['probes'][number][];
  systems: readonly string[];
  /** Absent: whoever asks does not know. */
  rules?: readonly string[];
}

const mean = (near: string | undefined, otherwise: string): string =>
  near === undefined ? otherwise : `did you mean "${near}"?`;

/** What names something that the site does not have: errors where it can't work, warnings where it can't matter yet. */
export const checkReferences = (
  references: References,
  known: Known,
): { problems: Problem[]; warnings: Problem[] } => ({
  problems: [
    ...references.mentioned.flatMap((one) => mentionProblem(one, known)),
    ...references.inSections.flatMap(({ name, path }) =>
      known.names.has(name.toLowerCase())
        ? []
        : [
            {
              path,
              text: `there is no host "${name}"; ${mean(nearest(name, known.names), 'name a host of this site')}`,
            },
          ],
    ),
    ...references.links.flatMap((link) => linkProblems(link, known)),
    ...portsTwice(references.links),
    ...references.probes.flatMap((one) => intervalProblems(one, known)),
    ...references.traffic.flatMap((rule) => trafficProblems(rule, known)),
  ],
  warnings: [
    ...references.windowSubjects.flatMap((one) => windowWarning(one, known)),
    ...references.rules.flatMap(({ rule, path }) =>
      known.rules === undefined || known.rules.includes(rule)
        ? []
        : [
            {
              path,
              text: `no rule is called "${rule}", so none is off by it; ${mean(nearest(rule, known.rules), `known: ${known.rules.join(', ')}`)}`,
            },
          ],
    ),
    ...references.findings.flatMap(({ finding, path }) => {
      const system = finding.split(':')[0] ?? '';
      return system.includes('*') || known.systems.includes(system)
        ? []
        : [
            {
              path,
              text: `no system is called "${system}"; ${mean(nearest(system, known.systems), `known: ${known.systems.join(', ')}`)}`,
            },
          ];
    }),
  ],
});

const noProbe = (probe: string, ids: readonly string[]): string =>
  `"${probe}" is not a probe; ${mean(nearest(probe, ids), `known: ${ids.join(', ')}`)}`;

const intervalProblems = ({ probe, path }: References['probes'][number], known: Known): Problem[] => {
  const found = known.probes.find(({ id }) => id === probe);
  const ids = known.probes.map(({ id }) => id);
  if (!found) return [{ path, atKey: true, text: noProbe(probe, ids) }];
  return found.touches === 'traffic'
    ? [{ path, atKey: true, text: `${probe} puts traffic on the network; allow it under "traffic"` }]
    : [];
};

/** A rule of `traffic` that would do nothing, or what nobody meant. */
const trafficProblems = (
  { probe, hosts, path }: References['traffic'][number],
  { probes, hosts: all }: Known,
): Problem[] => {
  const loud = probes.filter(({ touches }) => touches === 'traffic');
  const found = loud.find(({ id }) => id === probe);
  const problem = (key: string, text: string): Problem[] => [{ path: [...path, key], text }];
  if (!found) {
    const known = probes.some(({ id }) => id === probe);
    const ids = loud.map(({ id }) => id);
    return problem(
      'probe',
      known
        ? `${probe} puts no traffic on the network; its place is "intervals"; here: ${ids.join(', ')}`
        : noProbe(probe, ids),
    );
  }
  const named = hosts === undefined ? undefined : namesOf(hosts, [...path, 'hosts']);
  if (named && named.problems.length > 0) return named.problems;
  const byName = new Map(all.map((host) => [host.name.toLowerCase(), host]));
  const wrong = named?.names.find((name) => !byName.get(name.toLowerCase())?.roles.includes(found.role));
  if (wrong !== undefined) {
    const there = byName.has(wrong.toLowerCase());
    const near = nearest(wrong, byName.keys());
    return problem(
      'hosts',
      there
        ? `"${wrong}" has not the role ${found.role}, which ${probe} asks`
        : `there is no host "${wrong}"; ${mean(near, 'name hosts of this site')}`,
    );
  }
  return all.some(({ roles }) => roles.includes(found.role))
    ? []
    : problem('probe', `no host has the role ${found.role}, which ${probe} asks`);
};

const mentionProblem = ({ name, path }: { name: string; path: Path }, known: Known): Problem[] => {
  if (known.names.has(name.toLowerCase())) return [];
  if (!isHostName(name)) return [{ path, text: `"${name}" is not a host name; name one host of this site` }];
  const near = nearest(name, known.names);
  return near === undefined ? [] : [{ path, text: `there is no host "${name}"; did you mean "${near}"?` }];
};

/** One end of a link may be a device that is not ours to ask; not both. */
const linkProblems = (link: References['links'][number], known: Known): Problem[] => {
  const ends = [
    { end: link.from, path: [...link.path, 'from'] },
    { end: link.to, path: [...link.path, 'to'] },
  ];
  const misshapen = ends.flatMap(({ end, path }) =>
    /^[^:]+:.+$/.test(end)
      ? []
      : [{ path, text: `"${end}" is not a port; write it as HOST:PORT, core3:te3/46` }],
  );
  if (misshapen.length > 0) return misshapen;
  const unknown = ends.filter(({ end }) => !known.names.has(hostPart(end)));
  const typos = unknown.flatMap(({ end, path }) => {
    const near = nearest(hostPart(end), known.names);
    return near === undefined
      ? []
      : [{ path, text: `there is no host "${hostPart(end)}"; did you mean "${near}"?` }];
  });
  if (typos.length > 0) return typos;
  return unknown.length === 2
    ? [
        {
          path: link.path,
          text: 'neither end of this link is a host of the site; name at least one under hosts',
        },
      ]
    : [];
};

/** A cable has two ends, and a port has one cable. */
const portsTwice = (links: References['links']): Problem[] => {
  const taken = new Set<string>();
  return links.flatMap(({ from, to, path }) =>
    [
      { end: from, at: [...path, 'from'] },
      { end: to, at: [...path, 'to'] },
    ].flatMap(({ end, at }): Problem[] => {
      const id = end.replace(
        /^([^:]*):(.*)$/,
        (_, host: string, port: string) => `${host}:${canonicalPort(port) ?? port}`,
      );
      if (!taken.has(id.toLowerCase())) {
        taken.add(id.toLowerCase());
        return [];
      }
      return [{ path: at, text: `"${end}" is an end of a link already; a port has one cable` }];
    }),
  );
};

const hostPart = (port: string): string => (port.split(':')[0] ?? '').toLowerCase();

const windowWarning = ({ subject, path }: { subject: string; path: Path }, known: Known): Problem[] => {
  const [label = '', value] = subject.split(':', 2);
  if (value === undefined) return [];
  const values = new Set(known.hosts.flatMap((host) => host.location[label] ?? []));
  if (values.size === 0 || values.has(value)) return [];
  return [
    {
      path,
      text: `no host has ${label} "${value}"; ${mean(nearest(value, values), 'the window covers nothing by it')}`,
    },
  ];
};
