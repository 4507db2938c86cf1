import { describe, expect, it, vi } from 'vitest';
import { acquire } from '../../src/remedy/acquire.ts';
import type { Later } from '../../src/remedy/later.ts';
import type { HeldLock, Taken } from '../../src/remedy/locks.ts';
import type { EngineParts } from '../../src/remedy/parts.ts';
import { takeLocks, type Locking } from '../../src/remedy/take-locks.ts';
import { madePlan, madeTarget } from './made.ts';

vi.mock('../../src/remedy/acquire.ts', async (original) => {
  const all = await original<typeof import('../../src/remedy/acquire.ts')>();
  return { ...all, acquire: vi.fn(all.acquire) };
});

/** What the last taking of locks asked of earlier runs. */
const settle = vi.fn(async () => ({ settled: true }));

/** Takes the locks of a plan on two groups; gives what was done, in order. */
const take = async (
  over: { unwritable?: string; refuses?: string; unread?: boolean } = {},
): Promise<{ did: string[]; got: unknown }> => {
  const did: string[] = [];
  const lockOf = (group: string): HeldLock => ({
    group,
    isExpired: () => false,
    check: async () => undefined,
    release: async () => void did.push(`release ${group}`),
  });
  const parts = {
    audit: {
      check: async () => {
        did.push('try the log');
        return over.unwritable;
      },
    },
    locks: {
      take: async (group: string): Promise<Taken> => {
        did.push(`take ${group}`);
        return over.refuses === group
          ? { state: 'refused', reason: 'held by bob' }
          : { state: 'taken', lock: lockOf(group) };
      },
    },
  } as unknown as EngineParts;
  const locking = {
    past: {
      read: async () => {
        did.push('read what was done');
        if (over.unread === true) throw new Error('EIO');
        return [];
      },
      recent: { read: async () => void did.push('know it') },
      settle,
    },
    judging: async () => ({}),
    later: { retry: async () => void did.push('pay what is owed') } as unknown as Later,
  } as unknown as Locking;
  const plan = madePlan({ targets: [madeTarget({ lockGroups: ['a', 'b'] })] });
  const got = await takeLocks(parts, plan, 'r-1', locking).catch((error: unknown) => error);
  return { did, got };
};

describe('the locks of a confirmed plan', () => {
  it('are taken once the log can be written and what is owed was tried; what was done lately is read under them', async () => {
    const { did, got } = await take();
    expect(did).toEqual([
      'try the log',
      'pay what is owed',
      'take a',
      'take b',
      'read what was done',
      'know it',
    ]);
    expect(got).toMatchObject({ locks: [{ group: 'a' }, { group: 'b' }] });
  });

  it('of others are judged by what a look at their runs tells, not by the log alone', async () => {
    await take();
    await vi.mocked(acquire).mock.lastCall?.[3].settle('r-9');
    expect(settle.mock.calls).toEqual([['r-9', true]]);
  });

  it('are not even tried without a log', async () => {
    expect(await take({ unwritable: 'the disk is full' })).toEqual({
      did: ['try the log'],
      got: { refused: true, guard: '14 audit', reason: 'the disk is full' },
    });
  });

  it('are all given back where one is refused, and nothing more is read', async () => {
    const { did, got } = await take({ refuses: 'b' });
    expect(did).toEqual(['try the log', 'pay what is owed', 'take a', 'take b', 'release a']);
    expect(got).toMatchObject({ refused: true, guard: '12 lock' });
  });

  it('are all given back where it can not be read what was done', async () => {
    const { did, got } = await take({ unread: true });
    expect(did.slice(4)).toEqual(['read what was done', 'release b', 'release a']);
    expect(got).toEqual(new Error('EIO'));
  });
});
