import { describe, expect, it } from 'vitest';
import { judgeLock, type LogPlace, type Settled } from '../../src/remedy/lock-verdict.ts';
import { encodeLock, type LockInfo } from '../../src/remedy/lock-text.ts';

const log: LogPlace = { file: '/state/audit.jsonl', id: 'log1' };
const info: LockInfo = {
  owner: 'alice',
  uid: 7,
  host: 'adm1',
  pid: 12,
  stamp: 's',
  at: '2026-11-24T02:00:00Z',
  holdMs: 600_000,
  purpose: 'Drain 4 nodes',
  token: 't',
  run: 'r1',
  log,
};

interface Case {
  lock?: Partial<LockInfo>;
  text?: string;
  own?: boolean;
  proof?: string | undefined;
  ours?: LogPlace | 'none';
  active?: readonly string[];
  settled?: Settled;
  ageMs?: number;
}

/** A lock of our account whose console has provably ended, unless it is said otherwise. */
const judge = (given: Case = {}) => {
  const { lock, text, own = false, ours = log, active = [], ageMs = 1000 } = given;
  const proof = 'proof' in given ? given.proof : 'no such process';
  return judgeLock(
    {
      parts: {
        proofOfEnd: () => proof,
        operator: { uid: 7 } as Parameters<typeof judgeLock>[0]['parts']['operator'],
      },
      log: ours === 'none' ? undefined : ours,
      listActive: () => new Set(active),
      settle: () => Promise.resolve(given.settled ?? { state: 'settled', text: 'read again' }),
    },
    { text: text ?? encodeLock({ ...info, ...lock }), ageMs },
    own,
  );
};
const { run: _run, ...withoutRun } = info;
const { log: _log, ...withoutLog } = info;

describe('what may be done about a lock in the way', () => {
  it('of a console that has ended: taken over when what it had begun was read again', async () => {
    expect(await judge()).toEqual({ may: 'takeOver', why: 'no such process; read again' });
  });

  it.each<[string, Case, 'break' | 'wait', string]>([
    [
      'unsettled',
      { settled: { state: 'unsettled', text: 'unread' } },
      'break',
      'its console has ended (no such process), but unread',
    ],
    [
      'its undo may fire',
      { settled: { state: 'wait', text: 'undo at 3' } },
      'wait',
      'its console has ended (no such process), but undo at 3',
    ],
    [
      'of another account',
      { lock: { uid: 8 } },
      'break',
      'its console has ended (no such process), but it is of another account: ask alice',
    ],
    [
      'of no run',
      { text: encodeLock(withoutRun) },
      'break',
      'stands in another audit log (/state/audit.jsonl)',
    ],
    [
      'of no log',
      { text: encodeLock(withoutLog) },
      'break',
      'but what it had begun stands in another audit log',
    ],
    ['of another file', { lock: { log: { ...log, file: '/old' } } }, 'break', 'in another audit log (/old)'],
    [
      'of another log in its place',
      { lock: { log: { ...log, id: 'log0' } } },
      'break',
      'in another audit log',
    ],
    ['of a console that has no log', { ours: 'none' }, 'break', 'in another audit log'],
    [
      'of none, by a console of none',
      { ours: 'none', text: encodeLock(withoutLog) },
      'break',
      'in another audit log',
    ],
    ['at work', { proof: undefined }, 'wait', 'its console may be at work: ask alice, or wait'],
    [
      'old',
      { proof: undefined, ageMs: 600_000 },
      'break',
      'it is not proven that its console has ended: ask alice',
    ],
    ['a moment before it is old', { proof: undefined, ageMs: 599_999.5 }, 'wait', 'ask alice'],
    ['not readable', { text: 'x' }, 'wait', 'ask whoever holds it'],
  ])('%s', async (_, given, may, why) => {
    expect(await judge(given)).toEqual({ may, why: expect.stringContaining(why) });
  });

  it('our own: waits for its run, and is taken over when that is over', async () => {
    expect(await judge({ own: true, active: ['r1'] })).toEqual({
      may: 'wait',
      why: 'this console itself is at work under it',
    });
    const over = 'it is this console’s own, of a run that is over';
    expect(await judge({ own: true, proof: undefined })).toEqual({
      may: 'takeOver',
      why: `${over}; read again`,
    });
    expect(await judge({ own: true, lock: { uid: 8 } })).toMatchObject({
      why: `${over}, but it is of another account: ask alice`,
    });
    expect(await judge({ own: true, text: 'x' })).toMatchObject({ may: 'wait' });
    // A run of that number somewhere else is none of ours.
    expect(await judge({ active: ['r1'] })).toMatchObject({ may: 'takeOver' });
  });
});
