import * as z from 'zod';
import { age } from '../text/ages.ts';
import { visible } from '../text/safe.ts';
import { asciiJson } from '../audit/audit-line.ts';
import type { Standing } from './lock-store.ts';

const schema = z.object({
  owner: z.string(),
  host: z.string(),
  pid: z.number(),
  stamp: z.string(),
  /** ISO time by the owner's clock, for people. */
  at: z.string(),
  /** How long it may be held, ms; older is stale. */
  holdMs: z.number(),
  purpose: z.string(),
  token: z.string(),
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

export const isStale = ({ text, ageMs }: Standing): boolean =>
  ageMs > (decodeLock(text)?.holdMs ?? UNREADABLE_MS);

/** `alice on adm2 (pid 12) for 3 min: Drain 4 nodes`. */
export const ownerText = ({ text, ageMs }: Standing): string => {
  const info = decodeLock(text);
  if (!info) return `somebody (the lock cannot be read) for ${age(ageMs)}`;
  return `${visible(info.owner, 60)} on ${visible(info.host, 60)} (pid ${info.pid}) for ${age(ageMs)}: ${visible(info.purpose, 100)}`;
};
