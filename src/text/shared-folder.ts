import type { RawAnswer } from '../model/answer.ts';
import addText from './add-line.sh';
import { decode } from './bytes.ts';
import { makeSafe } from './safe.ts';
import { quote, withWords } from './shell.ts';

/** Where consoles share their locks, notes and cool-downs. */
export interface FolderPlace {
  host: string;
  dir: string;
}

export interface FolderTry {
  doing: 'read' | 'written';
  /** How long the command had, ms. */
  deadlineMs: number;
}

/**
 * Shell: adds a line to a file of the shared folder, which is made where it is missing, in one write by this format of printf. `anew`: the
 * file is begun anew with it. Ends with another code than 0 when it can't be added.
 */
export const addLine = (dir: string, file: string, line: string, format = '%s\\n', anew = false): string =>
  withWords(addText, dir, file, format, line, anew ? 'anew' : '');

/** What a system's own words say of a folder, and what to do about it. */
interface Cause {
  /** strerror(3) in the C locale, which every command here runs in; glibc and musl spell these alike. */
  words: RegExp;
  what(doing: FolderTry['doing']): string;
  next(dir: string): string;
}

const MISSING: Cause = {
  // dash says the second of a redirection.
  words: /No such file or directory|Directory nonexistent/,
  what: () => 'is not there',
  next: (dir) =>
    `was it deleted, or is its file system not mounted? Make it there: sudo install -d -m 2770 -g GROUP ${dir}`,
};

const causes: readonly Cause[] = [
  {
    words: /No space left on device/,
    what: () => 'is on a full file system',
    next: (dir) => `make room there: df -h ${dir}; df -i ${dir}`,
  },
  {
    words: /Disk quota exceeded/,
    what: () => 'is over its quota',
    next: (dir) => `make room there: quota -s; du -sh ${dir}`,
  },
  {
    words: /Read-only file system/,
    what: () => 'is on a read-only file system',
    next: () => 'dmesg there says why it is mounted so',
  },
  {
    words: /Not a directory|create directory .*File exists/,
    what: () => 'is not a folder',
    next: (dir) =>
      `see what stands there: ls -ld ${dir}; or name another one under "shared" in the site file`,
  },
  {
    words: /Permission denied|Operation not permitted/,
    what: (doing) => `may not be ${doing} by this login`,
    next: (dir) =>
      `see its group and mode there: ls -ld ${dir}; faultline doctor gives the line that mends it`,
  },
  {
    // ESTALE, EIO, ENOTCONN of a FUSE mount whose daemon died, EUCLEAN of XFS, EHOSTDOWN of Gluster and Lustre.
    words:
      /Stale (?:NFS )?file handle|Input\/output error|Transport endpoint is|Structure needs cleaning|Host is down/,
    what: () => 'is on a broken file system',
    next: (dir) => `mount it again there; dmesg and df ${dir} say more`,
  },
  MISSING,
];

const causeOf = (line: string): Cause | undefined => causes.find(({ words }) => words.test(line));

/**
 * Why a command on the shared folder did not do what it should, for the operator: which folder on which host, what is wrong with
 * it, and the next step. `admin1:/var/lib/faultline is on a full file system (printf: ...); make room there: df -h ...`.
 */
export const folderProblem = (
  answer: RawAnswer,
  { host, dir }: FolderPlace,
  { doing, deadlineMs }: FolderTry,
): string => {
  const place = `${host}:${dir}`;
  if (answer.notConnected) return makeSafe(`${place} can't be reached: ${answer.notConnected.message}`, 400);
  if (answer.timedOut)
    return makeSafe(
      `${place} did not answer within ${deadlineMs / 1000} s: its file system may hang; see there whether it comes back: ls -ld ${quote(dir)}`,
      400,
    );
  if (answer.lost || answer.cancelled || answer.exitCode === undefined)
    return makeSafe(`the connection to ${host} was lost while ${dir} was ${doing}: outcome unknown`, 400);
  if (answer.exitCode === 0)
    return makeSafe(
      `${place} was ${doing}, but the answer was not understood; does something else print on the way? Try: ssh ${host} true`,
      400,
    );
  return folderFault(decode(answer.stderr), answer.exitCode, { host, dir }, doing);
};

/** The same for a command that ended: from what it said. */
export const folderFault = (
  stderr: string,
  exitCode: number,
  { host, dir }: FolderPlace,
  doing: FolderTry['doing'],
): string => {
  const place = `${host}:${dir}`;
  const lines = stderr
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  // What went wrong first is the cause; that a file is not there is mostly what came of it.
  const line = lines.find((said) => ![undefined, MISSING].includes(causeOf(said))) ?? lines[0] ?? '';
  const cause = causeOf(line);
  const said = line === '' ? `exit ${exitCode}` : line;
  if (isUnmade(line, dir))
    return makeSafe(`${place} is not there and can't be made (${said}); ${MISSING.next(quote(dir))}`, 400);
  if (cause === undefined)
    return makeSafe(
      `${place} could not be ${doing} (${said}); try it there as this login: ls -l ${quote(dir)}`,
      400,
    );
  return makeSafe(`${place} ${cause.what(doing)} (${said}); ${cause.next(quote(dir))}`, 400);
};

/** `mkdir: cannot create directory '/var/lib/faultline': ...`: the folder itself, or what it lies in, is not there. */
const isUnmade = (line: string, dir: string): boolean => {
  const path = /^mkdir: can(?:no|')t create directory ['‘]([^'’]*)['’]: (?!File exists|Not a directory)/.exec(
    line,
  )?.[1];
  return path !== undefined && `${dir}/`.startsWith(`${path.replace(/\/$/, '')}/`);
};
