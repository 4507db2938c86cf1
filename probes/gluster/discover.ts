import type { Clues, Discovery, HostClue, Said, SettingClue } from '../../src/model/discover.ts';
import { parsePool } from './read/parse-peers.ts';

interface Pool {
  host: string;
  peers: readonly string[];
  asRoot: boolean;
}

const peersIn = (text: string | undefined): readonly string[] => {
  try {
    return parsePool({ stdout: text ?? '' }).peers.map(({ host }) => host);
  } catch {
    // No pool: a client's command, or one that was refused.
    return [];
  }
};

/** Only what runs glusterd lists a pool, itself as `localhost`; a client with the command finds no daemon. */
const poolOf = ({ host, printed }: Said): Pool | undefined => {
  const plain = peersIn(printed.get('pool')?.text);
  const peers = plain.length > 0 ? plain : peersIn(printed.get('poolAsRoot')?.text);
  return peers.length > 0 ? { host, peers, asRoot: plain.length === 0 } : undefined;
};

/** `... - fuse.glusterfs gl1:/home0 rw,...` in mountinfo: the server that a client fetched the volume's description from. */
const serversIn = (text: string): readonly string[] =>
  [...text.matchAll(/ - fuse\.glusterfs ([^\s:/]+):/g)].map(([, server = '']) => server);

const fromMounts = ({ host, printed }: Said): HostClue[] =>
  [...new Set(serversIn(printed.get('mounts')?.text ?? ''))].map((name) => ({
    name,
    from: `mounts of ${host}`,
    asIs: 'server of a Gluster mount',
  }));

const fromPool = ({ host, peers }: Pool): HostClue[] => [
  { name: host, role: 'gluster', from: 'gluster pool list there' },
  ...peers
    .filter((name) => name !== 'localhost')
    .map((name) => ({ name, role: 'gluster', from: `gluster pool list on ${host}`, asIs: 'Gluster peer' })),
];

/** The command needs root at most sites; what needs sudo on one peer is asked with it on all. */
const settingsOf = (pools: readonly Pool[]): SettingClue[] => {
  const hosts = pools.filter(({ asRoot }) => asRoot).map(({ host }) => host);
  return hosts.length > 0
    ? [{ key: 'sudo', value: true, from: `gluster pool list answers only sudo -n on ${hosts.join(', ')}` }]
    : [];
};

/** Where peers name different others: one was added or dropped half way, or they are two pools. */
const disagreements = (pools: readonly Pool[], hostOf: (name: string) => string | undefined): string[] => {
  const setOf = ({ host, peers }: Pool): string =>
    [...new Set([host, ...peers.filter((name) => name !== 'localhost').map((name) => hostOf(name) ?? name)])]
      .toSorted()
      .join(', ');
  const sets = Map.groupBy(pools, setOf);
  if (sets.size < 2) return [];
  const said = [...sets].map(([list, of]) => `${of.map(({ host }) => host).join(', ')}: ${list}`);
  return [`Gluster: the pool is not the same everywhere; ${said.join('; ')}`];
};

export const glusterDiscovery: Discovery = {
  system: 'gluster',
  commands: {
    pool: 'gluster pool list',
    poolAsRoot: '[ "$(id -u)" = 0 ] || { command -v gluster && sudo -n gluster pool list; }',
    mounts: 'cat /proc/self/mountinfo',
  },
  read: (said, { hostOf }): Clues => {
    const pools = said.flatMap((one) => poolOf(one) ?? []);
    return {
      hosts: [...pools.flatMap(fromPool), ...said.flatMap(fromMounts)],
      settings: settingsOf(pools),
      notes: disagreements(pools, hostOf),
    };
  },
};
