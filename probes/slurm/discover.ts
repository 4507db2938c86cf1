import type { Clues, Discovery, HostClue, PlaceClue, Said, SettingClue } from '../../src/model/discover.ts';
import { parseConfig, type ConfigDocument } from './read/parse-config.ts';

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
const checkOf = ({ host, config }: Told): { settings: SettingClue[]; notes: string[] } => {
  const { healthCheckProgram: program, slurmUser } = config;
  const from = `scontrol show config on ${host}`;
  const users =
    slurmUser !== undefined && slurmUser !== 'slurm' && slurmUser !== 'root'
      ? [{ key: 'check.users', value: ['root', slurmUser], from: `SlurmUser in ${from}` }]
      : [];
  if (program === undefined)
    return {
      settings: users,
      notes: [
        `slurm.check: ${from} names no HealthCheckProgram; a check that changes nothing goes here: check: { command: [/usr/sbin/nhc], env: { MARK_OFFLINE: '0' } }`,
      ],
    };
  if (program.split('/').pop() !== 'nhc')
    return {
      settings: users,
      notes: [
        `slurm.check: HealthCheckProgram is ${program} (${from}); if it can be asked without draining the node, write so: check: { command: [${program}] }`,
      ],
    };
  return {
    settings: [
      { key: 'check.command', value: [program], from: `HealthCheckProgram in ${from}` },
      { key: 'check.env', value: { MARK_OFFLINE: '0' }, from: 'with it NHC drains nothing' },
      ...users,
      { key: 'check.reasons', value: ['^NHC:'], from: 'how NHC words the reasons it drains nodes for' },
    ],
    notes: [],
  };
};

const placesOf = ({ host, leaves }: Told): PlaceClue[] =>
  leaves.map(({ name, hosts }) => ({
    label: 'rack',
    value: name,
    hosts,
    from: `scontrol show topology on ${host}`,
  }));

/** Two machines that say the same of one cluster are one source; what they differ in is told. */
const disagreements = (controllersRead: readonly Told[]): string[] => {
  const clusters = Map.groupBy(controllersRead, ({ config }) => config.clusterName ?? 'without a name');
  const names = [...clusters].map(([name, some]) => `${name} (${some.map(({ host }) => host).join(', ')})`);
  return [
    ...(clusters.size > 1
      ? [`Slurm: the hosts asked are of ${clusters.size} clusters: ${names.join('; ')}`]
      : []),
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
  // Of several clusters each has its own check; one section is for all of them.
  const [first] = controllersRead;
  const { settings, notes } = first ? checkOf(first) : { settings: [], notes: [] };
  const clusters = Map.groupBy(controllersRead, ({ config }) => config.clusterName);
  return {
    hosts: controllersRead.flatMap(hostsOf),
    names: [...clusters].flatMap(([name, [one]]) =>
      name === undefined || !one
        ? []
        : [{ name, from: `ClusterName in scontrol show config on ${one.host}` }],
    ),
    settings,
    places: first ? placesOf(first) : [],
    notes: [...notes, ...disagreements(controllersRead), ...(controllersRead.length === 0 ? unread : [])],
  };
};

/** Any machine that is set up for a cluster tells of all of it; its nodes are not asked, they would ask the controller again. */
export const slurmDiscovery: Discovery = {
  system: 'slurm',
  commands: {
    config: { line: 'scontrol show config', notOf: ['compute'] },
    nodes: {
      line: 'scontrol -o show nodes | while read -r name rest; do echo "$name"; done',
      notOf: ['compute'],
    },
    topology: { line: 'scontrol show topology', notOf: ['compute'] },
  },
  read,
};
