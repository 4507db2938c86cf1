import type { SimulatedAnswer } from '../../../src/model/simulator.ts';
import type { SimBrick, SimState, SimVolume } from './state.ts';

const stampOf = (at: number): string => new Date(at).toISOString().replace('T', ' ').replace('Z', '');

/** A client's connection as 3.12 names it. */
const connection = (host: string, pid: number, volume: string, index: number): string =>
  `${host}-${pid}-2026/11/20-09:12:44:881203-${volume}-client-${index}-0-0`;

/** A brick's dump with the sections that are read. A lock that is held stands in the dump of every brick, one that waits in one only. */
export const dumpBrick = (state: SimState, volume: SimVolume, brick: SimBrick, now: number): void => {
  const index = volume.bricks.indexOf(brick);
  const byPath = Map.groupBy(volume.fileLocks, ({ path }) => path);
  const inodes = [...byPath].map(([path, locks], inode) => {
    const lines = locks
      .filter(({ waits, copy }) => !waits || index === copy)
      .map(
        ({ host, pid, waits, since }, at) =>
          `posixlk.posixlk[${at}](${waits ? 'BLOCKED' : 'ACTIVE'})=type=WRITE, whence=0, start=0, len=0, pid = ${pid + 3}, owner=7a2${at}, client=0x7f2c${at}, connection-id=${connection(host, pid, volume.name, index)}, ${waits ? 'blocked' : 'granted'} at ${stampOf(since)}\n`,
      );
    return `[conn.0.bound_xl.${brick.path}.active.${inode + 1}]\ngfid=0b5cd1f0-0000-4000-8000-00000000000${inode}\nnlookup=1\n\n[xlator.features.locks.${volume.name}-locks.inode]\npath=${path}\nmandatory=0\nposixlk-count=${lines.length}\n${lines.join('')}\n`;
  });
  const clients = [...state.clients].map(
    ([host, pid], at) =>
      `conn.${at + 1}.id=${connection(host, pid, volume.name, index)}\nconn.${at + 1}.ref=1\n`,
  );
  const file = `${brick.path.slice(1).replaceAll('/', '-')}.${brick.pid}.dump.${Math.floor(now / 1000)}`;
  const at = stampOf(now);
  state.peers
    .get(brick.peer)
    ?.dumps.set(
      file,
      `DUMP-START-TIME: ${at}\n[mallinfo]\nmallinfo_arena=8757248\n\n${inodes.join('')}${clients.join('')}DUMP-END-TIME: ${at}\n`,
    );
};

const kinds = new Set(['blocked', 'granted', 'all']);

/** `clear-locks VOLUME PATH kind KIND TYPE`: what a held lock leaves free goes to the first that waits. */
export const clearLocks = (volume: SimVolume, words: readonly string[]): SimulatedAnswer => {
  const [path = '', word, kind = '', type] = words;
  if (word !== 'kind' || !kinds.has(kind) || type === undefined)
    return {
      stderr:
        'Usage:\nvolume clear-locks <VOLNAME> <path> kind {blocked|granted|all}{inode [range]|entry [basename]|posix [range]}\n',
      exitCode: 1,
    };
  const hit = volume.fileLocks.filter(
    (lock) =>
      type === 'posix' && lock.path === path && (kind === 'all' || lock.waits === (kind === 'blocked')),
  );
  const lines = volume.bricks.map(({ peer, path: place }, index) => {
    const waiting = hit.filter(({ waits, copy }) => waits && copy === index).length;
    const held = hit.filter(({ waits }) => !waits).length;
    return waiting + held === 0
      ? 'No locks cleared.\n'
      : `${peer}:${place}/: posix blocked locks=${waiting} granted locks=${held}\n`;
  });
  // Told no by one copy a client waits at the next, and gets an error after the last.
  for (const lock of hit) lock.copy += 1;
  volume.fileLocks = volume.fileLocks.filter(
    (lock) => !hit.includes(lock) || (lock.waits && lock.copy < volume.bricks.length),
  );
  const next = volume.fileLocks.find((lock) => lock.path === path);
  if (next && !volume.fileLocks.some((lock) => lock.path === path && !lock.waits)) next.waits = false;
  return { stdout: `Volume clear-locks successful\n${lines.join('')}` };
};

/** `getent ahosts` and `ss` of one peer: each client is connected to every brick. */
export const addressOf = (state: SimState, host: string): string | undefined =>
  state.peers.get(host)?.address ?? /^node(\d+)$/.exec(host)?.[1]?.replace(/^/, '10.10.0.');

export const connections = (state: SimState, peer: string): string =>
  [...state.volumes.values()]
    .flatMap(({ bricks }) => bricks.filter((brick) => brick.peer === peer && brick.up))
    .flatMap(({ pid }) =>
      [...state.peers.keys(), ...state.connected].map(
        (host, at) =>
          `0      0      ${addressOf(state, peer)}:49152 ${addressOf(state, host)}:${49_100 - at} users:(("glusterfsd",pid=${pid},fd=${20 + at}))\n`,
      ),
    )
    .join('');
