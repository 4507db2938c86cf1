import { NotThisFormat } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { type FileLock, fileLocks, type PlacedLock } from './parse-file-locks.ts';

/** A volume, snapshot or global lock of glusterd; the owner is a peer's UUID. */
export interface ManagementLock {
  name: string;
  type: string;
  owner: string;
}

export interface DumpPeer {
  uuid: string;
  host: string;
  connected: boolean;
  /** The old (before 3.6) lock's flag. */
  locked?: boolean;
}

export interface Statedump {
  kind: 'glusterd' | 'brick';
  myUuid?: string;
  locks: ManagementLock[];
  peers?: DumpPeer[];
  fileLocks?: FileLock[];
}

/**
 * Reads a statedump of glusterd (3.7 and later: who holds which volume lock) or of a brick (locks on files). A lock's key
 * is `<name>_<type>` and the name may itself end in `_vol`: the last underscore divides.
 */
export const parseStatedump = (input: ParseInput): Statedump => {
  const lines = input.stdout.split(/\r?\n/);
  if (!lines.some((line) => /^DUMP-START-TIME|^\[mallinfo\]|^\[global|^glusterd\./.test(line))) {
    throw new NotThisFormat('no section of a statedump');
  }
  const glusterd = lines.some((line) => line.startsWith('glusterd.my-uuid='));
  return glusterd
    ? glusterdDump(lines)
    : { kind: 'brick', locks: [], fileLocks: fileLocks(lines).map(withoutPlace) };
};

const heldLine = /^\s+(\S+)_([A-Za-z]+):([0-9a-fA-F-]{36})\s*$/;

/** Lines among glusterd's locks that are neither a lock nor the backtrace of one: a lock may be in them that nobody sees. */
export const oddLockLines = (text: string): number =>
  (/^glusterd\.mgmt_v3_lock=(.*(?:\n\s.*)*)/m.exec(text)?.[1] ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !heldLine.test(line) && !line.includes('debug.last-success-bt'))
    .length;

const withoutPlace = ({ type: _type, volume: _volume, ...lock }: PlacedLock): FileLock => lock;

const glusterdDump = (lines: readonly string[]): Statedump => {
  const locks: ManagementLock[] = [];
  const peers = new Map<string, Record<string, string>>();
  let myUuid: string | undefined;
  let inLocks = false;
  for (const line of lines) {
    // Between the locks stand backtraces (`debug.last-success-bt-home0-vol:(-->...`), in most releases before each.
    if (!inLocks || !/^\s/.test(line)) inLocks = line.startsWith('glusterd.mgmt_v3_lock=');
    const lock = inLocks ? heldLine.exec(line) : null;
    if (lock) locks.push({ name: lock[1] ?? '', type: lock[2] ?? '', owner: lock[3] ?? '' });
    const peer = /^glusterd\.(peer\d+)\.([\w.-]+)=(.*?)\s*$/.exec(line);
    if (peer) peers.set(peer[1] ?? '', { ...peers.get(peer[1] ?? ''), [peer[2] ?? '']: peer[3] ?? '' });
    if (line.startsWith('glusterd.my-uuid=')) myUuid = line.slice('glusterd.my-uuid='.length).trim();
  }
  return {
    kind: 'glusterd',
    ...(myUuid !== undefined && { myUuid }),
    locks,
    peers: [...peers.values()].map((peer) => ({
      uuid: peer.uuid ?? '',
      host: peer.hostname ?? '',
      connected: peer['rpc.connected'] === '1',
      ...(peer.locked !== undefined && { locked: peer.locked !== '0' }),
    })),
  };
};
