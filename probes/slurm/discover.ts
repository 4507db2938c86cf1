import type { Clues, Discovery, HostClue, PlaceClue, Said, SettingClue } from '../../src/model/discover.ts';
import { fold } from '../../src/text/nodeset.ts';
import { parseConfig, type ConfigDocument } from './read/parse-config.ts';
import nodeNames from './ask/node-names.sh';

/** `SlurmctldHost[0] = ctl1(10.0.0.1)`, before 18.08 `ControlMachine`, `BackupController`. */
const controllerLine = /^(?:SlurmctldHost\[\d+\]|ControlMachine|BackupController)\s*= ([^\s(]+)/gm;
/** `SwitchName=s1 Level=0 LinkSpeed=1 Nodes=node[1-20]`: leaves only, which hold nodes and not switches. */
const leavesIn = (text: string): { name: string; hosts: string }[] =>
  text.split('\n').flatMap((line) => {
    const words = new Map(
      line
        .split(' ')
        .map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] as const),
    );
    const [name, level, hosts] = ['SwitchName', 'Level', 'Nodes'].map((key) => words.get(key));
    return name !== undefined && level === '0' && hosts !== undefined ? [{ name, hosts }] : [];
  });

/** A list for a comment. */
const shortFold = (names: readonly string[]): string => {
  const text = fold(names);
  return text.length <= 300 ? text : `${text.slice(0, 300)}...`;
};

interface Told {
  host: string;
  config: ConfigDocument;
  controllers: readonly string[];
  nodes: readonly string[];
  leaves: readonly { name: string; hosts: string }[];
}

const readOne = ({ host, printed }: Said): Told | undefined => {
  const config = printed.get('config');
  if (!config || config.code !== 0) return undefined;
  const text = (command: string): string => printed.get(command)?.text ?? '';
  try {
    return {
      host,
      config: parseConfig({ stdout: config.text }),
      controllers: [...config.text.matchAll(controllerLine)].flatMap(([, name = '']) =>
        name === '' || name === '(null)' ? [] : [name],
      ),
      nodes: [...text('nodes').matchAll(/^NodeName=(\S+)/gm)].map(([, name = '']) => name),
      leaves: leavesIn(text('topology')),
    };
  } catch {
    // Something else that is called scontrol.
    return undefined;
  }
};

const hostsOf = ({ host, controllers, nodes }: Told): HostClue[] => [
  ...controllers.map((name, at) => ({
    name,
    role: 'slurm-controller',
    from: `${at === 0 ? 'SlurmctldHost' : 'backup controller'} in scontrol show config on ${host}`,
    asIs: at === 0 ? 'Slurm controller' : 'Slurm backup controller',
  })),
  ...nodes.map((name) => ({
    name,
    role: 'compute',
    from: `scontrol show nodes on ${host}`,
    asIs: 'Slurm node',
  })),
];

/**
 * NHC marks nodes by itself unless MARK_OFFLINE is 0 (its README, "MARK_OFFLINE"). Of no other program it is known how it is asked
 * without consequences.
 */
const checkOf = ({ host, config }: Told, place = 'check'): { settings: SettingClue[]; notes: string[] } => {
  const { healthCheckProgram: program, slurmUser } = config;
  const from = `scontrol show config on ${host}`;
  const users =
    slurmUser !== undefined && slurmUser !== 'slurm' && slurmUser !== 'root'
      ? [{ key: `${place}.users`, value: ['root', slurmUser], from: `SlurmUser in ${from}` }]
      : [];
  if (program === undefined)
    return {
      settings: users,
      notes: [
        `slurm.${place}: ${from} names no HealthCheckProgram; a check that changes nothing goes here: check: { command: [/usr/sbin/nhc], env: { MARK_OFFLINE: '0' } }`,
      ],
    };
  if (program.split('/').pop() !== 'nhc')
    return {
      settings: users,
      notes: [
        `slurm.${place}: HealthCheckProgram is ${program} (${from}); if it can be asked without draining the node, write so: check: { command: [${program}] }`,
      ],
    };
  return {
    settings: [
      { key: `${place}.command`, value: [program], from: `HealthCheckProgram in ${from}` },
      { key: `${place}.env`, value: { MARK_OFFLINE: '0' }, from: 'with it NHC drains nothing' },
      ...users,
      { key: `${place}.reasons`, value: ['^NHC:'], from: 'how NHC words the reasons it drains nodes for' },
    ],
    notes: [],
  };
};

/** Names that may be keys of the section: what else a cluster is called stays with a person. */
const KEY = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

/** What all clusters say alike is said once; where they differ each has it under its own name, so that none goes by another's. */
const checksOf = (firsts: readonly Told[]): { settings: SettingClue[]; notes: string[] } => {
  const [first, ...others] = firsts;
  if (!first) return { settings: [], notes: [] };
  const isAlike = others.every(
    ({ config: { healthCheckProgram, slurmUser } }) =>
      healthCheckProgram === first.config.healthCheckProgram && slurmUser === first.config.slurmUser,
  );
  if (isAlike) return checkOf(first);
  const found = firsts.map((one) => {
    const { clusterName: name = '' } = one.config;
    if (KEY.test(name)) return checkOf(one, `clusters.${name}.check`);
    const { healthCheckProgram: program = 'none', slurmUser = 'unknown' } = one.config;
    return {
      settings: [],
      notes: [
        `slurm.clusters: the cluster of ${one.host} has no ClusterName that can be a key; it has HealthCheckProgram ${program} and SlurmUser ${slurmUser}`,
      ],
    };
  });
  return {
    settings: found.flatMap(({ settings }) => settings),
    notes: found.flatMap(({ notes }) => notes),
  };
};

const placesOf = ({ host, leaves }: Told): PlaceClue[] =>
  leaves.map(({ name, hosts }) => ({
    label: 'rack',
    value: name,
    hosts,
    from: `scontrol show topology on ${host}`,
  }));

/** Node names that two clusters have: one machine or two, no cluster can tell. */
const sharedNodes = (firsts: readonly Told[]): string[] => {
  const clustersOf = Map.groupBy(
    firsts.flatMap(({ nodes, host }) => [...new Set(nodes)].map((node) => ({ node, host }))),
    ({ node }) => node,
  );
  const shared = [...clustersOf].flatMap(([node, of]) => (of.length > 1 ? [node] : []));
  return shared.length === 0
    ? []
    : [
        `Slurm: more than one cluster has ${shortFold(shared)}: the entry stands for the one that SSH reaches by that name; if they are different machines, a site file for each cluster (--site NAME) tells them apart`,
      ];
};

/** Two machines that say the same of one cluster are one source; what they differ in is told. */
const disagreements = (controllersRead: readonly Told[]): string[] => {
  const clusters = Map.groupBy(controllersRead, ({ config }) => config.clusterName ?? 'without a name');
  const names = [...clusters].map(([name, some]) => `${name} (${some.map(({ host }) => host).join(', ')})`);
  return [
    ...(clusters.size > 1
      ? [`Slurm: the hosts asked are of ${clusters.size} clusters: ${names.join('; ')}`]
      : []),
    ...sharedNodes([...clusters.values()].flatMap(([one]) => one ?? [])),
    ...[...clusters].flatMap(([name, some]) => {
      const lists = Map.groupBy(some, ({ controllers }) => controllers.toSorted().join(', '));
      const said = [...lists].map(([list, of]) => `${of.map(({ host }) => host).join(', ')}: ${list}`);
      return lists.size > 1
        ? [`Slurm: controllers of ${name} are not the same everywhere: ${said.join('; ')}`]
        : [];
    }),
  ];
};

/** What the machines with scontrol tell of their cluster. */
const read = (said: readonly Said[]): Clues => {
  const controllersRead = said.flatMap((one) => readOne(one) ?? []);
  const read = new Set(controllersRead.map(({ host }) => host));
  const unread = said.flatMap(({ host, printed }) => {
    const config = printed.get('config');
    const first = config?.text.trim().split('\n')[0] ?? '';
    return config && !read.has(host) && config.code !== 127
      ? [`Slurm: scontrol show config gives nothing on ${host}: ${first}`]
      : [];
  });
  const clusters = Map.groupBy(controllersRead, ({ config }) => config.clusterName);
  const firsts = [...clusters.values()].flatMap(([one]) => one ?? []);
  const { settings, notes } = checksOf(firsts);
  return {
    hosts: controllersRead.flatMap(hostsOf),
    names: [...clusters].flatMap(([name, [one]]) =>
      name === undefined || !one
        ? []
        : [{ name, from: `ClusterName in scontrol show config on ${one.host}` }],
    ),
    settings,
    places: firsts.flatMap(placesOf),
    notes: [...notes, ...disagreements(controllersRead), ...(controllersRead.length === 0 ? unread : [])],
  };
};

/** Any machine that is set up for a cluster tells of all of it; its nodes are not asked, they would ask the controller again. */
export const slurmDiscovery: Discovery = {
  system: 'slurm',
  commands: {
    config: { line: 'scontrol show config', notOf: ['compute'] },
    nodes: { line: nodeNames, notOf: ['compute'] },
    topology: { line: 'scontrol show topology', notOf: ['compute'] },
  },
  read,
};
