import { constants } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { createPatience, type Patience } from './patience.ts';
import { verifyLog, type AuditHead, type Verified } from './audit-verify.ts';

/** A log as it was read: how many bytes, and of which file. */
interface Read {
  verified: Verified;
  bytes: number;
  inode: number;
}

/** A log of years is read and checked in this time, ms; a folder that takes longer hangs. */
const READ_MS = 10_000;

/**
 * The log and its head, as they are now; a log that is not there is empty unless it `must` be. Throws when it cannot be read, or its
 * folder does not answer.
 */
export const readAuditFile = async (file: string, must = false): Promise<Verified> =>
  (await createPatience()(() => readWhole(file, must), READ_MS)).verified;

const readWhole = async (file: string, must = false): Promise<Read> => {
  for (let tries = 1; ; tries++) {
    const before = await versionOf(file);
    const { text, inode } = await readFrom(file, 0, must);
    const verified = verifyLog(text, parseHead((await readFrom(`${file}.head`, 0)).text));
    // A record that another console wrote between the two reads must not look like one that was cut off.
    if (verified.problems.length === 0 || tries === 5 || before === (await versionOf(file)))
      return { verified, bytes: text.length, inode };
  }
};

/** Only what was appended since a read that found the log whole; undefined when the whole must be read. */
const readOn = async (file: string, { verified, bytes, inode }: Read): Promise<Read | undefined> => {
  const { records, problems, notes, end } = verified;
  if (problems.length > 0 || notes.length > 0) return undefined;
  const more = await readFrom(file, bytes);
  if (more.inode !== inode || more.size < bytes) return undefined;
  const head = parseHead((await readFrom(`${file}.head`, 0)).text);
  const next = verifyLog(more.text, head, { records, seq: records.length, prev: end });
  return next.problems.length > 0 || next.notes.length > 0
    ? undefined
    : { verified: next, bytes: bytes + more.text.length, inode };
};

/**
 * Reads a log again and again: what was found whole before is not checked again unless `full`. Throws when the file is there and
 * cannot be read, or its folder does not answer.
 */
export const createAuditReader = (
  file: string,
  patience: Patience = createPatience(),
): ((full?: boolean) => Promise<Verified>) => {
  let cache: (Read & { version: string; full: boolean }) | undefined;
  const read = async (full: boolean): Promise<Verified> => {
    const version = await versionOf(file);
    if (cache?.version === version && (cache.full || !full)) return cache.verified;
    const part = full ? undefined : cache && (await readOn(file, cache));
    const whole = part ?? (await readWhole(file));
    cache = { ...whole, version, full: part === undefined };
    return whole.verified;
  };
  return (full = false) => patience(() => read(full), READ_MS);
};

const versionOf = async (file: string): Promise<string> => {
  const one = async (name: string): Promise<string> => {
    const found = await stat(name, { bigint: true }).catch(() => undefined);
    return found === undefined ? 'none' : `${found.ino} ${found.size} ${found.mtimeNs}`;
  };
  return `${await one(file)} ${await one(`${file}.head`)}`;
};

/** A file's text from a byte on. One that is not there is empty, unless it must be there. */
const readFrom = async (
  file: string,
  from: number,
  must = false,
): Promise<{ text: string; inode: number; size: number }> => {
  try {
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const { size, ino } = await regular(handle, file);
    const length = Math.max(0, size - from);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, from);
    return { text: buffer.toString('latin1', 0, bytesRead), inode: ino, size };
  } catch (error) {
    if (!must && error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { text: '', inode: 0, size: 0 };
    throw error;
  }
};

const regular = async (handle: FileHandle, file: string): Promise<{ size: number; ino: number }> => {
  const found = await handle.stat();
  if (!found.isFile()) throw new Error(`${file} is not a regular file`);
  return found;
};

/** `000000000012 HASH` and a line feed. */
export const HEAD_LENGTH = 12 + 1 + 64 + 1;

export const parseHead = (text: string): AuditHead | undefined => {
  const match = /^(\d{12}) ([0-9a-f]{64})\n$/.exec(text);
  return match ? { seq: Number(match[1]), lineHash: match[2] ?? '' } : undefined;
};
