import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { labFolder } from './folder.ts';
import { checkGlusterMachine } from './packages.ts';
import {
  CLIENTS,
  endPeer,
  glusterPlaces,
  MACHINES,
  makePeer,
  onPeer,
  peerPid,
  PEERS,
  wire,
} from './gluster-peer.ts';
import { run, signal, until } from './processes.ts';

/** Outside addresses of the peers' sshd, apart from those of the Slurm lab. */
const outer = (peer: string): string => `127.77.1.${PEERS.indexOf(peer) + 11}`;

export const VOLUME = 'home0';
export const BRICK = `/srv/brick1/${VOLUME}`;

const stateSchema = z.object({ port: z.number() });
export type GlusterState = z.infer<typeof stateSchema>;

/** Undefined when the gluster lab is not up. */
export const readGlusterState = (folder: string): GlusterState | undefined => {
  const { state } = glusterPlaces(folder);
  return existsSync(state) ? stateSchema.parse(JSON.parse(readFileSync(state, 'utf8'))) : undefined;
};

const newKey = (path: string, comment: string): string => {
  run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', comment, '-f', path]);
  return readFileSync(`${path}.pub`, 'utf8').split(' ').slice(0, 2).join(' ');
};

/** Keys, ssh_config, known_hosts and an sshd for each peer, which listens on this machine's loopback. */
const startSshd = (folder: string, port: number): void => {
  const at = glusterPlaces(folder);
  newKey(at.clientKey, 'lab');
  const known = PEERS.map((peer) => {
    const home = at.peer(peer);
    const key = newKey(join(home, 'hostkey'), peer);
    writeFileSync(
      join(home, 'sshd.conf'),
      `Port ${port}
ListenAddress ${outer(peer)}
HostKey ${home}/hostkey
PidFile ${home}/run/sshd.pid
AuthorizedKeysFile ${at.clientKey}.pub
UsePAM no
PasswordAuthentication no
PermitRootLogin yes
StrictModes no
UseDNS no
PrintMotd no
MaxStartups 50
MaxSessions 20
ForceCommand ${at.enter(peer)}
`,
    );
    // Without -n: it listens outside, and sees the peer's files and processes.
    const pid = String(peerPid(folder, peer));
    run('nsenter', ['-t', pid, '-m', '-u', '-p', '--', '/usr/sbin/sshd', '-f', join(home, 'sshd.conf')]);
    return `[${outer(peer)}]:${port} ${key}\n`;
  });
  writeFileSync(at.knownHosts, known.join(''));
  const blocks = PEERS.map((peer) => `Host ${peer}\n  HostName ${outer(peer)}\n`);
  writeFileSync(
    at.sshConfig,
    `${blocks.join('')}Host *
  Port ${port}
  User root
  IdentityFile ${at.clientKey}
  IdentitiesOnly yes
  IdentityAgent none
  UserKnownHostsFile ${at.knownHosts}
  GlobalKnownHostsFile /dev/null
  StrictHostKeyChecking yes
  BatchMode yes
`,
    { mode: 0o600 },
  );
};

const siteText = (
  folder: string,
): string => `# The gluster lab: three real glusterd and their sshd on this machine.
site: gluster-lab
sshConfig: ${glusterPlaces(folder).sshConfig}
hosts:
  - {names: "gl[1-3]", roles: [gluster]}
gluster:
  restart: {command: [sh, -c, 'exec ${join(folder, 'gluster')}/"$(hostname)"/restart-glusterd'], keepsBricks: true}
`;

export const hasFuse = (): boolean => existsSync('/dev/fuse');

/** Where the machine has FUSE. */
const mount = (folder: string, client: string): void =>
  void onPeer(folder, client, 'mount', '-t', 'glusterfs', `gl1:/${VOLUME}`, '/srv/mnt');

/** The volume answers and all bricks and self-heal daemons run. */
const allOnline = (folder: string): boolean => {
  try {
    const text = onPeer(folder, 'gl1', 'gluster', 'volume', 'status', VOLUME);
    return (text.match(/ Y +\d+/g) ?? []).length === 2 * PEERS.length;
  } catch {
    return false;
  }
};

/** A peer sees all others. */
export const connected = (folder: string, peer: string): boolean => {
  try {
    return (
      (onPeer(folder, peer, 'gluster', 'pool', 'list').match(/\bConnected\b/g) ?? []).length === PEERS.length
    );
  } catch {
    return false;
  }
};

/** Starts three peers with a replica-3 volume; gives the site file. The first start of a glusterd takes some 12 s. */
export const glusterUp = async (
  folder = labFolder(),
  port = 22_000 + Math.floor(Math.random() * 9000),
): Promise<string> => {
  checkGlusterMachine();
  const at = glusterPlaces(folder);
  if (readGlusterState(folder))
    throw new Error(`the gluster lab is up already (${at.siteFile}); "down" ends it`);
  mkdirSync(at.root, { recursive: true });
  try {
    for (const machine of MACHINES) await makePeer(folder, machine);
    await wire(folder);
    startSshd(folder, port);
    for (const peer of PEERS) onPeer(folder, peer, 'glusterd', '-p', '/run/glusterd.pid');
    for (const peer of PEERS) await until(`glusterd of ${peer}`, () => answers(folder, peer), 90_000);
    for (const peer of PEERS.slice(1)) onPeer(folder, 'gl1', 'gluster', 'peer', 'probe', peer);
    for (const peer of PEERS) await until(`${peer} sees all`, () => connected(folder, peer), 60_000);
    const bricks = PEERS.map((peer) => `${peer}:${BRICK}`);
    onPeer(folder, 'gl1', 'gluster', '--mode=script', 'volume', 'create', VOLUME, 'replica', '3', ...bricks);
    onPeer(folder, 'gl1', 'gluster', 'volume', 'start', VOLUME);
    await until('all bricks online', () => allOnline(folder), 60_000);
    if (hasFuse()) for (const client of CLIENTS) mount(folder, client);
    writeFileSync(at.siteFile, siteText(folder), { mode: 0o600 });
    writeFileSync(at.state, JSON.stringify({ port } satisfies GlusterState));
  } catch (error) {
    await endAll(folder);
    throw new Error(`the gluster lab did not start (logs are below ${at.root})`, { cause: error });
  }
  return at.siteFile;
};

const answers = (folder: string, peer: string): boolean => {
  try {
    onPeer(folder, peer, 'timeout', '5', 'gluster', 'pool', 'list');
    return true;
  } catch {
    return false;
  }
};

const endAll = async (folder: string): Promise<void> => {
  const at = glusterPlaces(folder);
  for (const machine of MACHINES) await endPeer(folder, machine);
  if (existsSync(at.hub)) signal(Number(readFileSync(at.hub, 'utf8')), 'SIGKILL');
};

/** Ends everything the gluster lab started and removes its folder. */
export const glusterDown = async (folder = labFolder()): Promise<void> => {
  const { root } = glusterPlaces(folder);
  if (!existsSync(root)) return;
  await endAll(folder);
  rmSync(root, { recursive: true, force: true });
};
