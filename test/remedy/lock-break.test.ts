import { describe, expect, it } from 'vitest';
import { replaceLock } from '../../src/remedy/lock-break.ts';
import { GONE, TAKEN, type LockStore, type Standing } from '../../src/remedy/lock-store.ts';
import { encodeLock } from '../../src/remedy/lock-text.ts';

const lockOf = (owner: string): string =>
  encodeLock({
    owner,
    host: 'adm2',
    pid: 12,
    stamp: 's',
    at: '2026-11-22T02:00:00.000Z',
    holdMs: 1000,
    purpose: 'Drain 4 nodes',
    token: owner,
  });

/** A folder of locks in memory; `said`: what was done there, in order. `fail`: what it answers instead. */
const storeOf = (
  locks: Record<string, Standing>,
  fail: (deed: string) => string | undefined = () => undefined,
) => {
  const said: string[] = [];
  const store: LockStore = {
    where: 'memory',
    put: async (name, text) => {
      said.push(`put ${short(name)}`);
      const reason = fail(`put ${short(name)}`);
      if (reason !== undefined) return { state: 'failed', reason };
      const there = locks[name];
      if (there) return { state: 'held', ...there };
      locks[name] = { text, ageMs: 0 };
      return { state: 'made' };
    },
    look: async (name) => (locks[name] ? { state: 'held', ...locks[name] } : { state: 'none' }),
    remove: async (name, text) => {
      said.push(`remove ${short(name)}`);
      const reason = fail(`remove ${short(name)}`);
      if (reason !== undefined) return reason;
      if (!locks[name]) return GONE;
      if (locks[name].text !== text) return TAKEN;
      delete locks[name];
      return undefined;
    },
  };
  return { store, said, locks };
};

/** Hashes in names tell nothing to a reader. */
const short = (name: string): string => name.replaceAll(/ after [0-9a-f]{16}/g, ' >');

const bob = { text: lockOf('bob'), ageMs: 180_000 };
const mine = lockOf('alice');

/** The name of the right to remove bob's lock: made by doing it once. */
const rightOver = async (of: Standing): Promise<string> => {
  let right = '';
  const { store } = storeOf({ lag: of });
  const put: LockStore['put'] = (name, text) => {
    right ||= name;
    return store.put(name, text);
  };
  await replaceLock({ ...store, put }, 'lag', of, mine, true);
  return right;
};

describe('a lock that takes the place of another one', () => {
  it('is put by who has the right to, and nothing of that stays', async () => {
    const { store, said, locks } = storeOf({ lag: bob });
    expect(await replaceLock(store, 'lag', bob, mine, true)).toEqual({ state: 'made' });
    expect(said).toEqual(['put lag >', 'remove lag', 'put lag', 'remove lag >']);
    expect(Object.keys(locks)).toEqual(['lag']);
    expect(locks['lag']?.text).toBe(mine);
  });

  it('is put where the old one went meanwhile; swept, none is put', async () => {
    const gone = storeOf({});
    expect(await replaceLock(gone.store, 'lag', bob, mine, true)).toEqual({ state: 'made' });
    const swept = storeOf({ lag: bob });
    expect(await replaceLock(swept.store, 'lag', bob, mine, false)).toEqual({ state: 'made' });
    expect(swept.locks).toEqual({});
  });

  it('is not put where somebody else’s stands by now, who is named', async () => {
    const { store, locks } = storeOf({ lag: { text: lockOf('carol'), ageMs: 60_000 } });
    expect(await replaceLock(store, 'lag', bob, mine, true)).toEqual({
      state: 'failed',
      reason: 'now held by carol on adm2 (pid 12) for 1 min: Drain 4 nodes',
    });
    expect(Object.keys(locks)).toEqual(['lag']);
  });

  it('is not put while the old one cannot be removed, nor where the folder takes none', async () => {
    const stuck = storeOf({ lag: bob }, (deed) => (deed === 'remove lag' ? 'EROFS' : undefined));
    expect(await replaceLock(stuck.store, 'lag', bob, mine, true)).toEqual({
      state: 'failed',
      reason: 'EROFS',
    });
    expect(stuck.said).toEqual(['put lag >', 'remove lag', 'remove lag >']);
    const full = storeOf({ lag: bob }, () => 'ENOSPC');
    expect(await replaceLock(full.store, 'lag', bob, mine, true)).toEqual({
      state: 'failed',
      reason: 'ENOSPC',
    });
    expect(full.said).toEqual(['put lag >']);
  });
});

describe('a right to remove a lock', () => {
  it('that another console has now is left to it', async () => {
    const right = await rightOver(bob);
    const { store, said } = storeOf({ lag: bob, [right]: { text: lockOf('carol'), ageMs: 120_000 } });
    expect(await replaceLock(store, 'lag', bob, mine, true)).toEqual({
      state: 'failed',
      reason: 'it is being taken over by carol on adm2 (pid 12) for 2 min: Drain 4 nodes',
    });
    expect(said).toEqual(['put lag >']);
  });

  it('that was left behind is taken over, once, and nothing stays', async () => {
    const right = await rightOver(bob);
    const { store, said, locks } = storeOf({ lag: bob, [right]: { text: lockOf('carol'), ageMs: 120_001 } });
    expect(await replaceLock(store, 'lag', bob, mine, true)).toEqual({ state: 'made' });
    const takenOver = ['put lag >', 'put lag > >', 'remove lag >', 'put lag >', 'remove lag > >'];
    expect(said).toEqual([...takenOver, 'remove lag', 'put lag', 'remove lag >']);
    expect(Object.keys(locks)).toEqual(['lag']);
  });

  it('of a right left behind twice over is left to people', async () => {
    const right = await rightOver(bob);
    const left = { text: lockOf('carol'), ageMs: 200_000 };
    const over = (await rightOver(left)).replace('lag', right);
    const { store, said } = storeOf({
      lag: bob,
      [right]: left,
      [over]: { text: lockOf('dan'), ageMs: 200_000 },
    });
    expect(await replaceLock(store, 'lag', bob, mine, true)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('taken over by dan'),
    });
    expect(said).toEqual(['put lag >', 'put lag > >']);
  });

  it('that a third console was quicker to take is left to that one', async () => {
    const right = await rightOver(bob);
    const { store, said, locks } = storeOf({ lag: bob, [right]: { text: lockOf('carol'), ageMs: 200_000 } });
    const remove: LockStore['remove'] = async (name, text) => {
      const problem = await store.remove(name, text);
      if (name === right) locks[name] = { text: lockOf('eve'), ageMs: 0 };
      return problem;
    };
    expect(await replaceLock({ ...store, remove }, 'lag', bob, mine, true)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('taken over by eve'),
    });
    expect(said.at(-1)).toBe('remove lag > >');
    expect(locks['lag']).toEqual(bob);
  });
});
