import { constants, type Stats } from 'node:fs';
import { access, lstat, mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** File systems that hang when a server does: faults that this console must survive. */
const remote =
  /^(?:nfs\d?|lustre|glusterfs|fuse(?:blk|ctl)?|fuse\..*|autofs|afs|cifs|smb\d?|smbfs|ceph|beegfs|gpfs)$/;

/** Anything under `$HOME` may hang; it is given up on after this long, in ms. */
const DEADLINE = 2000;

const LATE = `no answer within ${DEADLINE / 1000} s`;

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

/** Where state goes, and why it is not where it is configured. */
export interface FoundPlace {
  place: StatePlace;
  /** The configured folder; absent: no `$HOME`. */
  wanted?: string;
  /** Set: it is not used. `hangs`: it lies on a file system that may hang, or did not answer; nothing of it was read. */
  not?: { why: string; hangs: boolean };
}

/**
 * Picks and makes the state folder: `$XDG_STATE_HOME/faultline/<site>` unless that lies on a network file system or does not
 * answer in 2 s, then `/var/tmp/faultline-$UID/<site>` when that is really ours. Never rejects.
 */
export const findPlace = async (setup: PlaceSetup): Promise<FoundPlace> => {
  const { env, mountinfo } = setup;
  const leaf = join('faultline', folderName(setup.name));
  const home = env['XDG_STATE_HOME'] || (env['HOME'] && join(env['HOME'], '.local', 'state'));
  if (!home)
    return { place: await takeOtherPlace(setup, 'no $HOME'), not: { why: 'no $HOME', hangs: false } };
  const wanted = resolve(home, leaf);
  const type = fileSystemOf(wanted, mountinfo);
  const isRemote = type !== undefined && remote.test(type);
  const problem = isRemote ? undefined : await waitWithin(DEADLINE, make(wanted));
  if (!isRemote && problem === undefined) return { place: { folder: wanted }, wanted };
  const why = isRemote ? `state folder is on ${type}` : `${wanted}: ${problem}`;
  return {
    place: await takeOtherPlace(setup, why),
    wanted,
    not: { why, hangs: isRemote || problem === LATE },
  };
};

/** The same for what may go anywhere. */
export const statePlace = async (setup: PlaceSetup): Promise<StatePlace> => (await findPlace(setup)).place;

const baseOf = ({ fallback, uid }: PlaceSetup): string => fallback ?? `/var/tmp/faultline-${uid}`;

const takeOtherPlace = async (setup: PlaceSetup, why: string): Promise<StatePlace> => {
  const base = baseOf(setup);
  const folder = join(base, folderName(setup.name));
  const problem =
    (await waitWithin(DEADLINE, checkOurs(base, setup.uid))) ?? (await waitWithin(DEADLINE, make(folder)));
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
const checkOurs = async (base: string, uid: number): Promise<Problem> => {
  const made = await make(base);
  if (made !== undefined) return made;
  return whoseProblem(await lstat(base), uid);
};

/**
 * The folder that was used while the configured one could not be, when it is there and really ours: what was begun from it may be
 * open still.
 */
export const findOtherPlace = async (setup: PlaceSetup): Promise<string | undefined> => {
  const base = baseOf(setup);
  const found = await lstat(base).catch(() => undefined);
  return found && whoseProblem(found, setup.uid) === undefined
    ? join(base, folderName(setup.name))
    : undefined;
};

const whoseProblem = (found: Stats, uid: number): Problem => {
  if (!found.isDirectory()) return 'not a folder';
  return found.uid !== uid || (found.mode & 0o077) !== 0
    ? 'belongs to or is open to another user'
    : undefined;
};

const waitWithin = async (ms: number, work: Promise<Problem>): Promise<Problem> => {
  const { promise, resolve } = Promise.withResolvers<Problem>();
  const timer = setTimeout(() => resolve(LATE), ms);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
};
