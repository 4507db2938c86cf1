import * as z from 'zod';
import { settingsReader } from '../../src/kit/settings.ts';
import type { SiteView } from '../../src/model/site.ts';
import { shellCommand } from '../../src/text/shell.ts';

/** The site file's section `nfs`. */
export const nfsSettings = z.strictObject({
  sudo: z
    .boolean()
    .default(false)
    .describe(
      "`sudo -n` in front of what is asked of a server, and of actions: most of /proc/fs/nfsd is root's",
    ),
  restartStatd: z
    .array(z.string().min(1))
    .min(1)
    .default(['systemctl', 'restart', 'rpc-statd'])
    .describe('restarts rpc.statd; on EL6 [service, nfslock, restart]'),
  restartRpcbind: z
    .array(z.string().min(1))
    .min(1)
    .default(['systemctl', 'restart', 'rpcbind'])
    .describe('restarts rpcbind, which then knows no service'),
  restartMountd: z
    .array(z.string().min(1))
    .min(1)
    .default(['systemctl', 'restart', 'nfs-mountd'])
    .describe('restarts rpc.mountd of a server, by which it registers again'),
});

export const settingsOf = settingsReader('nfs', nfsSettings, (section) => section);

/** An argv as it must be on this site to run as root. */
export const argvAsRoot = (site: SiteView, ...argv: readonly string[]): string[] =>
  settingsOf(site).sudo ? ['sudo', '-n', ...argv] : [...argv];

/** A script as one command; its name is the shell's `$0`. */
export const scriptCommand = (site: SiteView, script: string, name: string, ...args: string[]): string =>
  shellCommand(argvAsRoot(site, 'sh', '-c', script, name, ...args));

export const CLIENT = 'nfs-client';
export const SERVER = 'nfs-server';
/** Where users list directories. */
export const LOGIN = 'login';
