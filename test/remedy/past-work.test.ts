import { describe, expect, it, vi } from 'vitest';
import type { AuditRecord } from '../../src/model/run.ts';
import { AuditUnreadable, createPastActions } from '../../src/remedy/past-actions.ts';
import type { Runs } from '../../src/remedy/runs.ts';
import { START } from './logged.ts';
import { reads } from './look-desk.ts';
import { consoleOver, hold, intent } from './past-console.ts';
import { node } from './world.ts';

describe('the log of what was done', () => {
  it('that cannot be read is an error of its own, with its cause', async () => {
    const { past, parts } = consoleOver([]);
    const cause = new Error('EIO');
    vi.mocked(parts.audit.read).mockRejectedValue(cause);
    await expect(past.read()).rejects.toThrow(AuditUnreadable);
    await expect(past.read()).rejects.toMatchObject({ message: 'the audit log cannot be read', cause });
  });

  it('that is damaged is read as far as it goes: what it lacks proves nothing', async () => {
    const { past, now, log } = consoleOver([intent('r-1', 'n1')]);
    expect((await past.read())[0]?.gaps).toBeUndefined();
    expect(log).not.toHaveBeenCalled();
    now.problems = [
      { line: 3, text: 'was changed' },
      { line: 4, text: 'too' },
    ];
    expect((await past.read())[0]?.gaps).toBe(true);
    expect(log.mock.calls).toEqual([['audit log /state/audit.jsonl: line 3 was changed']]);
  });

  it('tells nothing of a site that is gone with its process', async () => {
    const records = [intent('r-1', 'n1'), intent('r-2', 'n2')];
    const { parts } = consoleOver(records);
    const { past: all } = consoleOver(records);
    expect(await all.read()).toHaveLength(2);
    const concerned = { ...parts, concerns: ({ run }: AuditRecord) => run === 'r-2' };
    const past = createPastActions(concerned, {} as Runs, {} as never, async () => ({}) as never);
    expect((await past.read()).map(({ run }) => run)).toEqual(['r-2']);
  });

  it('and what colleagues did are told together; what is owed them is tried when their folder answers', async () => {
    const { past, now, retry } = consoleOver([intent('r-1', 'n1')]);
    expect((await past.runs()).map(({ run }) => run)).toEqual(['r-1']);
    expect(retry).not.toHaveBeenCalled();
    now.polled = { past: [{ run: 'r-9', verb: 'drain', subject: 'node n9', at: START, by: 'carol' }] };
    expect((await past.runs()).map(({ run }) => run)).toEqual(['r-1', 'r-9']);
    expect(retry).toHaveBeenCalledTimes(1);
  });
});

describe('what is in the way of a plan', () => {
  const what = 'fake.drain on n1 by bob';

  it('is nothing where nothing is open on its subjects, or a look tells', async () => {
    const other = consoleOver([intent('r-1', 'n1')]);
    expect(await other.past.findBlock([node('n2')])).toBeUndefined();
    expect(await other.past.findBlock([node('n1')])).toBeUndefined();
    expect(other.written()).toEqual(['n1 done']);
  });

  it('is a run that goes on, by its process', async () => {
    const record = intent('r-1', 'n1');
    const { past, active } = consoleOver([
      { ...record, console: { host: 'adm1', pid: 1, version: '1', stamp: 'boot/1' } },
    ]);
    active.add('r-1');
    expect(await past.findBlock([node('n1')])).toMatchObject({
      reason: `${what} is still under way (pid 1)`,
    });
  });

  it('is what may go on for so long, or is undone by itself', async () => {
    const early = consoleOver([intent('r-1', 'n1')], { atMs: 20_000 });
    expect(await early.past.findBlock([node('n1')])).toMatchObject({
      guard: '10 unknown',
      reason: `outcome unknown: ${what}, which may go on for 40 s`,
    });
    expect(early.slept).toEqual([]);
    const held = consoleOver([intent('r-1', 'n1', { hold, boundMs: 7_200_000 })]);
    expect(await held.past.findBlock([node('n1')])).toMatchObject({
      reason: `${what} was left while the change was held: it is undone within 1 h unless it was kept`,
    });
  });

  it('is what a look does not tell, or what could not be written down', async () => {
    const unread = consoleOver([intent('r-1', 'n1')], { verify: reads('unread', 'no answer') });
    expect(await unread.past.findBlock([node('n1')])).toMatchObject({
      guard: '10 unknown',
      reason: `outcome unknown: ${what}; it is not known now: no answer`,
    });
    const full = consoleOver([intent('r-1', 'n1')]);
    vi.mocked(full.parts.audit.append).mockResolvedValue({ ok: false, reason: 'full disk' });
    expect(await full.past.findBlock([node('n1')])).toMatchObject({ guard: '14 audit', reason: 'full disk' });
  });
});

it('what has no words any more is in the way for ten minutes, then it is for a person to look at', async () => {
  const gone = { ...intent('r-1', 'n1'), action: 'fake.gone' };
  const young = consoleOver([gone], { atMs: 5 * 60_000, isRemembered: false });
  expect(await young.past.findBlock([node('n1')])).toMatchObject({
    guard: '10 unknown',
    reason: expect.stringContaining('whether it took effect is not known from the present readings'),
  });
  const old = consoleOver([gone], { atMs: 11 * 60_000, isRemembered: false });
  expect(await old.past.findBlock([node('n1')])).toBeUndefined();
});

describe('whether all of a run is known', () => {
  it('is read again only where that is asked for', async () => {
    const { past, written } = consoleOver([intent('r-1', 'n1'), intent('r-2', 'n1'), intent('r-1', 'n2')]);
    expect(await past.settle('r-1', false)).toEqual({ state: 'unsettled', text: 'outcome unknown on n1' });
    expect(written()).toEqual([]);
    expect(await past.settle('r-1', true)).toEqual({
      state: 'settled',
      text: 'what its run r-1 had begun is known: n1 done (read again now), n2 done (read again now)',
    });
    expect(written()).toEqual(['n1 done', 'n2 done']);
  });

  it('is told by its own records, whatever else is open on the same subject', async () => {
    const { past } = consoleOver([intent('r-0', 'n1'), intent('r-1', 'n1')]);
    expect(await past.settle('r-1', true)).toMatchObject({ state: 'settled' });
  });

  it('is not, where the look does not tell: in the words of the screen', async () => {
    const { past } = consoleOver([intent('r-1', 'n1')], { verify: reads('unread', 'no answer') });
    expect(await past.settle('r-1', true)).toEqual({
      state: 'unsettled',
      text: 'fake.drain on n1, begun by bob (pid 77), was left without a result: it is not known now: no answer',
    });
  });
});
