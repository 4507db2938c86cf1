import { lstatSync, mkdirSync } from 'node:fs';
// By its default: an older Node lacks the function, and would not even say that it is too old.
import nodeModule from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A folder that only this user can write (others' code in a shared one would run as ours), outside the home, which may hang.
 * Undefined when there is none. What lies in it may be gone at any time.
 */
export const cacheFolder = (): string | undefined => {
  const uid = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `faultline-cache-${uid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    return found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0 ? folder : undefined;
  } catch {
    return undefined;
  }
};

/** Compiled code of this thread is kept between starts. Without, a thread takes 15 to 150 ms longer; nothing else. */
export const keepCompiled = (): void => {
  const folder = cacheFolder();
  if (folder !== undefined) nodeModule.enableCompileCache(folder);
};
