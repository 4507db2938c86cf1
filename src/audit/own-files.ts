import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { quote } from '../text/shell.ts';
import { createPatience } from './patience.ts';

const READ_MS = 2_000;

/**
 * Why others could have written what an audit log tells: its folder, the log or its head belongs to another account, or its group or
 * everybody may write there (an access list that lets others write shows in the group's bits: acl(5)). Undefined: nobody but this
 * account and root. What is not there is nobody's.
 */
export const strangersIn = async (file: string, uid = process.geteuid?.()): Promise<string | undefined> => {
  const patience = createPatience();
  for (const path of [dirname(file), file, `${file}.head`]) {
    try {
      const { uid: owner, mode } = await patience(() => stat(path), READ_MS);
      if (owner !== uid) return `${path} belongs to uid ${owner}, not to this account (uid ${uid})`;
      if ((mode & 0o022) !== 0)
        return `others may write ${path} (mode ${(mode & 0o7777).toString(8)}): see who did, then chmod go-w ${quote(path)}`;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') continue;
      return `who may write ${path} can't be told: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  return undefined;
};
