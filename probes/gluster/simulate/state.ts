import type { SimSplit } from './split-brain.ts';

/** A simulated storage server. */
export interface SimPeer {
  name: string;
  uuid: string;
  address: string;
  glusterd: 'up' | 'stopped' | 'down';
  pid: number;
  startedAt: number;
  /** Volume to the lock that this glusterd keeps for somebody. */
  locks: Map<string, { owner: string; since: number }>;
  log: string[];
  /** Dumps of bricks that lie here: name to text. */
  dumps: Map<string, string>;
}

export interface SimBrick {
  peer: string;
  path: string;
  up: boolean;
  pid: number;
  /** Entries that wait to be healed. */
  pending: number;
}

export interface SimVolume {
  name: string;
  id: string;
  bricks: SimBrick[];
  options: Record<string, string>;
  fileLocks: SimFileLock[];
  split: SimSplit[];
}

/** A lock on a file that a mount process on a host holds or waits for. */
export interface SimFileLock {
  path: string;
  host: string;
  pid: number;
  waits: boolean;
  /** The brick at which it waits. */
  copy: number;
  since: number;
}

export interface SimState {
  peers: Map<string, SimPeer>;
  volumes: Map<string, SimVolume>;
  /** Hosts whose mount process is in the bricks' lists, with its process. */
  clients: Map<string, number>;
  /** Those among them that are connected now. */
  connected: Set<string>;
  lastPid: number;
}

/** glusterfs 3.12: locks per volume, and no timer yet that would end one (3.12.15 brought it). */
export const version = '3.12.2';
export const opVersion = 31_202;

const uuids = [
  '878bc80a-506a-4a17-aa9d-f50396b6c7c6',
  'ce06ad81-0c67-460d-bf12-9a2b8c751b90',
  'f8e906cc-e37f-4db9-8604-e1088120b31d',
];

export const peerNames = ['gl1', 'gl2', 'gl3'] as const;

const day = 86_400_000;

/** Three peers, `home0` with one replica set and `data1` with two. */
export const buildState = (now: number): SimState => {
  const peers = peerNames.map((name, index): SimPeer => ({
    name,
    uuid: uuids[index] ?? '',
    address: `10.20.0.${11 + index}`,
    glusterd: 'up',
    pid: 1412 + index * 31,
    startedAt: now - (38 - index) * day,
    locks: new Map(),
    log: [],
    dumps: new Map(),
  }));
  let pid = 2200;
  const brick = (peer: string, path: string): SimBrick => ({
    peer,
    path,
    up: true,
    pid: (pid += 17),
    pending: 0,
  });
  const volume = (name: string, id: string, disks: readonly string[]): SimVolume => ({
    name,
    id,
    bricks: disks.flatMap((disk) => peerNames.map((peer) => brick(peer, `/data/${disk}/${name}`))),
    options: {
      'transport.address-family': 'inet',
      'nfs.disable': 'on',
      'performance.client-io-threads': 'off',
    },
    split: [],
    fileLocks:
      name === 'home0'
        ? [
            {
              path: '/alice/.bash_history',
              host: 'node12',
              pid: 4711,
              waits: false,
              copy: 0,
              since: now - 3_600_000,
            },
          ]
        : [],
  });
  return {
    peers: new Map(peers.map((peer) => [peer.name, peer])),
    volumes: new Map(
      [
        volume('home0', '4c1fd2a0-5b1e-4b43-9f0a-6d6c1b0d7a11', ['brick1']),
        volume('data1', '9b0a7c52-7d6e-4e0c-8a31-2f2b77c1e502', ['brick2', 'brick3']),
      ].map((one) => [one.name, one]),
    ),
    clients: new Map([['node12', 4711]]),
    connected: new Set(['node12']),
    lastPid: 31_000,
  };
};

const stamp = (at: number): string => new Date(at).toISOString().replace('T', ' ').replace('Z', '000');

/** Writes a line into a peer's glusterd.log as 3.12 does. */
const logLine = (peer: SimPeer, at: number, level: string, place: string, text: string): void => {
  peer.log.push(`[${stamp(at)}] ${level} ${place} 0-management: ${text}`);
};

export const logRefusal = (
  peer: SimPeer,
  at: number,
  volume: string,
  owner: string,
  requester: string,
): void => {
  const trace = '(-->/usr/lib64/glusterfs/3.12.2/xlator/mgmt/glusterd.so(+0xd3cf2) [0x7f1b21d6ccf2] )';
  logLine(
    peer,
    at,
    'W',
    `[glusterd-locks.c:622:glusterd_mgmt_v3_lock] ${trace}`,
    `Lock for ${volume} held by ${owner}`,
  );
  logLine(
    peer,
    at,
    'E',
    '[MSGID: 106118] [glusterd-locks.c:371:glusterd_mgmt_v3_lock_entity]',
    `Failed to acquire lock for vol ${volume} on behalf of ${requester}. `,
  );
};

export const logLockingFailed = (peer: SimPeer, at: number, on: string): void => {
  logLine(
    peer,
    at,
    'E',
    '[MSGID: 106115] [glusterd-mgmt.c:124:gd_mgmt_v3_collate_errors]',
    `Locking failed on ${on}. Please check log file for details. `,
  );
};
