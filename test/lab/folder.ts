import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';

/** The machines the lab plays: one controller, eight compute nodes, one admin host with the shared folder. */
export const NODES: readonly string[] = Array.from({ length: 8 }, (_, index) => `node${index + 1}`);
export const CONTROLLER = 'ctl1';
export const ADMIN = 'admin1';
export const HOSTS: readonly string[] = [CONTROLLER, ADMIN, ...NODES];

/** A unix socket's path may have 107 characters, and the longest name in the folder needs some of them. */
const LONGEST = 80;

/** Where everything of the lab is: `$FAULTLINE_LAB`, else `.lab` in the repository. */
export const labFolder = (env: NodeJS.ProcessEnv = process.env): string => {
  const folder = resolve(env['FAULTLINE_LAB'] ?? join(import.meta.dirname, '../../.lab'));
  if (folder.length > LONGEST) {
    throw new Error(
      `${folder} is too long for the path of a unix socket; set FAULTLINE_LAB to a shorter one`,
    );
  }
  if (/[\s"'\\]/.test(folder)) {
    throw new Error(`${folder} holds blanks or quotes; set FAULTLINE_LAB to a plain path`);
  }
  return folder;
};

/** Names below the lab's folder. */
export const places = (folder: string) => ({
  state: join(folder, 'lab.json'),
  slurmConf: join(folder, 'slurm.conf'),
  siteFile: join(folder, 'site.yaml'),
  sshConfig: join(folder, 'ssh_config'),
  knownHosts: join(folder, 'known_hosts'),
  clientKey: join(folder, 'id_ed25519'),
  shared: join(folder, 'shared'),
  run: join(folder, 'run'),
  log: join(folder, 'log'),
  keys: join(folder, 'keys'),
  spool: join(folder, 'spool'),
  check: join(folder, 'nhc'),
  /** What the health check looks at on a node: the mount that gets lost. */
  mount: (node: string) => join(folder, 'mounts', node, 'hdfs'),
  /** How the health check behaves on a node: absent, `hang` or `flood`. */
  checkMode: (node: string) => join(folder, 'mounts', node, 'mode'),
  hostKey: (host: string) => join(folder, 'keys', host),
  sshdConfig: (host: string) => join(folder, 'keys', `${host}.conf`),
  pid: (name: string) => join(folder, 'run', `${name}.pid`),
});

const stateSchema = z.object({
  port: z.number(),
  nodeHostname: z.string(),
  /** Its ClusterName and SlurmctldHost. */
  cluster: z.string(),
  controller: z.string(),
});

/** What `up` chose and the helpers need: the first port of the lab's block. */
export type LabState = z.infer<typeof stateSchema>;

/** Undefined when the lab is not up. */
export const readState = (folder: string): LabState | undefined => {
  const { state } = places(folder);
  if (!existsSync(state)) return undefined;
  return stateSchema.parse(JSON.parse(readFileSync(state, 'utf8')));
};

/** Each host has an address of its own on the loopback. */
export const addressOf = (host: string): string => `127.77.0.${HOSTS.indexOf(host) + 11}`;

/** sshd refuses keys in folders that others may write to, the repository's included: the lab uses `StrictModes no`. */
export const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();
