import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { decode } from '../text/bytes.ts';
import { makeSafe } from '../text/safe.ts';
import { SiteError } from './problem.ts';
import { readBounded } from './regular.ts';
import { distrust } from './trusted.ts';

/** A site file of 10,000 hosts is well below. */
export const MOST_BYTES = 4_000_000;

/** How long a file system may take to say whether a path is there (a hung home is one of the faults that the console must live through). */
const DEADLINE_MS = 2000;

/**
 * Whether the file system under a path answers in time. Asked in a process of its own: a file access that hangs inside
 * ours could never be given up, and not even `process.exit` gets past it.
 */
export const probePath = (path: string, deadlineMs = DEADLINE_MS): Promise<'there' | 'absent' | 'hung'> =>
  new Promise((resolve) => {
    const child = execFile('/bin/ls', ['-dL', '--', path], { cwd: '/', env: {} }, (error) => {
      clearTimeout(timer);
      resolve(error ? 'absent' : 'there');
    });
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.unref();
      resolve('hung');
    }, deadlineMs);
  });

/** What a file of settings is called, how large it may be, and who may write to it beside its owner. */
interface Kind {
  name: string;
  example: string;
  limit: number;
  /** What else can be done when its file system hangs. */
  elsewhere: string;
  rootsGroup: boolean;
}

const siteFile: Kind = {
  name: 'a site file',
  example: 'site.yaml',
  limit: MOST_BYTES,
  elsewhere: 'give a copy elsewhere with --site',
  rootsGroup: true,
};

/** The text of a site file. Throws SiteError: missing, unreadable, no file, a stranger's or writable by others, too large, empty. */
export const readSiteFile = (file: string): Promise<string> => readTrusted(file, siteFile);

/** The text of a file that decides what happens here. Throws SiteError as said of a site file. */
export const readTrusted = async (file: string, kind: Kind): Promise<string> => {
  const refuse = (what: string): SiteError => new SiteError([makeSafe(`${file}: ${what}`, 1000)]);
  if ((await probePath(file)) === 'hung')
    throw refuse(`its file system did not answer for ${DEADLINE_MS / 1000} s; ${kind.elsewhere}`);
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error) throw refuse(whyNot(found));
  if (found.isDirectory())
    throw refuse(`is a folder; name the file in it, ${file.replace(/\/+$/, '')}/${kind.example}`);
  if (!found.isFile()) throw refuse('is not a regular file; name a YAML file');
  const problem = await distrust(file, { uid: process.getuid?.() ?? 0, rootsGroup: kind.rootsGroup });
  if (problem !== undefined) throw refuse(problem);
  if (found.size > kind.limit)
    throw refuse(`has ${found.size} bytes; ${kind.name} has at most ${kind.limit}`);
  const bytes = await readBounded(file, kind.limit).catch((error: NodeJS.ErrnoException) => error);
  if (bytes instanceof Error) throw refuse(whyNot(bytes));
  return decode(bytes).replace(/^\uFEFF/, '');
};

const whyNot = (error: NodeJS.ErrnoException): string => {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR')
    return 'no such file; check the path, or try "faultline demo"';
  if (error.code === 'EACCES' || error.code === 'EPERM')
    return 'may not be read by you; ask its owner, or chmod +r';
  return `can't be read (${error.code ?? error.message}); check the disk`;
};

/** Whether a file can be read, in time. */
export const isReadable = async (file: string): Promise<boolean> =>
  (await probePath(file)) === 'there' &&
  access(file, constants.R_OK).then(
    () => true,
    () => false,
  );
