import { expect, it } from 'vitest';
import { createLater, type Later } from '../../src/remedy/later.ts';

/** What a console owes, with an audit log that takes notes unless it is full. */
const ledger = (isFull = false): { later: Later; notes: string[]; lines: string[] } => {
  const notes: string[] = [];
  const lines: string[] = [];
  const audit = {
    append: (record: { run: string; detail: { text: string } }) => {
      notes.push(`${record.run}: ${record.detail.text}`);
      return Promise.resolve(isFull ? { ok: false, reason: 'the disk is full' } : { ok: true });
    },
  };
  const parts = { audit, log: (line: string) => void lines.push(line) };
  return { later: createLater(parts as unknown as Parameters<typeof createLater>[0]), notes, lines };
};

const owed = (key: string, attempt: () => Promise<string | undefined>) => ({
  key,
  run: 'r1',
  what: `lock ${key}`,
  attempt,
});

it('tells of what is not tried again, in the log and in words', async () => {
  const { later, notes, lines } = ledger();
  expect(await later.tell({ run: 'r1', what: 'a line' }, 'no room')).toBe('a line: no room');
  expect(notes).toEqual(['r1: a line: no room']);
  expect(lines).toEqual(['run r1: a line: no room']);
  expect(later.badges()).toEqual([]);
});

it('keeps what is tried again until it goes, in order, and says how much there is', async () => {
  const { later, notes, lines } = ledger();
  const now: { a: string | undefined; tries: string[] } = { a: 'busy', tries: [] };
  const attempt = (key: 'a' | 'b') => () => {
    now.tries.push(key);
    return key === 'a' ? Promise.resolve(now.a) : Promise.reject(new Error('cut'));
  };
  expect(await later.keep(owed('a', attempt('a')), 'busy')).toBe('lock a: busy; this console tries again');
  expect(later.badges()).toEqual(['lock a: busy; tried again']);
  await later.keep(owed('b', attempt('b')), 'gone');
  expect(later.badges()).toEqual(['lock a: busy; tried again (and 1 more thing)']);
  now.a = 'still busy';
  await later.retry();
  expect(now.tries).toEqual(['a']);
  expect(later.badges()[0]).toContain('lock a: still busy');
  expect(lines.at(-1)).toBe('run r1: still: lock a: still busy');
  now.a = undefined;
  await later.retry();
  expect(notes.at(-1)).toBe('r1: done now: lock a');
  expect(later.badges()).toEqual(['lock b: Error: cut; tried again']);
  later.forget('b');
  expect(later.badges()).toEqual([]);
});

it('what took its place meanwhile stays', async () => {
  const { later } = ledger();
  const newer = owed('a', () => Promise.resolve('newer'));
  await later.keep(
    owed('a', () => later.keep(newer, 'newer').then(() => undefined)),
    'older',
  );
  await later.retry();
  expect(later.badges()).toEqual(['lock a: newer; tried again']);
});

it('says when the audit log does not take it, and only then', async () => {
  const { later, lines } = ledger(true);
  await later.tell({ run: 'r1', what: 'a line' }, 'no room');
  expect(lines).toEqual(['run r1: a line: no room', 'run r1: the disk is full']);
});
