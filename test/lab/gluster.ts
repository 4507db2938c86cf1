import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { labFolder } from './folder.ts';
import { checkGlusterMachine } from './packages.ts';
import { CLIENTS, glusterNet, glusterPlaces, makePeer, onPeer, PEERS } from './gluster-peer.ts';
import { until } from './processes.ts';
import { freePort } from './ports.ts';

export const VOLUME = 'home0';
export const BRICK = `/srv/brick1/${VOLUME}`;

const stateSchema = z.object({ port: z.number() });
export type GlusterState = z.infer<typeof stateSchema>;

/** Undefined when the gluster lab is not up. */
export const readGlusterState = (folder: string): GlusterState | undefined => {
  const { state } = glusterPlaces(folder);
  return existsSync(state) ? stateSchema.parse(JSON.parse(readFileSync(state, 'utf8'))) : undefined;
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
export const glusterUp = async (folder = labFolder()): Promise<string> => {
  checkGlusterMachine();
  const at = glusterPlaces(folder);
  if (readGlusterState(folder))
    throw new Error(`the gluster lab is up already (${at.siteFile}); "down" ends it`);
  mkdirSync(at.root, { recursive: true });
  try {
    for (const host of glusterNet.hosts) await makePeer(folder, host);
    await glusterNet.wire(folder);
    const port = await freePort((first) =>
      PEERS.map((peer) => ({ address: glusterNet.outer(peer), port: first })),
    );
    glusterNet.startSshd(folder, port, PEERS);
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
    await glusterNet.end(folder);
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

/** Ends everything the gluster lab started and removes its folder. */
export const glusterDown = async (folder = labFolder()): Promise<void> => {
  const { root } = glusterPlaces(folder);
  if (!existsSync(root)) return;
  await glusterNet.end(folder);
  rmSync(root, { recursive: true, force: true });
};
