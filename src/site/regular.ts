import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';

/** Why a file was not read; the message goes on behind its path. */
export class NotBounded extends Error {}

/** What was read, and of what: whatever is put in its place meanwhile. */
interface Bounded {
  bytes: Buffer;
  uid: number;
  mode: number;
}

/**
 * A file of settings or keys with its owner. Throws `NotBounded` for what is no regular file or holds more than `limit` bytes, else as
 * `open` does. A pipe or device may never end, and nor may what the kernel writes while it is read (`/proc/kmsg`): such a file says that
 * it holds 0 bytes (proc(5)) and is taken at its word.
 */
export const readOwned = async (file: string, limit: number): Promise<Bounded> => {
  // Without O_NONBLOCK to open a pipe waits for somebody who writes.
  await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  const found = await handle.stat();
  if (found.isDirectory()) throw new NotBounded('is a folder');
  if (!found.isFile()) throw new NotBounded('is not a regular file');
  if (found.size > limit) throw new NotBounded(`has ${found.size} bytes, more than ${limit}`);
  const { uid, mode } = found;
  if (found.size === 0) return { bytes: Buffer.alloc(0), uid, mode };
  // It may grow meanwhile.
  const bytes = await buffer(handle.createReadStream({ end: limit, autoClose: false }));
  if (bytes.length > limit) throw new NotBounded(`has more than ${limit} bytes`);
  return { bytes, uid, mode };
};

/** The bytes alone. */
export const readBounded = async (file: string, limit: number): Promise<Buffer> =>
  (await readOwned(file, limit)).bytes;
