import { describe, expect, it } from 'vitest';
import type { AuditRecord } from '../../src/model/run.ts';
import { EMPTY_LOG, type Verified } from '../../src/audit/audit-verify.ts';
import { joinLogs } from '../../src/remedy/audit-elsewhere.ts';
import type { AuditLog } from '../../src/remedy/audit-log.ts';

const recordOf = (seq: number): AuditRecord => ({
  seq,
  at: '2026-11-22T02:00:00.000Z',
  monoMs: 1,
  prev: '0'.repeat(64),
  hash: `${seq}`.repeat(64),
  kind: 'note',
  operator: 'alice',
  uid: 1000,
  console: { host: 'vm', pid: 1, version: '0.1.0' },
  site: 'demo',
  detail: {},
});

const whole = (...seqs: number[]): Verified => ({ ...EMPTY_LOG, records: seqs.map(recordOf) });
const damaged: Verified = { ...whole(1), problems: [{ line: 3, text: 'was changed after it was written' }] };

/** This machine's log with two records, joined to what is read elsewhere; `asked`: how thoroughly each was read. */
const joined = (elsewhere: Verified | Error, over: Partial<AuditLog> = {}, own = whole(2)) => {
  const asked: (boolean | undefined)[] = [];
  const log: AuditLog = {
    file: '/state/audit.jsonl',
    append: async () => ({ ok: false, reason: 'not here' }),
    read: async (full) => {
      asked.push(full);
      return own;
    },
    check: async () => undefined,
    problem: () => undefined,
    publish: async () => undefined,
    warnings: () => [],
    ...over,
  };
  const both = joinLogs(log, '/tmp/other.jsonl', async (full) => {
    asked.push(full);
    if (elsewhere instanceof Error) throw elsewhere;
    return elsewhere;
  });
  return { both, asked };
};

describe('the log of the time when it was elsewhere', () => {
  it('comes before this one, is read as thoroughly, and stops nothing while it is whole', async () => {
    const { both, asked } = joined(whole(1), {}, { ...whole(2), problems: [{ line: 9, text: 'ours' }] });
    const read = await both.read(true);
    expect(read.records.map(({ seq }) => seq)).toEqual([1, 2]);
    expect(read.problems).toEqual([{ line: 9, text: 'ours' }]);
    expect(asked).toEqual([true, true]);
    expect(await both.check()).toBeUndefined();
    expect(asked.at(-1)).toBe(false);
    expect(both.problem()).toBeUndefined();
  });

  it('stops everything when it is damaged, with its place and how to go on', async () => {
    const { both } = joined(damaged);
    const said = /^the audit log of the time when it was elsewhere: \/tmp\/other\.jsonl: line 3 was changed/;
    expect(await both.check()).toMatch(said);
    expect(both.problem()).toMatch(said);
    expect((await both.read()).problems).toEqual([{ line: 0, text: expect.stringMatching(said) }]);
  });

  it('stops everything when it cannot be read, whatever was thrown', async () => {
    const { both } = joined(new Error('EIO: i/o error'));
    const said =
      'the audit log of the time when it was elsewhere cannot be read: /tmp/other.jsonl: EIO: i/o error';
    expect(await both.check()).toBe(said);
    expect(both.problem()).toBe(said);
    await expect(both.read()).rejects.toThrow('EIO');
  });

  it('what is wrong with the log in use is said first', async () => {
    const { both, asked } = joined(damaged, { check: async () => 'full disk', problem: () => 'full disk' });
    expect(await both.check()).toBe('full disk');
    expect(asked).toEqual([]);
    await both.read();
    expect(both.problem()).toBe('full disk');
  });
});
