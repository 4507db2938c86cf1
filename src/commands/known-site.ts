import { readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { cacheFolder } from '../threads/compile-cache.ts';
import { probePath } from '../site/file.ts';

/** Where it is remembered which site file was found good, and which state of it (its stamp). */
const stampOf = async (file: string): Promise<{ place: string; stamp: string } | undefined> => {
  const folder = cacheFolder();
  if (folder === undefined) return undefined;
  const path = resolve(file);
  if ((await probePath(path)) !== 'there') return undefined;
  const { mtimeMs, ctimeMs, size, dev, ino } = await stat(path);
  const stamp = [packageFile.version, mtimeMs, ctimeMs, size, path].join(' ');
  // Not by a hash of the path: that would load all of node:crypto before the first frame.
  return { place: join(folder, `site-${dev}-${ino}`), stamp };
};

/**
 * Whether this very file was opened without complaint before. Then the screen may be drawn before it is read; a new or changed one
 * is read first, so that what is wrong with it is said on the ordinary screen. When in doubt: no.
 */
export const wasSiteGood = async (file: string): Promise<boolean> => {
  try {
    const known = await stampOf(file);
    return known !== undefined && (await readFile(known.place, 'utf8')) === known.stamp;
  } catch {
    return false;
  }
};

/** It was opened without complaint. That it can't be written down costs the next start a tenth of a second. */
export const rememberGood = async (file: string): Promise<void> => {
  try {
    const known = await stampOf(file);
    if (known) await writeFile(known.place, known.stamp, { mode: 0o600 });
  } catch {
    // The next start reads the file before it draws.
  }
};
