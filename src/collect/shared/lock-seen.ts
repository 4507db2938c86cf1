import * as z from 'zod';
import { clockTime } from '../../text/ages.ts';
import { makeSafe } from '../../text/safe.ts';

/** A lock that stands in the shared folder: what somebody is at work on. */
export interface LockSeen {
  /** `partition batch`. */
  group: string;
  owner: string;
  /** The owner's machine and process: `adm2 4242`. */
  from: string;
  /** UTC ms by the owner's clock. */
  at: number;
  purpose: string;
}

/** The names that the remedies give to lock files: plain letters, the rest as `%NN`. */
export const isLockFile = (name: string): boolean => /^[A-Za-z0-9_%-]+\.lock$/.test(name);

/** What is shown of a lock; the guards read more of it, and read it anew. */
const schema = z.object({
  owner: z.string(),
  host: z.string(),
  pid: z.number(),
  at: z.iso.datetime(),
  purpose: z.string(),
});

/** `partition%20batch.lock` is the lock of `partition batch`. */
const groupOf = (file: string): string => {
  const name = file.slice(0, -'.lock'.length);
  try {
    return makeSafe(decodeURIComponent(name), 100);
  } catch {
    return makeSafe(name, 100);
  }
};

/** A lock file's text; one that cannot be read is a lock all the same. */
export const lockSeen = (file: string, text: string): LockSeen => {
  const group = groupOf(file);
  try {
    const { owner, host, pid, at, purpose } = schema.parse(JSON.parse(text));
    return {
      group,
      owner: makeSafe(`${owner} on ${host}`, 100),
      from: `${host} ${pid}`,
      at: Date.parse(at),
      purpose: makeSafe(purpose, 100),
    };
  } catch {
    return { group, owner: 'somebody', from: '', at: Number.NaN, purpose: 'the lock cannot be read' };
  }
};

/** `alice on adm2 is at work on partition batch since 02:13: Drain 4 nodes`. */
export const lockText = ({ group, owner, at, purpose }: LockSeen, now: number): string =>
  `${owner} is at work on ${group}${Number.isNaN(at) ? '' : ` since ${clockTime(at, now)}`}: ${purpose}`;
