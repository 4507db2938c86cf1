import type { Clock } from '../model/ports.ts';
import { replaceLock } from './lock-break.ts';
import type { LockStore, Standing } from './lock-store.ts';
import { decodeLock, encodeLock, ownerText, type LockInfo } from './lock-text.ts';
import type { LogPlace, Verdict } from './lock-verdict.ts';
import type { ConsoleId, Operator } from './parts.ts';

/** Why a lock is not known to be ours any more. `unread`: it may be. */
export interface LockProblem {
  state: 'lost' | 'unread';
  reason: string;
}

/** A lock that is ours. It ends by itself on the monotonic clock; then nothing more may be done under it. */
export interface HeldLock {
  readonly group: string;
  isExpired(): boolean;
  /** Reads it again: undefined while it stands there as we made it. */
  check(): Promise<LockProblem | undefined>;
  /** Gives the reason when it could not be released (`isOver`: there was nothing to release). */
  release(): Promise<string | undefined>;
}

/** A lock that stood in the way and was taken away, for the audit log. */
export interface Former {
  group: string;
  /** For people. */
  owner: string;
  /** `takeOver`: by proof; `break`: by a typed reason. */
  how: 'takeOver' | 'break';
  why: string;
  /** What it said of itself; absent: it could not be read. */
  lock?: LockInfo;
}

export type Taken =
  | { state: 'taken'; lock: HeldLock; former?: Former }
  /** `helps`: what exceeds it. */
  | { state: 'refused'; reason: string; helps?: 'breakLock' | 'exceed12' };

export type JudgeLock = (standing: Standing, own: boolean) => Promise<Verdict>;

export interface TakeOptions {
  /** For the owner line: `Drain 4 nodes`. */
  purpose: string;
  holdMs: number;
  run: string;
  log?: LogPlace;
  judge: JudgeLock;
  /** Take the place of one that only a person may break. */
  breakIt?: boolean;
  /** Lock on this machine only, although the site has a shared folder (exceeds guard 12). */
  localOnly?: boolean;
}

/** One lock per blast-radius group, across operators when the site has a shared folder (guard 12). */
export interface Locks {
  take(group: string, options: TakeOptions): Promise<Taken>;
  /** Removes locks of this group whose console has ended, where that may be done without a person's word. */
  sweep(group: string, judge: JudgeLock): Promise<readonly Former[]>;
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
  makeId(): string;
}

export const createLocks = (parts: LocksParts): Locks => {
  const { local, shared, console, site } = parts;
  let unreachable: string | undefined;
  const nameOf = (store: LockStore, group: string): string => (store === local ? `${site} ${group}` : group);
  return {
    take: async (group, options) => {
      const store = shared !== undefined && options.localOnly !== true ? shared : local;
      const lock = newLock(parts, store, nameOf(store, group), group, options);
      const put = await store.put(lock.name, lock.text);
      if (store === shared) unreachable = put.state === 'failed' ? put.reason : undefined;
      if (put.state === 'made') return { state: 'taken', lock: lock.held };
      if (put.state !== 'failed') return replace(store, lock, put, options, isOwn(console, put));
      const reason = `no lock on ${group}: ${put.reason}`;
      return { state: 'refused', reason, ...(store === shared && { helps: 'exceed12' }) };
    },
    sweep: async (group, judge) => {
      const swept: Former[] = [];
      for (const store of shared ? [shared, local] : [local]) {
        const name = nameOf(store, group);
        const found = await store.look(name);
        if (found.state !== 'held') continue;
        const { may, why } = await judge(found, isOwn(console, found));
        if (may !== 'takeOver') continue;
        const text = textOf(parts, { purpose: `removes the lock on ${group}` });
        const gone = await replaceLock(store, name, found, text, false);
        if (gone.state === 'made') swept.push(formerOf(group, found, may, why));
      }
      return swept;
    },
    badges: () => {
      if (shared === undefined) return ['shared folder: none, locks hold on this machine only'];
      return unreachable === undefined ? [] : [`shared folder: ${unreachable}`];
    },
  };
};

/** A lock as it is about to be put. */
interface NewLock {
  name: string;
  text: string;
  held: HeldLock;
}

const newLock = (
  parts: LocksParts,
  store: LockStore,
  name: string,
  group: string,
  options: TakeOptions,
): NewLock => {
  const { clock } = parts;
  const madeAt = clock.mono();
  const wallAt = clock.now();
  const text = textOf(parts, options);
  const held: HeldLock = {
    group,
    isExpired: () => clock.mono() - madeAt > options.holdMs || clock.now() - wallAt > options.holdMs,
    check: async () => {
      const found = await store.look(name);
      if (found.state === 'failed') return { state: 'unread', reason: found.reason };
      if (found.state === 'none') return { state: 'lost', reason: `it is gone from ${store.where}` };
      return found.text === text
        ? undefined
        : { state: 'lost', reason: `it is held by ${ownerText(found)} now (${store.where})` };
    },
    release: () => store.remove(name, text),
  };
  return { name, text, held };
};

/** Takes the place of a lock that stands in the way, where that may be done. */
const replace = async (
  store: LockStore,
  { name, text, held }: NewLock,
  standing: Standing,
  { judge, breakIt }: TakeOptions,
  own: boolean,
): Promise<Taken> => {
  const { group } = held;
  const { may, why } = await judge(standing, own);
  const how = may === 'wait' ? undefined : may === 'takeOver' || breakIt === true ? may : undefined;
  if (how === undefined)
    return {
      state: 'refused',
      reason: `${group} is locked by ${ownerText(standing)} (${store.where}); ${why}`,
      ...(may === 'break' && { helps: 'breakLock' }),
    };
  const broken = await replaceLock(store, name, standing, text, true);
  return broken.state === 'made'
    ? { state: 'taken', lock: held, former: formerOf(group, standing, how, why) }
    : { state: 'refused', reason: `${group}: the lock of ${ownerText(standing)} stays: ${broken.reason}` };
};

const textOf = (
  { operator, console, clock, makeId: newId }: LocksParts,
  { purpose, holdMs, run, log }: Partial<TakeOptions>,
): string => {
  const { version: _, ...process } = console;
  return encodeLock({
    owner: operator.name,
    uid: operator.uid,
    ...process,
    at: new Date(clock.now()).toISOString(),
    holdMs: holdMs ?? 0,
    purpose: (purpose ?? '').slice(0, 200),
    token: newId(),
    ...(run !== undefined && { run }),
    ...(log && { log }),
  });
};

const isOwn = ({ pid, stamp, spaces }: ConsoleId, { text }: Standing): boolean => {
  const info = decodeLock(text);
  return info?.pid === pid && info.stamp === stamp && info.spaces === spaces;
};

const formerOf = (group: string, standing: Standing, how: Former['how'], why: string): Former => {
  const lock = decodeLock(standing.text);
  return { group, owner: ownerText(standing), how, why, ...(lock && { lock }) };
};
