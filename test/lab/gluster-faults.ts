import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLIENTS, glusterNet, glusterPlaces, onPeer, setWire } from './gluster-peer.ts';
import { BRICK, VOLUME } from './gluster.ts';

const pidOf = (folder: string, peer: string): string =>
  onPeer(folder, peer, 'cat', '/run/glusterd.pid').trim();

/** SIGSTOP: it stays "Connected" and answers nothing. */
export const freezeGlusterd = (folder: string, peer: string): void =>
  void onPeer(folder, peer, 'kill', '-STOP', pidOf(folder, peer));

export const thawGlusterd = (folder: string, peer: string): void =>
  void onPeer(folder, peer, 'kill', '-CONT', pidOf(folder, peer));

export const stopGlusterd = (folder: string, peer: string): void =>
  void onPeer(folder, peer, 'kill', pidOf(folder, peer));

export const restartGlusterd = (folder: string, peer: string): void =>
  void onPeer(folder, peer, glusterPlaces(folder).restart(peer));

/** A `volume set` whose end nobody waits for: it takes the volume's lock on all peers. */
export const setOption = (folder: string, peer: string, level = 'INFO'): void =>
  glusterNet.behind(
    folder,
    peer,
    'gluster',
    '--mode=script',
    'volume',
    'set',
    VOLUME,
    'diagnostics.client-log-level',
    level,
  );

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** R1: a live transaction of gl1 holds the lock and waits for the stopped glusterd of gl3. */
export const waitingForPeer = async (folder: string, level?: string): Promise<void> => {
  freezeGlusterd(folder, 'gl3');
  setOption(folder, 'gl1', level);
  await pause(1500);
};

/** Volume locks in glusterd's own dump, read past our probes. Only for a glusterd that is well over its start. */
export const locksIn = (folder: string, peer: string): string[] => {
  const script = `dumps=/run/gluster/glusterdump.$1.dump.*
rm -f $dumps; kill -USR1 "$1"; sleep 1; grep -aE '^[[:space:]].*_vol:' $dumps; rm -f $dumps; true`;
  return onPeer(folder, peer, 'sh', '-c', script, 'locks', pidOf(folder, peer))
    .split('\n')
    .filter((line) => line.trim() !== '');
};

/**
 * R3: gl3 carries out a lock request of a connection that is gone: locked for gl1, and nothing runs. Whether gl3 sees the
 * request or the end of the connection first is up to its threads: tried until it is so (three times of four).
 */
export const orphanLock = async (folder: string): Promise<void> => {
  for (let tries = 0; tries < 10; tries++) {
    freezeGlusterd(folder, 'gl3');
    setOption(folder, 'gl1');
    await pause(2000);
    restartGlusterd(folder, 'gl1');
    thawGlusterd(folder, 'gl3');
    await pause(1500);
    if (locksIn(folder, 'gl3').length > 0) return;
  }
  throw new Error('no lock was orphaned in ten tries');
};

const hookOf = (folder: string): string =>
  join(glusterPlaces(folder).home('gl2'), 'lib/hooks/1/set/pre/S10slow.sh');

/** R4: a hook on gl2 sleeps in the middle of a `volume set` of gl1. */
export const slowHook = (folder: string, seconds = 15): void => {
  writeFileSync(hookOf(folder), `#!/bin/sh\nsleep ${seconds}\n`, { mode: 0o755 });
  setOption(folder, 'gl1');
};

export const noHook = (folder: string): void => rmSync(hookOf(folder), { force: true });

/**
 * R2: the lock of before 3.6. Glusterd is stopped everywhere, told the op-version of 3.5, and started. That rewrites the volume's
 * description, and peers whose copies differ reject each other: so all get one copy, and are started once more.
 */
export const oldOpVersion = async (folder: string, peers: readonly string[]): Promise<void> => {
  const [first = ''] = peers;
  const own = (peer: string, file: string): string => join(glusterPlaces(folder).home(peer), 'lib', file);
  for (let round = 0; round < 2; round++) {
    const pids = peers.map((peer) => ({ peer, pid: pidOf(folder, peer) }));
    for (const peer of peers) stopGlusterd(folder, peer);
    for (const { peer, pid } of pids)
      onPeer(folder, peer, 'sh', '-c', 'while kill -0 "$1"; do sleep 0.1; done', 'gone', pid);
    for (const peer of peers) {
      const file = own(peer, 'glusterd.info');
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, text.replace(/operating-version=\d+/, 'operating-version=30501'));
      for (const name of ['info', 'cksum'])
        if (peer !== first)
          copyFileSync(own(first, `vols/${VOLUME}/${name}`), own(peer, `vols/${VOLUME}/${name}`));
    }
    for (const peer of peers) restartGlusterd(folder, peer);
    await pause(3000);
  }
};

/** The brick's process is gone; \`volume start force\` brings it back. */
export const killBrick = (folder: string, peer: string): void => {
  const file = `/run/gluster/vols/${VOLUME}/${peer}-${BRICK.slice(1).replaceAll('/', '-')}.pid`;
  onPeer(folder, peer, 'kill', '-KILL', onPeer(folder, peer, 'cat', file).trim());
};

export const disconnect = (folder: string, peer: string): void => setWire(folder, peer, false);
export const reconnect = (folder: string, peer: string): void => setWire(folder, peer, true);

/** One client holds a lock on a file and the other waits for it, until their mounts or five minutes end. */
export const lockFile = async (folder: string): Promise<void> => {
  for (const client of CLIENTS) {
    glusterNet.behind(folder, client, 'flock', '/srv/mnt/run.lock', 'sleep', '300');
    await pause(1500);
  }
};

/** Its mount process is gone, and with it all its connections. */
export const killClient = (folder: string, client: string): void =>
  void onPeer(folder, client, 'pkill', '-KILL', '-x', 'glusterfs');
