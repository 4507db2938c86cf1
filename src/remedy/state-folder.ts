import { constants, type Stats } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { quote } from '../text/shell.ts';
import { begunFile } from '../audit/audit-traces.ts';
import { createPatience } from '../audit/patience.ts';
import { thrownCode } from '../text/thrown.ts';
import type { LogPlace } from './lock-verdict.ts';

const DEADLINE_MS = 2_000;

/**
 * Which audit log this is: a log of that name in another home, or one begun anew beside an old one, does not tell what a run of the old one
 * had begun. Told by its head, which is there before the first record, is written in place, and goes with the log when it is put
 * away. Undefined: there is none, or its disk does not answer.
 */
export const logPlaceOf = async (file: string): Promise<LogPlace | undefined> => {
  if (file === '') return undefined;
  try {
    const { ino, birthtimeNs } = await createPatience()(
      () => stat(`${file}.head`, { bigint: true }),
      DEADLINE_MS,
    );
    return { file, id: `${ino}-${birthtimeNs}` };
  } catch {
    // Whoever can't tell his log takes nothing over.
    return undefined;
  }
};

/** How to go on after a log that is not whole; `whole`: after one that is whole and not the right one. */
export const sealCommand = (file: string, whole = false): string =>
  `faultline audit seal --file ${quote(file)}${whole ? ' --whole' : ''} --reason "why"`;

/** Room that a disk must have for the records of an act, bytes. */
const ROOM = 256 * 1024;

/**
 * Why records can't, or must not, be written into this log's folder, and what would be right; undefined when they can. Whoever else may
 * write there could forge what was done. `files`: those in it, too; a log that is put away may belong to anybody.
 */
export const folderProblem = async (file: string, files = true): Promise<string | undefined> => {
  const folder = dirname(file);
  const found = await stat(folder);
  if (!found.isDirectory()) return `${folder} is not a folder: move it away`;
  const own = ownProblem(folder, found, '700', 'act as its owner, or give it back with chown');
  if (own !== undefined) return own;
  await access(folder, constants.W_OK | constants.X_OK);
  for (const name of files ? [file, `${file}.head`, begunFile(file)] : []) {
    const one = await stat(name).catch((error: unknown) => {
      if (thrownCode(error) === 'ENOENT') return undefined;
      throw error;
    });
    // What is no regular file is said by whoever reads it.
    if (!one?.isFile()) continue;
    const problem = ownProblem(name, one, '600', `look why, then go on with a new one: ${sealCommand(file)}`);
    if (problem !== undefined) return problem;
    await access(name, constants.R_OK | constants.W_OK);
  }
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < ROOM ? `the disk that holds ${folder} is full: free some room` : undefined;
};

const ownProblem = (name: string, { uid, mode }: Stats, right: string, next: string): string | undefined => {
  const own = process.geteuid?.();
  if (own !== undefined && uid !== own) return `${name} belongs to user ${uid} and not to ${own}: ${next}`;
  return (mode & 0o022) === 0
    ? undefined
    : `${name} can be written by others (mode ${(mode & 0o777).toString(8)}): chmod ${right} ${quote(name)}`;
};
