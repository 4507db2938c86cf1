import * as z from 'zod';
import { age } from '../text/ages.ts';
import { makeSafe } from '../text/safe.ts';
import { asciiJson } from '../audit/audit-line.ts';
import type { Standing } from './lock-store.ts';

/** Others can write lock files: one with longer words is none of ours, and its words would go into the audit log. */
const word = z.string().max(255);

/** No lock is held longer, whatever is written in it, ms. */
export const MOST_HOLD_MS = 2 * 3_600_000;

const schema = z.object({
  owner: word,
  /** This and all that is optional here: not in locks of older consoles. */
  uid: z.number().exactOptional(),
  host: word,
  pid: z.number(),
  stamp: word,
  spaces: word.exactOptional(),
  machine: word.exactOptional(),
  /** ISO time by the owner's clock, for people. */
  at: word,
  /** How long it may be held, ms; older is stale. */
  holdMs: z.number().transform((ms) => Math.min(Math.max(0, ms), MOST_HOLD_MS)),
  purpose: word,
  token: word,
  /** Whose lock it is, and the audit log that tells what that run began. */
  run: word.exactOptional(),
  log: z.object({ file: z.string().max(4096), id: word }).exactOptional(),
});

/** What a lock says of its owner: one line of JSON, plain ASCII. */
export type LockInfo = z.infer<typeof schema>;

export const encodeLock = (info: LockInfo): string => asciiJson(info);

/** Undefined when it is not one of ours, or half written by a full disk. */
export const decodeLock = (text: string): LockInfo | undefined => {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
};

/** A lock that nobody can read is not stale before an hour. */
const UNREADABLE_MS = 3_600_000;

/** Ms until it counts as left behind; 0: it does. Of unknown age: a time to come, which nobody's lock can be of. */
export const msUntilStale = ({ text, ageMs }: Standing): number =>
  Math.max(0, (decodeLock(text)?.holdMs ?? UNREADABLE_MS) - ageMs);

/** `alice on adm2 (pid 12) for 3 min: Drain 4 nodes`. */
export const ownerText = ({ text, ageMs }: Standing): string => {
  const info = decodeLock(text);
  const held = Number.isFinite(ageMs) ? `for ${age(ageMs)}` : 'since a time in the future';
  if (!info) return `somebody (the lock cannot be read) ${held}`;
  return `${makeSafe(info.owner, 60)} on ${makeSafe(info.host, 60)} (pid ${info.pid}) ${held}: ${makeSafe(info.purpose, 100)}`;
};
