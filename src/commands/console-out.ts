import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folderName, readMountinfo, statePlace } from '../collect/history-place.ts';
import type { Site } from '../model/site.ts';
import { userFile } from '../site/find.ts';
import { saveFilter } from '../site/save-filter.ts';
import type { Io } from './io.ts';

/** The operator's own OpenSSH to a host, or his shell where the host is this machine. */
export const shellArgv = (
  site: Pick<Site, 'sshConfig' | 'transports'>,
  host: string,
  env: Io['env'],
): readonly string[] => {
  if (site.transports[host] === 'local') return [env['SHELL'] ?? '/bin/sh'];
  return ['ssh', ...(site.sshConfig === undefined ? [] : ['-F', site.sshConfig]), '-t', '--', host];
};

/** Runs it on the operator's terminal; resolves when it has ended. Rejects when it cannot be started. */
export const runShell = async (argv: readonly string[]): Promise<void> => {
  // Node goes on reading the terminal into its buffer after the last listener left, and would take every other key from the
  // child; only a stream that was flowing stops its handle when it is paused, and it knows a turn later that nobody listens.
  await new Promise((resolve) => setImmediate(resolve));
  process.stdin.resume();
  process.stdin.pause();
  const [command = 'ssh', ...rest] = argv;
  const child = spawn(command, rest, { stdio: 'inherit' });
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', () => resolve());
  });
};

/** Writes a ticket's text into the site's state folder, for the operator alone; gives the file. Rejects with the reason. */
export const writeTicket = async (
  env: Io['env'],
  site: string,
  name: string,
  text: string,
  now: number,
): Promise<string> => {
  const place = await statePlace({
    env,
    uid: process.getuid?.() ?? 0,
    name: site,
    mountinfo: await readMountinfo(),
  });
  if (place.folder === undefined) throw new Error(place.badge);
  const folder = join(place.folder, 'tickets');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stamp = new Date(now)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');
  const file = join(folder, `${stamp}-${folderName(name).slice(0, 60)}.md`);
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  return file;
};

/** Writes a filter into the operator's own settings; gives the file. Rejects with the reason and what to write by hand. */
export const writeFilter = async (env: Io['env'], name: string, filter: string): Promise<string> => {
  const file = userFile(env, 'config.yaml');
  if (file === undefined) throw new Error('there is no place for settings: HOME is not set');
  await saveFilter(file, name, filter);
  return file;
};
