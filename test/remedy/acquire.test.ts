import { describe, expect, it } from 'vitest';
import { acquire, releaseAll, sweep } from '../../src/remedy/acquire.ts';
import type { AuditEntry, AuditLog } from '../../src/remedy/audit-log.ts';
import { createLater } from '../../src/remedy/later.ts';
import { GONE } from '../../src/remedy/lock-store.ts';
import type { Judging } from '../../src/remedy/lock-verdict.ts';
import type { Former, HeldLock, Locks, Taken, TakeOptions } from '../../src/remedy/locks.ts';
import type { EngineParts } from '../../src/remedy/parts.ts';
import type { Prepared, PreparedTarget } from '../../src/remedy/prepared.ts';
import { operator } from './world.ts';

const judging: Judging = {
  parts: { operator, proofOfEnd: () => undefined },
  log: { file: '/state/audit.jsonl', id: 'log-1' },
  listActive: () => new Set(),
  settle: async () => ({ state: 'settled', text: 'it was read' }),
};

const targetOf = (deadlineMs: number, ...lockGroups: string[]): PreparedTarget =>
  ({ lockGroups, steps: [], verify: { deadlineMs } }) as unknown as PreparedTarget;

const planOf = (targets: readonly PreparedTarget[], over: Partial<Prepared> = {}): Prepared =>
  ({ action: 'fake.drain', title: 'Drain 4 nodes', targets, ...over }) as Prepared;

/** The lock itself is added. */
type Answer = Extract<Taken, { state: 'refused' }> | Omit<Extract<Taken, { state: 'taken' }>, 'lock'>;

const former: Former = { group: 'lag', owner: 'bob on adm2', how: 'takeOver', why: 'its process is gone' };

/** Locks that answer by the group's name, and all that is done with them, in order. */
const desk = (
  answers: Record<string, (options: TakeOptions) => Answer> = {},
  releases: Record<string, readonly (string | undefined)[]> = {},
  auditFails = false,
) => {
  const said: string[] = [];
  const asked: TakeOptions[] = [];
  const written: AuditEntry[] = [];
  const logged: string[] = [];
  const turns = new Map<string, number>();
  const lockOf = (group: string): HeldLock => ({
    group,
    isExpired: () => false,
    check: async () => undefined,
    release: async () => {
      said.push(`release ${group}`);
      const turn = turns.get(group) ?? 0;
      turns.set(group, turn + 1);
      return releases[group]?.[turn];
    },
  });
  const locks: Locks = {
    take: async (group, options) => {
      said.push(`take ${group}${options.localOnly === true ? ' here' : ''}`);
      asked.push(options);
      return { lock: lockOf(group), ...(answers[group]?.(options) ?? { state: 'taken' }) } as Taken;
    },
    sweep: async (group) => [{ ...former, group }],
    badges: () => [],
  };
  const audit = {
    append: async (entry: AuditEntry) => {
      written.push(entry);
      return auditFails ? { ok: false, reason: 'the disk is full' } : { ok: true };
    },
  } as unknown as AuditLog;
  const parts = { locks, audit, log: (text: string) => logged.push(text) } as unknown as EngineParts;
  const later = createLater(parts);
  const take = (plan: Prepared, by = judging) => acquire(parts, plan, 'run-7', by, later);
  return { said, asked, written, logged, parts, later, lockOf, take };
};

const refusal =
  (over: Partial<Taken> = {}) =>
  (): Answer => ({
    state: 'refused',
    reason: 'held by bob',
    ...over,
  });

describe('the locks of a run', () => {
  it('are one of each group, in one order everywhere, and tell for whom and how long', async () => {
    const { said, asked, written, take } = desk();
    const got = await take(planOf([targetOf(10_000, 'b', 'a'), targetOf(20_000, 'b')]));
    expect('locks' in got && got.locks.map(({ group }) => group)).toEqual(['a', 'b']);
    expect(said).toEqual(['take a', 'take b']);
    // Five minutes, and for each target its verification and half a minute of readings.
    expect(asked[0]).toMatchObject({
      purpose: 'Drain 4 nodes (run-7)',
      holdMs: 300_000 + 40_000 + 50_000,
      run: 'run-7',
      log: judging.log,
      breakIt: false,
    });
    expect(written).toEqual([]);
  });

  it('are never held longer than two hours; without a log of ours they name none', async () => {
    const { asked, take } = desk();
    await take(planOf([targetOf(1e9, 'a')]), { ...judging, log: undefined });
    expect(asked[0]?.holdMs).toBe(7_200_000);
    expect(asked[0]).not.toHaveProperty('log');
  });

  it('are all given back when one is refused, with the way on that helps', async () => {
    const { said, take } = desk({ b: refusal({ helps: 'breakLock' }) });
    expect(await take(planOf([targetOf(1, 'a', 'b', 'c')]))).toEqual({
      refused: true,
      guard: '12 lock',
      reason: 'held by bob; to break it: --set breakLock="why it is safe" (exceed12 does not help here)',
    });
    expect(said).toEqual(['take a', 'take b', 'release a']);
    const other = desk({ a: refusal({ helps: 'exceed12' }) });
    expect(await other.take(planOf([targetOf(1, 'a')]))).toMatchObject({
      reason: expect.stringMatching(
        /^held by bob; to go on with the locks of this machine alone.*exceed12=.*breakLock does not help/,
      ),
    });
    const none = desk({ a: refusal() });
    expect(await none.take(planOf([targetOf(1, 'a')]))).toMatchObject({
      reason: 'held by bob; neither breakLock nor exceed12 helps now',
    });
  });

  it('that cannot be given back are told of with the refusal', async () => {
    const { take } = desk({ b: refusal() }, { a: ['EIO'] });
    expect(await take(planOf([targetOf(1, 'a', 'b')]))).toMatchObject({
      reason: expect.stringMatching(
        /helps now; the lock on a could not be released: EIO; this console tries/,
      ),
    });
  });

  it('are this machine’s only for a typed reason, and only where that helps', async () => {
    const unreached = ({ localOnly }: TakeOptions): Answer =>
      localOnly === true ? { state: 'taken' } : refusal({ helps: 'exceed12' })();
    const typed = { withoutLock: 'admin1 is down' };
    const with12 = desk({ a: unreached });
    expect(await with12.take(planOf([targetOf(1, 'a')], typed))).toHaveProperty('locks');
    expect(with12.said).toEqual(['take a', 'take a here']);
    const untyped = desk({ a: unreached });
    expect(await untyped.take(planOf([targetOf(1, 'a')]))).toHaveProperty('refused');
    expect(untyped.said).toEqual(['take a']);
    const held = desk({ a: refusal({ helps: 'breakLock' }) });
    expect(await held.take(planOf([targetOf(1, 'a')], typed))).toHaveProperty('refused');
    expect(held.said).toEqual(['take a']);
    const free = desk();
    await free.take(planOf([targetOf(1, 'a')], typed));
    expect(free.said).toEqual(['take a']);
  });

  it('that took the place of another are written down: by proof without a reason, broken with the typed one', async () => {
    const lock = { owner: 'bob' } as Former['lock'] & object;
    const by = (how: Former['how']) => () => ({ state: 'taken' as const, former: { ...former, how, lock } });
    const plan = planOf([targetOf(1, 'lag')], { breakLock: 'bob said so' });
    const broken = desk({ lag: by('break') });
    await broken.take(plan);
    expect(broken.asked[0]?.breakIt).toBe(true);
    expect(broken.written).toEqual([
      {
        kind: 'lockBroken',
        run: 'run-7',
        action: 'fake.drain',
        detail: {
          group: 'lag',
          owner: 'bob on adm2',
          reason: 'bob said so',
          text: 'the lock was broken: its process is gone',
          lock,
        },
      },
    ]);
    const over = desk({ lag: by('takeOver') });
    expect(await over.take(plan)).toHaveProperty('locks');
    expect(over.written[0]?.detail).toEqual({
      group: 'lag',
      owner: 'bob on adm2',
      text: 'the console that held the lock has ended: its process is gone',
      lock,
    });
  });

  it('are given back when that cannot be written down', async () => {
    const { said, take } = desk({ b: () => ({ state: 'taken', former }) }, {}, true);
    expect(await take(planOf([targetOf(1, 'a', 'b')]))).toMatchObject({ reason: 'the disk is full' });
    expect(said).toEqual(['take a', 'take b', 'release b', 'release a']);
  });

  it('are given back when something is thrown in between', async () => {
    const { said, take } = desk({
      b: () => {
        throw new Error('a defect');
      },
    });
    await expect(take(planOf([targetOf(1, 'a', 'b')]))).rejects.toThrow('a defect');
    expect(said).toEqual(['take a', 'take b', 'release a']);
  });
});

describe('locks that are released', () => {
  it('are done with at once, the last taken first; nothing is said', async () => {
    const { said, later, lockOf } = desk();
    expect(await releaseAll(later, 'run-7', [lockOf('a'), lockOf('b')])).toEqual([]);
    expect(said).toEqual(['release b', 'release a']);
    expect(later.badges()).toEqual([]);
  });

  it('of which one stays are tried again until it goes, or there is nothing left to release', async () => {
    const { written, later, lockOf } = desk({}, { a: ['EIO', 'EIO again'], b: ['EIO', GONE] });
    expect(await releaseAll(later, 'run-7', [lockOf('a'), lockOf('b')])).toEqual([
      'the lock on b could not be released: EIO; this console tries again',
      'the lock on a could not be released: EIO; this console tries again',
    ]);
    await later.retry();
    expect(later.badges()).toEqual(['the lock on a could not be released: EIO again; tried again']);
    await later.retry();
    expect(later.badges()).toEqual([]);
    expect(written.map(({ detail }) => detail['text'])).toContain(
      'done now: the lock on a could not be released',
    );
  });

  it('of which one is gone are told of, and not tried again', async () => {
    const { said, later, lockOf } = desk({}, { a: [GONE] });
    expect(await releaseAll(later, 'run-7', [lockOf('a')])).toEqual([
      'the lock on a could not be released: it is gone',
    ]);
    await later.retry();
    expect(said).toEqual(['release a']);
  });
});

describe('locks of consoles that have ended', () => {
  it('are swept with a record of each', async () => {
    const { written, logged, parts } = desk();
    await sweep(parts, 'lag', judging);
    expect(written).toEqual([
      {
        kind: 'lockBroken',
        detail: {
          group: 'lag',
          owner: 'bob on adm2',
          text: 'the console that held the lock has ended: its process is gone',
        },
      },
    ]);
    expect(logged).toEqual([]);
  });

  it('are told of in the program’s log where the audit log takes no record', async () => {
    const { logged, parts } = desk({}, {}, true);
    await sweep(parts, 'lag', judging);
    expect(logged).toEqual(['lock of lag freed: the disk is full']);
  });
});
