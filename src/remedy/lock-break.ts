import { sha256 } from '../audit/audit-line.ts';
import { isOver, type LockStore, type Put, type Standing } from './lock-store.ts';
import { ownerText } from './lock-text.ts';

/** A right to remove a lock is had for a few commands only: one this old was left by a console that ended over it, ms. */
const LEFT_MS = 120_000;

export type Broken = { state: 'made' } | { state: 'failed'; reason: string };

/**
 * Removes a lock that stands in the way, if it still is this very one, and puts one with this text in its place, or none. Of
 * several consoles only the one that makes the name of its successor may, so none can remove the lock that another has just made.
 */
export const replaceLock = async (
  store: LockStore,
  name: string,
  old: Standing,
  text: string,
  put: boolean,
): Promise<Broken> => {
  const right = `${name} after ${sha256(old.text).slice(0, 16)}`;
  const had = await takeRight(store, right, text);
  if (had.state !== 'made') return had;
  const removed = await store.remove(name, old.text);
  const made: Put =
    removed !== undefined && !isOver(removed)
      ? { state: 'failed', reason: removed }
      : put
        ? await store.put(name, text)
        : { state: 'made' };
  await store.remove(right, text);
  if (made.state === 'held') return { state: 'failed', reason: `now held by ${ownerText(made)}` };
  return made;
};

/** Takes the right to break a lock. A right that somebody left behind is broken in the same way, but no right to do that is. */
const takeRight = async (store: LockStore, right: string, text: string, again = true): Promise<Broken> => {
  const had = await store.put(right, text);
  if (had.state !== 'held') return had;
  if (!again || had.ageMs <= LEFT_MS)
    return { state: 'failed', reason: `it is being taken over by ${ownerText(had)}` };
  const over = `${right} after ${sha256(had.text).slice(0, 16)}`;
  const right2 = await takeRight(store, over, text, false);
  if (right2.state !== 'made') return right2;
  await store.remove(right, had.text);
  const made = await store.put(right, text);
  await store.remove(over, text);
  return made.state === 'held'
    ? { state: 'failed', reason: `it is being taken over by ${ownerText(made)}` }
    : made;
};
