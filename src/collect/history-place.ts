import { constants } from 'node:fs';
import { access, lstat, mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** File systems that hang when a server does: faults that this console must survive. */
const remote =
  /^(?:nfs\d?|lustre|glusterfs|fuse(?:blk|ctl)?|fuse\..*|autofs|afs|cifs|smb\d?|smbfs|ceph|beegfs|gpfs)$/;

/** Anything under `$HOME` may hang; it is given up on after this long, in ms. */
const DEADLINE = 2000;

/** Where state goes, and what the strip says about it. */
export type StatePlace = { folder: string; badge?: string } | { folder: undefined; badge: string };

export interface PlaceSetup {
  env: Readonly<Record<string, string | undefined>>;
  uid: number;
  /** Folder below `faultline/`: the site's name. */
  name: string;
  /** Contents of /proc/self/mountinfo; empty where there is none. */
  mountinfo: string;
  /** The folder used when the home can't be; for tests. */
  fallback?: string;
}

/** A site's name as one folder name: nothing in it leads elsewhere. */
export const folderName = (name: string): string =>
  name.replace(/[^A-Za-z0-9._-]/g, '_').replace(/^\.+/, '_') || 'site';

/** The type of the file system that holds a path, from mountinfo alone: touching the path could hang. */
export const fileSystemOf = (path: string, mountinfo: string): string | undefined => {
  let found: { point: string; type: string } | undefined;
  for (const line of mountinfo.split('\n')) {
    const fields = line.split(' ');
    const point = fields[4]?.replace(/\\(\d{3})/g, (_, code: string) =>
      String.fromCharCode(parseInt(code, 8)),
    );
    const type = fields[fields.indexOf('-') + 1];
    if (point === undefined || type === undefined) continue;
    const holds = path === point || path.startsWith(point === '/' ? '/' : `${point}/`);
    // A later line of the same point is mounted over the earlier one.
    if (holds && point.length >= (found?.point.length ?? 0)) found = { point, type };
  }
  return found?.type;
};

/**
 * Picks and makes the state folder: `$XDG_STATE_HOME/faultline/<site>` unless that lies on a network file system or does not
 * answer in 2 s, then `/var/tmp/faultline-$UID/<site>` when that is really ours. Never rejects.
 */
export const statePlace = async (setup: PlaceSetup): Promise<StatePlace> => {
  const { env, uid, mountinfo } = setup;
  const leaf = join('faultline', folderName(setup.name));
  const home = env['XDG_STATE_HOME'] || (env['HOME'] && join(env['HOME'], '.local', 'state'));
  const wanted = home ? resolve(home, leaf) : undefined;
  const type = wanted === undefined ? undefined : fileSystemOf(wanted, mountinfo);
  let why = 'no $HOME';
  if (wanted !== undefined && type !== undefined && remote.test(type)) why = `state folder is on ${type}`;
  else if (wanted !== undefined) {
    const problem = await within(DEADLINE, make(wanted));
    if (problem === undefined) return { folder: wanted };
    why = `${wanted}: ${problem}`;
  }
  const base = setup.fallback ?? `/var/tmp/faultline-${uid}`;
  const folder = join(base, folderName(setup.name));
  const problem = (await within(DEADLINE, ours(base, uid))) ?? (await within(DEADLINE, make(folder)));
  return problem === undefined
    ? { folder, badge: `history in ${base}: ${why}` }
    : { folder: undefined, badge: `history not kept: ${why}; ${base}: ${problem}` };
};

/** `/proc/self/mountinfo`, or nothing where there is none. */
export const readMountinfo = (): Promise<string> => readFile('/proc/self/mountinfo', 'utf8').catch(() => '');

/** What went wrong; undefined when all is well. */
type Problem = string | undefined;

const make = async (folder: string): Promise<Problem> => {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

/** /var/tmp is everybody's: a folder there that another user made could be read or changed by that user. */
const ours = async (base: string, uid: number): Promise<Problem> => {
  const made = await make(base);
  if (made !== undefined) return made;
  const found = await lstat(base);
  if (!found.isDirectory()) return 'not a folder';
  if (found.uid !== uid || (found.mode & 0o077) !== 0) return 'belongs to or is open to another user';
  return undefined;
};

const within = async (ms: number, work: Promise<Problem>): Promise<Problem> => {
  const { promise, resolve } = Promise.withResolvers<Problem>();
  const timer = setTimeout(() => resolve(`no answer within ${ms / 1000} s`), ms);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
};
