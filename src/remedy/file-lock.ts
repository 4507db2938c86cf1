import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { Clock } from '../model/ports.ts';

/** SQLITE_BUSY, and SQLITE_BUSY_RECOVERY while another process clears up after one that died. */
const busySchema = z.object({ errcode: z.literal([5, 261]) });

/**
 * Runs `work` while this process alone holds a lock on `file`. The lock is SQLite's own, which is the kernel's: Node has no
 * `flock`, and a lock that the kernel drops with the process can't be left behind by a kill. Throws when it is not had
 * within 1.5 s.
 */
export const withFileLock = async <T>(file: string, clock: Clock, work: () => Promise<T>): Promise<T> => {
  const database = new DatabaseSync(file);
  try {
    await begin(database, clock);
    return await work();
  } finally {
    database.close();
  }
};

const begin = async (database: DatabaseSync, clock: Clock): Promise<void> => {
  const since = clock.mono();
  for (let pause = 2; ; pause = Math.min(40, pause * 2)) {
    try {
      // Nothing is ever written: a journal file would only want room on a disk that may be full.
      database.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE');
      return;
    } catch (error) {
      if (!busySchema.safeParse(error).success) throw error;
      if (clock.mono() - since > 1_500) throw new Error('another console holds it', { cause: error });
      await clock.sleep(pause + Math.random() * pause);
    }
  }
};
