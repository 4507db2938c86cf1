import type { Answer } from '../../src/model/answer.ts';
import type { Clues, Discovery, FoundSoFar, HostClue, Said, SettingClue } from '../../src/model/discover.ts';
import { askOf, platformOf } from './platforms/index.ts';
import { isLinuxHost, platformIn } from './platforms/described.ts';
import { describedNeighbors } from './platforms/shared/lldpctl.ts';
import { captureOf } from './read/parse-capture.ts';
import { rowsOf } from './read/read-answers.ts';
import type { NeighborRow } from './read/rows.ts';

/** Hosts from which the matrix pings: more would only say the same of the same links. */
const PINGERS = 4;

/** What a host's own lldpd hears; the role `nic` is for hosts where it does, since without it nobody knows what they hang on. */
const nicClues = ({ host, printed }: Said): HostClue[] => {
  const section = printed.get('neighbors');
  const document = section?.code === 0 ? captureOf(`${section.text}\n`).wholeJson() : undefined;
  if (document === undefined) return [];
  const neighbors = describedNeighbors(document);
  return [
    { name: host, role: 'nic', from: 'lldpctl answers there', ofItself: true },
    ...neighbors.map(({ name, text = '' }): HostClue => {
      const platform = platformIn(text);
      const from = `lldpctl on ${host}`;
      if (platform !== undefined)
        return { name, role: 'switch', platform, from, asIs: `switch by LLDP, "${text}"` };
      return isLinuxHost(text) ? { name, from } : { name, from, asIs: 'neighbour by LLDP' };
    }),
  ];
};

/** A switch with a shell says by its release file what it is. */
const shellSwitch = ({ host, printed }: Said): HostClue[] => {
  const platform = platformIn(printed.get('release')?.text ?? '');
  return platform !== undefined && platformOf(platform)?.via === 'sh'
    ? [{ name: host, role: 'switch', platform, from: 'its /etc/os-release' }]
    : [];
};

const neighborsIn = (host: string, platform: string, answer: Answer): readonly NeighborRow[] | string => {
  try {
    return rowsOf<NeighborRow>('neighbors', `LLDP of ${host}`, answer, platform).rows;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/** A device is of a platform when its answer is one that this platform prints. */
const deviceClues = ({ host, device }: Said): { hosts: HostClue[]; notes: string[] } => {
  if (!device) return { hosts: [], notes: [] };
  const { platform, answer } = device;
  const rows = neighborsIn(host, platform, answer);
  if (typeof rows === 'string')
    return {
      hosts: [],
      notes: [
        `${host}: it says that it is ${platform}, but does not answer so (${rows}); once it does, write: - { names: ${host}, roles: [switch], platform: ${platform} }`,
      ],
    };
  const from = 'its own words, and it answers so';
  return {
    hosts: [
      { name: host, role: 'switch', platform, from },
      ...rows.flatMap(({ neighbor }): HostClue[] =>
        neighbor === undefined
          ? []
          : [{ name: neighbor, from: `LLDP on ${host}`, asIs: 'neighbour by LLDP' }],
      ),
    ],
    notes: [],
  };
};

/** `... - nfs4 nfs1:/home rw,...,addr=10.98.0.1`: what a host fetches its data from. */
const serverOfMount = (line: string): { name: string; address: string } | undefined => {
  const fields = line.trim().split(' ');
  const [type = '', source = '', options = ''] = fields.slice(fields.indexOf('-', 6) + 1);
  const address = options
    .split(',')
    .find((option) => /^addr=[0-9a-fA-F.:]+$/.test(option))
    ?.slice(5);
  const name = source.split(':/')[0] ?? '';
  return /^nfs4?$/.test(type) && address !== undefined ? { name, address } : undefined;
};

const serversIn = (said: readonly Said[]): ReadonlyMap<string, { name: string; on: string }> => {
  const servers = new Map<string, { name: string; on: string }>();
  for (const { host, printed } of said)
    for (const line of (printed.get('mounts')?.text ?? '').split('\n')) {
      const server = serverOfMount(line);
      if (server && !servers.has(server.address))
        servers.set(server.address, { name: server.name, on: host });
    }
  return servers;
};

/** The matrix has a column for each name, so that a second address of a server needs a name of its own. */
const matrixOf = (said: readonly Said[], { hostOf }: FoundSoFar): SettingClue[] => {
  const taken = new Set<string>();
  const servers = [...serversIn(said)].flatMap(([address, { name }]) => {
    const host = hostOf(name) ?? hostOf(address);
    const wanted = host ?? name;
    const own = taken.has(wanted) ? address : wanted;
    if (!/^[A-Za-z0-9][A-Za-z0-9.:-]*$/.test(own)) return [];
    taken.add(own);
    return [{ name: own, address, ...(host !== undefined && host !== own && { host }) }];
  });
  if (servers.length === 0) return [];
  const on = [...new Set([...serversIn(said).values()].map((one) => one.on))];
  return [
    {
      key: 'matrix.servers',
      value: servers,
      from: `addresses of NFS mounts on ${on.slice(0, 5).join(', ')}`,
    },
  ];
};

/** A few hosts spread over those that best stand for the users': that mount, that know their switch, that can ping. */
const pingersOf = (said: readonly Said[], nics: ReadonlySet<string>): HostClue[] => {
  const able = said.filter(
    ({ printed }) => printed.get('ping')?.code === 0 && !/^th [1-9]/m.test(printed.get('serves')?.text ?? ''),
  );
  const ranks = [
    able.filter(({ printed }) => / - nfs4? /.test(printed.get('mounts')?.text ?? '')),
    able.filter(({ host }) => nics.has(host)),
  ];
  const best = ranks.find((some) => some.length > 0) ?? [];
  const step = Math.max(1, best.length / PINGERS);
  return Array.from({ length: Math.min(PINGERS, best.length) }, (_, at) => best[Math.floor(at * step)])
    .flatMap((one) => one ?? [])
    .map(({ host }) => ({
      name: host,
      role: 'ping-client',
      from: `one of ${best.length} hosts that can ping the servers`,
      ofItself: true,
    }));
};

const fabricNotes = (said: readonly Said[]): string[] =>
  said.flatMap(({ host, printed }) => {
    const switches = [...(printed.get('fabric')?.text ?? '').matchAll(/^SW\s+\d+/gm)].length;
    return switches === 0
      ? []
      : [
          `InfiniBand: ibnetdiscover on ${host} sees switches; a host of the fabric with an entry of its own reads all links: - { names: ${host}, roles: [switch], platform: infiniband }`,
        ];
  });

/** Of hosts that refuse what tells which switch they hang on. */
const deafNotes = (said: readonly Said[]): string[] => {
  const deaf = said.filter(({ printed }) => ![0, 127, undefined].includes(printed.get('neighbors')?.code));
  return deaf.length === 0
    ? []
    : [
        `LLDP: lldpctl is refused on ${deaf
          .slice(0, 5)
          .map(({ host }) => host)
          .join(
            ', ',
          )}${deaf.length > 5 ? ` and ${deaf.length - 5} more` : ''}; once the login may read lldpd's socket, add the role nic there`,
      ];
};

const read = (said: readonly Said[], found: FoundSoFar): Clues => {
  const nics = said.flatMap(nicClues);
  const devices = said.map(deviceClues);
  const hosts = [...nics, ...said.flatMap(shellSwitch), ...devices.flatMap((one) => one.hosts)];
  const withNic = new Set(nics.filter(({ role }) => role === 'nic').map(({ name }) => name));
  const hasSwitch = hosts.some(({ role }) => role === 'switch');
  return {
    hosts: [...hosts, ...pingersOf(said, withNic)],
    settings: matrixOf(said, found),
    notes: [
      ...devices.flatMap(({ notes }) => notes),
      ...deafNotes(said),
      ...fabricNotes(said),
      ...(hasSwitch
        ? [
            'undoHost: no machine says where undo timers of shut ports may be armed; a Linux host with ssh to the switches gets the role switch-helper, and each switch: undoHost: THAT-HOST',
          ]
        : [
            'switches: none was found by LLDP; name them (faultline init sw1), or write: - { names: sw1, roles: [switch], platform: arista_eos }',
          ]),
    ],
  };
};

/** Switches are found by what hosts hear of them, and by what they hear of each other. */
export const switchDiscovery: Discovery = {
  system: 'switch',
  commands: {
    neighbors: 'lldpctl -f json',
    release: 'cat /etc/os-release',
    ping: 'command -v ping',
    mounts: 'cat /proc/self/mountinfo',
    serves: 'cat /proc/net/rpc/nfsd',
    fabric: { line: 'ibstat -l && sudo -n ibnetdiscover -p | head -n 500', notOf: ['compute'] },
  },
  devices: {
    platformIn,
    identify: {
      lines: ['show version', 'display version'],
      dialect: { prompt: '[<A-Za-z0-9][A-Za-z0-9._:@()/-]*[>#$]\\s*$', pagerOff: [], errors: [] },
    },
    ask: (id) => {
      const platform = platformOf(id);
      const lines = platform?.ask.neighbors;
      return platform && lines && platform.via === 'cli' ? askOf(platform, lines) : undefined;
    },
  },
  read,
};
