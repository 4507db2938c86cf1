import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Net } from './net.ts';

/** The three storage servers. */
export const PEERS: readonly string[] = ['gl1', 'gl2', 'gl3'];

/** Hosts that mount the volume on /srv/mnt and run nothing of gluster's but that. */
export const CLIENTS: readonly string[] = ['cl1', 'cl2'];

export const glusterNet = new Net({
  name: 'gluster',
  hosts: [...PEERS, ...CLIENTS],
  inner: '10.111.0',
  outer: '127.77.1',
});

/** Names below the folder of the gluster lab. */
export const glusterPlaces = (folder: string) => {
  const at = glusterNet.places(folder);
  return {
    ...at,
    state: join(at.root, 'state.json'),
    restart: (peer: string) => join(at.home(peer), 'restart-glusterd'),
  };
};

/** Runs a command as on the peer itself; throws with its words when it fails. */
export const onPeer = (folder: string, peer: string, ...argv: string[]): string =>
  glusterNet.on(folder, peer, ...argv);

/** What `systemctl restart glusterd` does where there is a systemd: glusterd alone, its bricks stay. */
const restartScript = `#!/bin/sh
pid=$(cat /run/glusterd.pid 2>/dev/null)
[ -n "$pid" ] && kill "$pid" 2>/dev/null
turn=0
while [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null && [ "$turn" -lt 100 ]; do sleep 0.1; turn=$((turn + 1)); done
exec glusterd -p /run/glusterd.pid
`;

/** Makes a host with an empty disk, and private folders in the places that glusterd has built in. */
export const makePeer = async (folder: string, peer: string): Promise<void> => {
  const at = glusterPlaces(folder);
  const home = at.home(peer);
  for (const name of ['run/sshd', 'run/gluster', 'log']) mkdirSync(join(home, name), { recursive: true });
  if (!existsSync(join(home, 'lib'))) cpSync('/var/lib/glusterd', join(home, 'lib'), { recursive: true });
  // A machine on which glusterd ran once has an identity: the peers must each find their own.
  for (const own of ['glusterd.info', 'peers', 'vols'])
    rmSync(join(home, 'lib', own), { recursive: true, force: true });
  writeFileSync(at.restart(peer), restartScript, { mode: 0o755 });
  await glusterNet.make(
    folder,
    peer,
    `mount --bind ${home}/run /run
mount --bind ${home}/lib /var/lib/glusterd
mount --bind ${home}/log /var/log/glusterfs
mount -t tmpfs lab /srv
mkdir /srv/brick1 /srv/mnt
mount -t tmpfs lab /srv/brick1`,
  );
};

/** The wire of a peer, plugged or not. */
export const setWire = (folder: string, peer: string, up: boolean): void => {
  onPeer(folder, peer, 'ip', 'link', 'set', 'eth0', up ? 'up' : 'down');
};
