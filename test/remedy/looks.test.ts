import { describe, expect, it, vi } from 'vitest';
import type { LoggedAction } from '../../src/audit/logged-actions.ts';
import type { RunView } from '../../src/model/run.ts';
import type { AuditEntry } from '../../src/remedy/audit-log.ts';
import { createLater } from '../../src/remedy/later.ts';
import { createLooks, findInTheWay } from '../../src/remedy/looks.ts';
import { memoryKey } from '../../src/remedy/revive.ts';
import type { PreparedTarget } from '../../src/remedy/prepared.ts';
import type { Runs } from '../../src/remedy/runs.ts';
import { logged, START } from './logged.ts';
import { lookDesk, reads } from './look-desk.ts';
import { preparedHold, preparedTarget } from './prepared.ts';
import { fakeAction, node } from './world.ts';

const HOUR = 3_600_000;
const onNode = (id: string, over: Partial<LoggedAction> = {}, detail: Partial<LoggedAction['detail']> = {}) =>
  logged({ subject: node(id), ...over }, { subject: node(id), ...detail });
const restored = { text: '', reads: [], deadlineMs: 1 };
const hold = { by: 'timer' as const, seconds: 600, text: '', restored };

/** Looks by a console that remembers these targets, with `fake.drain` as its action. */
const looking = (
  remembered: readonly (readonly [LoggedAction, Partial<PreparedTarget>])[],
  { atMs = HOUR, full = false }: { atMs?: number; full?: boolean } = {},
) => {
  const desk = lookDesk(atMs);
  const written: AuditEntry[] = [];
  const views: RunView[] = [];
  const logs: string[] = [];
  const told = vi.fn(async () => undefined);
  const parts = {
    ...desk.parts,
    actionSets: [{ system: 'fake', actions: [fakeAction({ wants: true })] }],
    console: { host: 'adm1', pid: 1, version: '1', stamp: 'boot/1' },
    liveness: ({ console }: LoggedAction['intent']) => (console.pid === 88 ? 'alive' : 'dead'),
    sharedActions: { tell: told },
    log: (line: string) => void logs.push(line),
    audit: {
      append: async (entry: AuditEntry) => {
        if (full) return { ok: false, reason: 'full disk' };
        written.push(entry);
        return { ok: true };
      },
    },
  } as unknown as typeof desk.parts;
  const memory = new Map(
    remembered.map(([one, target]) => [memoryKey(one.run, one), preparedTarget(target)] as const),
  );
  const runs = {
    memory,
    listActive: () => new Set<string>(),
    settle: (view: RunView) => void views.push(view),
  } as unknown as Runs;
  const looks = createLooks(parts, runs, createLater(parts));
  return { ...desk, looks, written, views, logs, told, memory };
};

const outcomes = (written: readonly AuditEntry[]) =>
  written.map(({ outcome, target }) => `${target} ${outcome}`);

describe('a look', () => {
  const one = onNode('n1');

  it('that has the last word writes it down, shows it, and takes the line of colleagues back', async () => {
    const done = looking([[one, { verify: reads('yes', 'n1 is drained') }]]);
    expect(await done.looks.lookAt(one, [one])).toEqual({
      outcome: 'done',
      text: 'read again: n1 is drained',
    });
    expect(outcomes(done.written)).toEqual(['n1 done']);
    expect(done.views).toMatchObject([{ id: 'r-1', state: 'done', endedAt: START + HOUR }]);
    expect(done.told).not.toHaveBeenCalled();
    const planned = onNode('n1', { reached: false }, { plan: 'plan-7' });
    const settles = { ms: 0 } as never;
    const failed = looking([[planned, { verify: reads('no', 'n1 is up', { settles }) }]]);
    await failed.looks.lookAt(planned, [planned]);
    expect(outcomes(failed.written)).toEqual(['n1 failed']);
    expect(failed.told).toHaveBeenCalledTimes(1);
  });

  it('that has none is written down once, and shows nothing as ended', async () => {
    const unread = looking([[one, { verify: reads('unread', 'no answer') }]]);
    await unread.looks.lookAt(one, [one]);
    await unread.looks.lookAt(one, [one]);
    expect(outcomes(unread.written)).toEqual(['n1 unknown']);
    expect(unread.views).toEqual([]);
    const known = onNode('n1', { outcome: 'unknown' });
    const again = looking([[known, { verify: reads('unread', 'no answer') }]]);
    await again.looks.lookAt(known, [known]);
    expect(again.written).toEqual([]);
  });

  it('that waits for what may still come writes nothing; what nothing waits for any more is written', async () => {
    const waiting = looking([[one, { verify: reads('wait') }]]);
    expect(await waiting.looks.lookAt(one, [one])).toMatchObject({ settlesInMs: 30_000 });
    expect(waiting.written).toEqual([]);
    const gone = onNode('n1', { action: 'other.drain', outcome: 'unknown' });
    const closed = looking([]);
    expect(await closed.looks.lookAt(gone, [gone])).toMatchObject({ closed: true });
    expect(closed.written).toMatchObject([{ outcome: 'unknown', detail: { closed: true } }]);
    expect(closed.views).toHaveLength(1);
  });

  it('that cannot be written down says so, shows no end, and is tried anew', async () => {
    const full = looking([[one, { verify: reads('yes') }]], { full: true });
    expect(await full.looks.lookAt(one, [one])).toMatchObject({ outcome: 'done', unwritten: 'full disk' });
    expect(full.views).toEqual([]);
    const views = await full.looks.lookUntil([one], [one]);
    expect(views).toMatchObject([
      { state: 'done', result: expect.stringContaining('; this could not be written to the audit log') },
    ]);
    expect(full.logs).toEqual(['recovery of r-1: full disk']);
  });

  it('that is under way is joined; the next one looks again', async () => {
    const check = vi.fn(() => ({ state: 'yes' as const, text: '' }));
    const { looks, written } = looking([[one, { verify: reads('yes', '', { check }) }]]);
    const [first, second] = [looks.lookAt(one, [one]), looks.lookAt(one, [one])];
    expect(await first).toBe(await second);
    expect(check).toHaveBeenCalledTimes(1);
    await looks.lookAt(one, [one]);
    expect(check).toHaveBeenCalledTimes(2);
    expect(written).toHaveLength(2);
  });
});

describe('looking until each has its last word', () => {
  it('asks every 5 s what may still come, and no more of what is known', async () => {
    const [slow, quick] = [onNode('n1'), onNode('n2')];
    const check = vi.fn(() => ({ state: 'yes' as const, text: 'up' }));
    const { looks, slept, logs, views } = looking([
      [slow, { verify: reads('wait') }],
      [quick, { verify: reads('yes', '', { check }), subject: node('n2') }],
    ]);
    const ends = await looks.lookUntil([slow, quick], [slow, quick]);
    expect(ends.map(({ state }) => state)).toEqual(['failed', 'done']);
    expect(ends[0]?.result).not.toContain('could not be written');
    expect(slept).toEqual([5_000, 5_000, 5_000, 5_000, 5_000, 5_000]);
    expect(check).toHaveBeenCalledTimes(1);
    expect(logs).toEqual([]);
    expect(views.filter(({ state }) => state === 'running')).toEqual([]);
  });

  it('shows until when an armed undo is waited for, and takes the soonest first', async () => {
    const armed = (id: string, at: number) =>
      onNode(id, { held: { armed: START + at } }, { hold, boundMs: 900_000 });
    const [late, soon, plain] = [armed('n1', 60_000), armed('n2', 1_000), onNode('n3')];
    const target = { hold: preparedHold({ restored: reads('yes') }) };
    const { looks, views, written } = looking(
      [
        [late, target],
        [soon, target],
        [plain, { verify: reads('yes') }],
      ],
      { atMs: 61_000 },
    );
    await looks.lookUntil([late, soon, plain], [late, soon, plain]);
    const running = views.filter(({ state }) => state === 'running');
    expect(running.map(({ targets: [one] }) => [one?.id, one?.endsAt])).toEqual([
      ['n1', START + 660_000],
      ['n2', START + 601_000],
    ]);
    expect(outcomes(written)).toEqual(['n3 done', 'n2 undone', 'n1 undone']);
  });
});

describe('a glance at what was read anyway', () => {
  const ready: Partial<PreparedTarget> = { verify: reads('yes') };

  it('writes down what shows as done, and of the rest nothing', async () => {
    const [done, not] = [onNode('n1'), onNode('n2')];
    const { looks, written, slept } = looking([
      [done, ready],
      [not, { verify: reads('unread') }],
    ]);
    await looks.glance([done, not], [done, not], 0);
    expect(outcomes(written)).toEqual(['n1 done']);
    expect(slept).toEqual([]);
  });

  it.each([
    ['of an action that this console has not', onNode('n1', { action: 'other.drain' }), HOUR],
    ['that is held', onNode('n1', {}, { hold }), HOUR],
    ['whose commands may go on', onNode('n1'), 59_999],
    ['of an undo of such an action', onNode('n1', { run: 'r-2', action: 'undo:r-0' }), HOUR],
  ])('leaves alone what is %s', async (_, one, atMs) => {
    const base = onNode('n1', { run: 'r-0', action: 'other.drain' });
    const { looks, written } = looking([[one, ready]], { atMs });
    await looks.glance([one], [base, one], 0);
    expect(written).toEqual([]);
  });

  it('takes an undo of an action that this console has', async () => {
    const base = onNode('n1', { run: 'r-0' });
    const undo = onNode('n1', { run: 'r-2', action: 'undo:r-0' });
    const { looks, written } = looking([[undo, ready]]);
    await looks.glance([undo], [onNode('n1', { run: 'r-9', action: 'other.drain' }), base, undo], 0);
    expect(outcomes(written)).toEqual(['n1 done']);
  });

  it('rests on what was read since', async () => {
    const one = onNode(
      'n1',
      {},
      { verify: { text: '', reads: [{ probe: 'fake.nodes', host: 'ctl1' }], deadlineMs: 1 } },
    );
    const { looks, written, sources } = looking([[one, ready]]);
    sources.good('fake.nodes', 'ctl1', 1, undefined, 0);
    await looks.glance([one], [one], HOUR + 10_000_000);
    expect(written).toEqual([]);
    await looks.glance([one], [one], 0);
    expect(outcomes(written)).toEqual(['n1 done']);
  });
});

it('open is what has no end, and what nobody is at work on', () => {
  const alive = onNode('n2', {
    intent: { ...logged().intent, console: { ...logged().intent.console, pid: 88 } },
  });
  const { looks } = looking([]);
  const open = looks.listOpen([onNode('n1'), alive, onNode('n3', { outcome: 'done' })]);
  expect(open.map(({ subject }) => subject.id)).toEqual(['n1']);
});

it('in the way of subjects is what is open on them, and on those of the run to be undone', () => {
  const [a, b, c] = [onNode('n1'), onNode('n2', { run: 'r-2' }), onNode('n3', { run: 'r-3' })];
  const ids = (...of: Parameters<typeof findInTheWay>) =>
    findInTheWay(...of).map(({ subject }) => subject.id);
  const all = [a, b, c];
  expect(ids(all, all, [node('n1')])).toEqual(['n1']);
  expect(ids(all, all, [], 'r-2')).toEqual(['n2']);
  expect(ids(all, all, [node('n3')], 'r-1')).toEqual(['n1', 'n3']);
  expect(ids(all, all, [])).toEqual([]);
});
