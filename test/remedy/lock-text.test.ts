import { describe, expect, it } from 'vitest';
import { ageOf, fileNameOf } from '../../src/remedy/lock-store.ts';
import {
  decodeLock,
  encodeLock,
  ownerText,
  msUntilStale,
  type LockInfo,
} from '../../src/remedy/lock-text.ts';

const info: LockInfo = {
  owner: 'alice',
  host: 'adm2',
  pid: 12,
  stamp: 's',
  at: '2026-11-22T02:00:00.000Z',
  holdMs: 60_000,
  purpose: 'Drain 4 nodes',
  token: 't',
};

describe('what a lock says', () => {
  it('is read as it was written; of words too long, half a line or another shape nothing is', () => {
    expect(decodeLock(encodeLock(info))).toEqual(info);
    expect(decodeLock(encodeLock({ ...info, purpose: 'x'.repeat(255) }))).toBeDefined();
    expect(decodeLock(encodeLock({ ...info, purpose: 'x'.repeat(256) }))).toBeUndefined();
    const log = (file: string): LockInfo => ({ ...info, log: { file, id: 'l' } });
    expect(decodeLock(encodeLock(log('/'.repeat(4096))))).toBeDefined();
    expect(decodeLock(encodeLock(log('/'.repeat(4097))))).toBeUndefined();
    expect(decodeLock(encodeLock(info).slice(0, -5))).toBeUndefined();
    expect(decodeLock('null')).toBeUndefined();
  });

  it('whatever it claims, it is held for two hours at most and never for less than nothing', () => {
    expect(decodeLock(encodeLock({ ...info, holdMs: 1e300 }))?.holdMs).toBe(7_200_000);
    expect(decodeLock(encodeLock({ ...info, holdMs: -5 }))?.holdMs).toBe(0);
  });

  it('goes stale when its time is over, one that nobody can read after an hour, one dated in the future at once', () => {
    expect(msUntilStale({ text: encodeLock(info), ageMs: 20_000 })).toBe(40_000);
    expect(msUntilStale({ text: encodeLock(info), ageMs: 90_000 })).toBe(0);
    expect(msUntilStale({ text: '?', ageMs: 0 })).toBe(3_600_000);
    expect(msUntilStale({ text: encodeLock(info), ageMs: Infinity })).toBe(0);
  });

  it('names its owner, or says why it cannot', () => {
    expect(ownerText({ text: encodeLock(info), ageMs: 180_000 })).toBe(
      'alice on adm2 (pid 12) for 3 min: Drain 4 nodes',
    );
    const [owner, host, purpose] = ['o'.repeat(61), 'h'.repeat(61), 'p'.repeat(101)];
    expect(ownerText({ text: encodeLock({ ...info, owner, host, purpose }), ageMs: 0 })).toBe(
      `${owner.slice(1)}<+1 more> on ${host.slice(1)}<+1 more> (pid 12) for 0 s: ${purpose.slice(1)}<+1 more>`,
    );
    expect(ownerText({ text: '?', ageMs: Infinity })).toBe(
      'somebody (the lock cannot be read) since a time in the future',
    );
  });
});

describe('a lock as a file', () => {
  it('has an age of none where its clock is a minute ahead, and of unknown where it is more', () => {
    expect([ageOf(1000, 400), ageOf(1000, 61_000), ageOf(1000, 61_001)]).toEqual([600, 0, Infinity]);
  });

  it('of whatever group has a plain name that is no other group’s, and no longer than a file’s may be', () => {
    expect(fileNameOf('lag Po_9-8/\n')).toBe('lag%20Po_9-8%2f%0a');
    expect(fileNameOf('é')).toBe('%c3%a9');
    expect(fileNameOf('x'.repeat(150))).toBe('x'.repeat(150));
    const [one, other] = [fileNameOf(`${'x'.repeat(150)}1`), fileNameOf(`${'x'.repeat(150)}2`)];
    expect(one).toMatch(/^x{80}-[0-9a-f]{64}$/);
    expect(one).not.toBe(other);
  });
});
