import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync, cpSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { run, signal, stateOf, until } from './processes.ts';

/** The three storage servers, each a set of namespaces on this machine. */
export const PEERS: readonly string[] = ['gl1', 'gl2', 'gl3'];

/** Hosts that mount the volume on /srv/mnt and run nothing of gluster's but that. */
export const CLIENTS: readonly string[] = ['cl1', 'cl2'];

/** All of them: each is a set of namespaces of its own. */
export const MACHINES: readonly string[] = [...PEERS, ...CLIENTS];

/** Their addresses on a bridge that only they see. */
const inner = (peer: string): string => `10.111.0.${MACHINES.indexOf(peer) + 11}`;

/** Names below the folder of the gluster lab. */
export const glusterPlaces = (folder: string) => ({
  root: join(folder, 'gluster'),
  state: join(folder, 'gluster', 'state.json'),
  siteFile: join(folder, 'gluster', 'site.yaml'),
  sshConfig: join(folder, 'gluster', 'ssh_config'),
  knownHosts: join(folder, 'gluster', 'known_hosts'),
  clientKey: join(folder, 'gluster', 'id_ed25519'),
  hub: join(folder, 'gluster', 'hub.pid'),
  peer: (peer: string) => join(folder, 'gluster', peer),
  pid: (peer: string) => join(folder, 'gluster', peer, 'init.pid'),
  enter: (peer: string) => join(folder, 'gluster', peer, 'enter'),
  restart: (peer: string) => join(folder, 'gluster', peer, 'restart-glusterd'),
});

/** The first process of a peer, whose namespaces are the peer. */
export const peerPid = (folder: string, peer: string): number => {
  const pid = Number(readFileSync(glusterPlaces(folder).pid(peer), 'utf8'));
  if (!(pid > 1) || stateOf(pid) === undefined) throw new Error(`${peer} does not run`);
  return pid;
};

/** Runs a command as on the peer itself; throws with its words when it fails. */
export const onPeer = (folder: string, peer: string, ...argv: string[]): string =>
  run('nsenter', ['-t', String(peerPid(folder, peer)), '-m', '-u', '-n', '-p', '--', ...argv]);

/** The same, of which nobody waits for the end. */
export const behindOnPeer = (folder: string, peer: string, ...argv: string[]): void => {
  const log = openSync(join(glusterPlaces(folder).peer(peer), 'behind.log'), 'a');
  const pid = String(peerPid(folder, peer));
  spawn('nsenter', ['-t', pid, '-m', '-u', '-n', '-p', '--', ...argv], {
    detached: true,
    stdio: ['ignore', log, log],
  }).unref();
};

/** What the first process of a peer does: private folders in the places that glusterd has built in, then reap for ever. */
const initScript = (home: string, peer: string): string => `set -e
hostname ${peer}
mount --bind ${home}/run /run
mount --bind ${home}/lib /var/lib/glusterd
mount --bind ${home}/log /var/log/glusterfs
mount --bind ${home}/hosts /etc/hosts
mount -t tmpfs lab /srv
mkdir /srv/brick1 /srv/mnt
mount -t tmpfs lab /srv/brick1
mount --bind /proc/self/ns/net ${home}/net
ip link set lo up
: > ${home}/ready
set +e
while :; do sleep 3600 & wait $!; done
`;

/** Sessions of the peer's sshd, which listens outside its network, go on inside. */
const enterScript = (home: string): string => `#!/bin/sh
exec nsenter --net=${home}/net -- sh -c "\${SSH_ORIGINAL_COMMAND:-exec sh}"
`;

/** What \`systemctl restart glusterd\` does where there is a systemd: glusterd alone, its bricks stay. */
const restartScript = `#!/bin/sh
pid=$(cat /run/glusterd.pid 2>/dev/null)
[ -n "$pid" ] && kill "$pid" 2>/dev/null
turn=0
while [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null && [ "$turn" -lt 100 ]; do sleep 0.1; turn=$((turn + 1)); done
exec glusterd -p /run/glusterd.pid
`;

const childOf = (pid: number): number | undefined => {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0];
  return text === undefined || text === '' ? undefined : Number(text);
};

const executable = { mode: 0o755 };

/** Makes the namespaces of one peer with an empty disk. */
export const makePeer = async (folder: string, peer: string): Promise<void> => {
  const at = glusterPlaces(folder);
  const home = at.peer(peer);
  for (const name of ['run/sshd', 'run/gluster', 'log']) mkdirSync(join(home, name), { recursive: true });
  if (!existsSync(join(home, 'lib'))) cpSync('/var/lib/glusterd', join(home, 'lib'), { recursive: true });
  // A machine on which glusterd ran once has an identity: the peers must each find their own.
  for (const own of ['glusterd.info', 'peers', 'vols'])
    rmSync(join(home, 'lib', own), { recursive: true, force: true });
  writeFileSync(
    join(home, 'hosts'),
    `127.0.0.1 localhost\n${MACHINES.map((one) => `${inner(one)} ${one}\n`).join('')}`,
  );
  writeFileSync(join(home, 'net'), '');
  writeFileSync(at.enter(peer), enterScript(home), executable);
  writeFileSync(at.restart(peer), restartScript, executable);
  writeFileSync(join(home, 'init.sh'), initScript(home, peer));
  const log = openSync(join(home, 'init.log'), 'a');
  const flags = ['-n', '-m', '-u', '-p', '-f', '--mount-proc', '--kill-child', '--propagation', 'private'];
  const parent = spawn('unshare', [...flags, 'sh', join(home, 'init.sh')], {
    detached: true,
    stdio: ['ignore', log, log],
  });
  parent.unref();
  await until(`namespaces of ${peer}`, () => existsSync(join(home, 'ready')), 20_000);
  const pid = childOf(parent.pid ?? 0);
  if (pid === undefined) throw new Error(`${peer} has no first process`);
  writeFileSync(at.pid(peer), String(pid));
};

/** A bridge in a network of its own, one wire to each peer: addresses that no other lab sees. */
export const wire = async (folder: string): Promise<void> => {
  const at = glusterPlaces(folder);
  const hub = spawn('unshare', ['-n', 'sleep', 'infinity'], { detached: true, stdio: 'ignore' });
  hub.unref();
  const pid = String(hub.pid);
  writeFileSync(at.hub, pid);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const inHub = (...argv: string[]): string => run('nsenter', ['-t', pid, '-n', '--', 'ip', ...argv]);
  inHub('link', 'add', 'hub', 'type', 'bridge');
  inHub('link', 'set', 'hub', 'up');
  for (const peer of MACHINES) {
    inHub(
      'link',
      'add',
      `to-${peer}`,
      'type',
      'veth',
      'peer',
      'name',
      'eth0',
      'netns',
      String(peerPid(folder, peer)),
    );
    inHub('link', 'set', `to-${peer}`, 'master', 'hub', 'up');
    onPeer(folder, peer, 'ip', 'addr', 'add', `${inner(peer)}/24`, 'dev', 'eth0');
    onPeer(folder, peer, 'ip', 'link', 'set', 'eth0', 'up');
  }
};

/** The wire of a peer, plugged or not. */
export const setWire = (folder: string, peer: string, up: boolean): void => {
  onPeer(folder, peer, 'ip', 'link', 'set', 'eth0', up ? 'up' : 'down');
};

/** Everything in the peer's namespaces ends with its first process. */
export const endPeer = async (folder: string, peer: string): Promise<void> => {
  const at = glusterPlaces(folder);
  if (!existsSync(at.pid(peer))) return;
  const pid = Number(readFileSync(at.pid(peer), 'utf8'));
  if (pid > 1) signal(pid, 'SIGKILL');
  await until(`end of ${peer}`, () => stateOf(pid) === undefined, 10_000);
};
