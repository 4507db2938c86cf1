import { describe, expect, it } from 'vitest';
import type { AuditRecord } from '../../src/model/run.ts';
import { remedyRequests } from '../../src/remedy/requests.ts';
import { exceedLock } from '../../src/remedy/reserved.ts';
import { verifyOne, readUndoFailure } from '../../src/remedy/verify-sent.ts';
import { createWorld, node, self } from './world.ts';

const record = (seq: number, over: Partial<AuditRecord> = {}): AuditRecord => ({
  seq,
  at: new Date(seq * 1000).toISOString(),
  monoMs: 0,
  prev: '0',
  hash: `h${seq}`,
  kind: 'note',
  operator: 'bob',
  uid: 1001,
  site: 'test',
  console: self,
  detail: { text: 'said' },
  ...over,
});

describe('what a screen asks of the engine', () => {
  const called: string[] = [];
  const requests = (
    records: readonly AuditRecord[] = [],
    problems: readonly object[] = [],
    written: object = { ok: true },
  ) =>
    remedyRequests(
      {
        runs: () => [],
        drop: (plan: string) => void called.push(`drop ${plan}`),
        stop: (run: string) => void called.push(`stop ${run}`),
      } as never,
      {
        read: async () => ({ records, problems }),
        append: async (entry: object) => {
          called.push(JSON.stringify(entry));
          return written;
        },
      } as never,
    );

  it('drops a plan and stops a run, each by its name', async () => {
    expect(await requests().drop({ plan: 'p-1' })).toEqual({});
    expect(await requests().stop({ run: 'r-1' })).toEqual({});
    expect(called.splice(0)).toEqual(['drop p-1', 'stop r-1']);
  });

  it('a shell is opened only when that is written down', async () => {
    expect(await requests().shell({ host: 'ctl1' })).toEqual({ written: true });
    expect(called.splice(0)).toEqual(['{"kind":"shell","target":"ctl1","detail":{"text":"shell opened"}}']);
    expect(await requests([], [], { ok: false, reason: 'disk full' }).shell({ host: 'ctl1' })).toEqual({
      refused: 'disk full',
    });
  });

  it('the log view gets what is newer than it has, and at most 2,000 records at once', async () => {
    const run = (id: string, from: number, count: number): AuditRecord[] =>
      Array.from({ length: count }, (_, at) => record(from + at, { run: id }));
    const seen = async (records: readonly AuditRecord[], since?: number) => {
      const { entries } = await requests(records).audit(since === undefined ? {} : { since });
      return entries.map(({ records: of }) => of.length);
    };
    expect(await seen([...run('a', 1, 2), ...run('b', 5, 3)])).toEqual([3, 2]);
    expect(await seen([...run('a', 1, 2), ...run('b', 5, 3)], 2000)).toEqual([3, 2]);
    expect(await seen([...run('a', 1, 2), ...run('b', 5, 3)], 2001)).toEqual([3]);
    expect(await seen([...run('a', 1, 1), ...run('b', 5, 2000)])).toEqual([2000]);
    expect(await seen([...run('a', 1, 1), ...run('b', 5, 1999)])).toEqual([1999, 1]);
  });

  it('of a seal it gets how much it carries; everything else as it was written', async () => {
    const sealed = record(1, { kind: 'sealed', detail: { carried: [1, 2], reason: 'moved' } });
    const details = (await requests([sealed, record(2)]).audit({})).entries.flatMap(({ records }) =>
      records.map(({ detail }) => detail),
    );
    expect(details).toEqual([{ text: 'said' }, { carried: '2 records of the sealed log', reason: 'moved' }]);
  });

  it('says that the log is whole, or what is wrong with it first and how much more', async () => {
    const wrong = { line: 3, reason: 'its hash is not right' };
    expect(await requests().audit({})).toEqual({ entries: [], verified: true });
    const one = await requests([], [wrong]).audit({});
    expect(one).toMatchObject({ verified: false, problem: expect.stringContaining('line 3') });
    expect(one.problem).not.toContain('more');
    expect((await requests([], [wrong, wrong, wrong]).audit({})).problem).toMatch(/ \(and 2 more\)$/);
  });
});

describe('an undo with a lock in its way', () => {
  const undo = {
    verb: 'undo',
    danger: 'reversible',
    targets: [{ subject: node('n1') }],
    exceeded: [],
    confirmText: 'y',
    armedAfterMs: 0,
  } as never;

  it('goes on for a typed reason, one class of danger up', () => {
    expect(exceedLock(undo, {})).toBe(undo);
    expect(exceedLock(undo, { breakLock: 'switched off' })).toMatchObject({
      danger: 'service',
      confirmText: 'n1',
      breakLock: 'switched off',
      exceeded: [{ reason: expect.stringContaining('switched off') }],
    });
    expect(exceedLock(undo, { exceed12: 'folder away' })).toMatchObject({
      danger: 'service',
      withoutLock: 'folder away',
      exceeded: [{ reason: 'folder away' }],
    });
  });

  it('takes nothing else, and no reason that says nothing', () => {
    for (const set of [{ exceed6: 'agreed' }, { reason: 'why' }, { breakLock: 'x' }])
      expect(exceedLock(undo, set)).toMatchObject({ refused: true, guard: 'parameters' });
  });
});

describe('what is read back', () => {
  const READS = [{ probe: 'fake.nodes', host: 'ctl1' }];
  const broken = (thrown: unknown) => () => {
    throw thrown;
  };

  it('an undo tells why it failed, or nothing; what can’t be judged is said', async () => {
    const { parts } = createWorld(1);
    const told = (say: () => string | undefined) => readUndoFailure(parts, { reads: READS, explain: say });
    expect(await readUndoFailure(parts, undefined)).toBe('');
    expect(await told(() => undefined)).toBe('');
    expect(await told(() => 'no login')).toBe('; its undo failed: no login');
    expect(await told(broken(new Error('bug')))).toBe('; what its undo reported could not be judged: bug');
    expect(await told(broken('word'))).toBe('; what its undo reported could not be judged: word');
  });

  it('what no action can judge is unknown; of a refused command it is looked at for 10 s only', async () => {
    const { parts, clock } = createWorld(1);
    const verify = (check: () => never) => ({ text: 'so', reads: READS, deadlineMs: 60_000, check });
    for (const thrown of [new Error('bug'), 'bug'])
      expect(await verifyOne(parts, verify(broken(thrown) as () => never))).toMatchObject({
        outcome: 'unknown',
        text: 'what is true now could not be read: bug',
      });
    const before = clock.mono();
    const refused = { state: 'rejected', changed: false, text: 'no', results: [] } as const;
    expect(await verifyOne(parts, verify(broken('bug') as () => never), refused)).toMatchObject({
      outcome: 'failed',
      text: 'no; what is true now could not be read: bug',
    });
    expect(clock.mono() - before).toBeLessThan(12_000);
  });
});
