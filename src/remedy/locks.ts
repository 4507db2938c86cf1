import type { Clock } from '../model/ports.ts';
import { sha256 } from '../audit/sha256.ts';
import type { LockStore, Put, Standing } from './lock-store.ts';
import { decodeLock, encodeLock, isStale, ownerText } from './lock-text.ts';
import type { ConsoleId, Operator } from './parts.ts';

/** A lock that is ours. It ends by itself on the monotonic clock; then nothing more may be done under it. */
export interface HeldLock {
  readonly group: string;
  expired(): boolean;
  /** Gives the reason when it could not be released. */
  release(): Promise<string | undefined>;
}

export type Taken =
  | { state: 'taken'; lock: HeldLock; broke?: string }
  | { state: 'held' | 'stale' | 'unreachable'; reason: string };

interface TakeOptions {
  /** For the owner line: `Drain 4 nodes`. */
  purpose: string;
  holdMs: number;
  /** Take a stale lock's place. */
  breakStale?: boolean;
  /** Lock on this machine only, although the site has a shared folder (exceeds guard 12). */
  localOnly?: boolean;
}

/** One lock per blast-radius group, across operators when the site has a shared folder (guard 12). */
export interface Locks {
  take(group: string, options: TakeOptions): Promise<Taken>;
  /** Removes locks of this group whose owner was this process number on this host and is no more; gives their owners. */
  sweep(
    group: string,
    isDead: (owner: { host: string; pid: number; stamp: string }) => boolean,
  ): Promise<readonly string[]>;
  badges(): readonly string[];
}

export interface LocksParts {
  site: string;
  local: LockStore;
  /** Absent: the site names no shared folder. */
  shared?: LockStore;
  operator: Operator;
  console: ConsoleId;
  clock: Clock;
  newId(): string;
}

export const createLocks = (parts: LocksParts): Locks => {
  const { local, shared, operator, console, clock, newId, site } = parts;
  let unreachable: string | undefined;
  const nameOf = (store: LockStore, group: string): string => (store === local ? `${site} ${group}` : group);

  const takeIn = async (store: LockStore, group: string, options: TakeOptions): Promise<Taken> => {
    const name = nameOf(store, group);
    const madeAt = clock.mono();
    const wallAt = clock.now();
    const text = encodeLock({
      owner: operator.name,
      host: console.host,
      pid: console.pid,
      stamp: console.stamp,
      at: new Date(clock.now()).toISOString(),
      holdMs: options.holdMs,
      purpose: options.purpose.slice(0, 200),
      token: newId(),
    });
    const lock: HeldLock = {
      group,
      expired: () => clock.mono() - madeAt > options.holdMs || clock.now() - wallAt > options.holdMs,
      release: () => store.remove(name, text),
    };
    const put = await store.put(name, text);
    if (store === shared) unreachable = put.state === 'failed' ? put.reason : undefined;
    if (put.state === 'made') return { state: 'taken', lock };
    if (put.state === 'failed') return { state: 'unreachable', reason: `${store.where}: ${put.reason}` };
    if (!isStale(put))
      return { state: 'held', reason: `${group} is locked by ${ownerText(put)} (${store.where})` };
    if (options.breakStale !== true)
      return { state: 'stale', reason: `${group} has a stale lock of ${ownerText(put)} (${store.where})` };
    const broken = await replace(store, name, put, text);
    return broken.state === 'made'
      ? { state: 'taken', lock, broke: ownerText(put) }
      : { state: 'held', reason: `${group}: the stale lock could not be broken: ${broken.reason}` };
  };

  return {
    take: (group, options) =>
      takeIn(shared !== undefined && options.localOnly !== true ? shared : local, group, options),
    sweep: async (group, isDead) => {
      const swept: string[] = [];
      for (const store of shared ? [shared, local] : [local]) {
        const name = nameOf(store, group);
        const found = await store.look(name);
        const info = found.state === 'held' ? decodeLock(found.text) : undefined;
        if (found.state !== 'held' || info === undefined || !isDead(info)) continue;
        if ((await store.remove(name, found.text)) === undefined) swept.push(ownerText(found));
      }
      return swept;
    },
    badges: () => {
      if (shared === undefined) return ['shared folder: none, locks hold on this machine only'];
      return unreachable === undefined ? [] : [`shared folder: ${unreachable}`];
    },
  };
};

/**
 * Takes the place of a stale lock. Of several consoles that break the same one only the maker of its successor's name goes
 * on, so none can remove the lock that another has just made in its place.
 */
const replace = async (
  store: LockStore,
  name: string,
  stale: Standing,
  text: string,
): Promise<{ state: 'made' } | { state: 'failed'; reason: string }> => {
  const breaking = `${name} after ${sha256(stale.text).slice(0, 16)}`;
  const entitled = await store.put(breaking, text);
  if (entitled.state !== 'made') return { state: 'failed', reason: whoBreaks(entitled) };
  const removed = await store.remove(name, stale.text);
  const made: Put =
    removed === undefined || removed === 'it is gone'
      ? await store.put(name, text)
      : { state: 'failed', reason: removed };
  await store.remove(breaking, text);
  if (made.state === 'held') return { state: 'failed', reason: `now held by ${ownerText(made)}` };
  return made;
};

const whoBreaks = (put: Exclude<Put, { state: 'made' }>): string =>
  put.state === 'held' ? `it is being broken by ${ownerText(put)}` : put.reason;
