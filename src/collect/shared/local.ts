import { appendFile, readFile } from 'node:fs/promises';

/** Events that are kept on this machine: there is no shared folder, or it could not be written. */
export interface LocalEvents {
  read(): Promise<readonly string[]>;
  /** The reason when it could not be written. */
  append(line: string): Promise<string | undefined>;
}

/** A disk that does not answer for this long is no place to keep anything, ms. */
const DEADLINE = 2000;

/**
 * A deadline for one file's work. What hangs keeps one of the few threads that all files and names of this process share, so until it
 * ends nothing more is begun: four notes on a hung disk would stop everything.
 */
const createWithin = (deadlineMs: number): (<T>(work: () => Promise<T>) => Promise<T>) => {
  let hangs = false;
  return async (work) => {
    if (hangs) throw new Error('the disk still does not answer');
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      hangs = true;
      late.reject(new Error(`no answer within ${deadlineMs / 1000} s`));
    }, deadlineMs);
    const done = work().finally(() => {
      clearTimeout(timer);
      hangs = false;
    });
    return Promise.race([done, late.promise]);
  };
};

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** A file in the state folder, 0600. Throws nothing; a file that can't be read is told to the log and counts as empty. */
export const localFile = (file: string, log: (line: string) => void, deadlineMs = DEADLINE): LocalEvents => {
  const runWithin = createWithin(deadlineMs);
  return {
    read: async () => {
      try {
        return (await runWithin(() => readFile(file, 'utf8'))).split('\n');
      } catch (error) {
        if (!isMissing(error)) log(`${file}: ${error instanceof Error ? error.message : String(error)}`);
        return [];
      }
    },
    append: async (line) => {
      try {
        await runWithin(() => appendFile(file, `\n${line}\n`, { mode: 0o600 }));
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
  };
};

/** Kept as long as the program runs (demo, or no place to write). */
export const localMemory = (): LocalEvents => {
  const lines: string[] = [];
  return {
    read: async () => lines,
    append: async (line) => {
      lines.push(line);
      return undefined;
    },
  };
};
