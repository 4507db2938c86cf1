import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Whether the error says that the file is there already. */
const isThere = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EEXIST';

/**
 * Writes a new file, whole or not at all, readable by its owner alone; false where one is there already, which stays as it is. The folder
 * is made. Throws what the disk says.
 */
export const saveNew = (file: string, text: string): boolean => {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const beside = `${file}.${randomBytes(6).toString('hex')}.new`;
  const handle = openSync(beside, 'wx', 0o600);
  try {
    try {
      writeFileSync(handle, text);
      // On the disk before it has its name: else a machine that loses power may come back with an empty file.
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    // Unlike a rename it never takes the place of a file that somebody wrote meanwhile.
    linkSync(beside, file);
    return true;
  } catch (error) {
    if (isThere(error)) return false;
    throw error;
  } finally {
    unlinkSync(beside);
  }
};
