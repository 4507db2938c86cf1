import { describe, expect, it } from 'vitest';
import type { LoggedAction } from '../../src/audit/logged-actions.ts';
import type { RunView, StepState, TargetView } from '../../src/model/run.ts';
import { isInProgress, longestRunMs, recoveredEntry } from '../../src/remedy/recover.ts';
import { mergeView, recoveredView, waitingView } from '../../src/remedy/recovered-view.ts';
import { settleRun } from '../../src/remedy/settle-run.ts';
import { logged, START } from './logged.ts';
import { createWorld, node, self } from './world.ts';

const clock = (seconds: number) => ({
  now: () => START + seconds * 1000,
  mono: () => seconds * 1000,
  sleep: async () => undefined,
});

const restored = { text: 'up', reads: [], deadlineMs: 10_000 };
const timer = { by: 'timer', seconds: 600, text: 'a timer restores it', restored } as const;

describe('how long what a run began may go on', () => {
  it.each([
    ['commands alone: by their own limit from the intent', logged(), 20, 40_000],
    ['ended', logged(), 61, 0],
    [
      'an armed timer: by when it was armed',
      logged({ held: { armed: START + 30_000, changed: START + 90_000 } }, { hold: timer, boundMs: 700_000 }),
      100,
      530_000,
    ],
    [
      'a device: by when its change was read back',
      logged(
        { held: { armed: START, changed: START + 90_000 } },
        { hold: { ...timer, by: 'device' }, boundMs: 700_000 },
      ),
      100,
      590_000,
    ],
    ['not armed yet', logged({}, { hold: timer, boundMs: 700_000 }), 100, 600_000],
    ['never longer than its limit, whatever a clock says', logged(), -3600, 60_000],
  ])('%s', (_, one, at, ms) => {
    expect(longestRunMs({ clock: clock(at) }, one)).toBe(ms);
  });
});

describe('whether a run still goes on', () => {
  const goesOn = (one: LoggedAction, state: 'alive' | 'dead' | 'elsewhere', at = 0, own: string[] = []) =>
    isInProgress({ ...createWorld(1).parts, clock: clock(at), liveness: () => state }, one, new Set(own));
  const ours = logged({ intent: { ...logged().intent, console: self } });

  it('of this process, as long as it is one of its own, whatever else is told', () => {
    expect(goesOn(ours, 'alive', 0, ['r-1'])).toBe(true);
    expect(goesOn(ours, 'alive')).toBe(false);
  });

  it('another process that had the same number or the same start is none of ours', () => {
    for (const part of [{ pid: self.pid }, { stamp: self.stamp }]) {
      const one = logged({
        intent: { ...ours.intent, console: { ...self, pid: 77, stamp: 'boot/77', ...part } },
      });
      expect(goesOn(one, 'alive')).toBe(true);
      expect(goesOn(one, 'dead', 0, ['r-1'])).toBe(false);
    }
  });

  it('of another console while it lives, unless its result is written', () => {
    expect(goesOn(logged(), 'alive', 86_400)).toBe(true);
    expect(goesOn(logged({ outcome: 'unknown' }), 'alive')).toBe(false);
    expect(goesOn(logged(), 'dead')).toBe(false);
  });

  it('of another machine until a minute after it must have ended', () => {
    expect(goesOn(logged(), 'elsewhere', 149)).toBe(true);
    expect(goesOn(logged(), 'elsewhere', 150)).toBe(false);
  });
});

describe('what is told of a run that its console left', () => {
  const now = { outcome: 'done', text: 'read again: drained' } as const;
  const said = (one: LoggedAction, over: Parameters<typeof recoveredView>[1] = now) =>
    recoveredView(one, over, START + 1).result;

  it('who began it, that it had no result, what is true, and how to undo it', () => {
    expect(recoveredView(logged(), now, START + 1)).toEqual({
      id: 'r-1',
      title: 'drain n1',
      state: 'done',
      startedAt: START,
      endedAt: START + 1,
      targets: [{ id: 'n1', state: 'verified', text: 'read again: drained' }],
      result:
        'fake.drain on n1, begun by bob (pid 77), was left without a result: read again: drained; it can be undone: undo:r-1',
      left: true,
    });
    expect(said(logged({ outcome: 'unknown' }))).toContain('(pid 77), was not known: read again');
  });

  it('no undo where it has none, is one itself, or nothing came of it', () => {
    expect(said(logged({}, { undo: null }))).not.toContain('undo:');
    expect(said(logged({}, { undoes: 'r-0' }))).not.toContain('undo:');
    expect(said(logged(), { outcome: 'failed', text: 'x' })).not.toContain('undo:');
    // A held change that was not restored stands.
    expect(said(logged({}, { hold: timer }), { outcome: 'failed', text: 'x' })).toContain('undo:r-1');
    expect(said(logged({}, { hold: timer }), { outcome: 'undone', text: 'x' })).not.toContain('undo:');
  });

  it('the audit log gets the same', () => {
    expect(recoveredEntry(logged(), now)).toMatchObject({
      kind: 'recovered',
      run: 'r-1',
      target: 'n1',
      outcome: 'done',
      detail: { was: expect.stringContaining('no result was written'), undo: 'undo:r-1' },
    });
    expect(recoveredEntry(logged({ outcome: 'unknown' }, { undo: null }), now).detail).toEqual({
      subject: node('n1'),
      text: 'read again: drained',
      was: 'unknown',
      undo: null,
    });
    expect(recoveredEntry(logged(), { outcome: 'unknown', text: 'x', closed: true }).detail).toMatchObject({
      closed: true,
      undo: null,
    });
  });

  it('while its armed undo is to come, until when, and that it is not kept from here', () => {
    expect(waitingView(logged(), 5_000, START)).toEqual({
      id: 'r-1',
      title: 'drain n1',
      state: 'running',
      startedAt: START,
      targets: [
        { id: 'n1', state: 'reading back', text: 'undone unless it was kept', endsAt: START + 5_000 },
      ],
      result: expect.stringMatching(/^left by bob \(pid 77\).*can't be kept from here\.$/),
      left: true,
    });
  });
});

describe('a run of which one target was looked at again', () => {
  const target = (id: string, state: StepState): TargetView => ({ id, state, text: state });
  const view = (...targets: readonly TargetView[]): RunView => ({
    id: 'r-1',
    title: 'drain 2 nodes',
    state: 'unknown',
    startedAt: START,
    targets,
  });
  const looked: RunView = { ...view(target('n1', 'verified')), title: 'drain n1', state: 'done', left: true };

  it('keeps the lines of the others and its own title; the worst of all counts', () => {
    const known = view(target('n1', 'unknown'), target('n2', 'failed'));
    expect(mergeView(known, { ...looked, endedAt: 9, result: 'so' })).toEqual({
      ...view(target('n1', 'verified'), target('n2', 'failed')),
      state: 'failed',
      endedAt: 9,
      result: 'so',
    });
  });

  it('runs on while one of them does; what the look does not say stays as it was', () => {
    const known = { ...view(target('n1', 'unknown'), target('n2', 'sent')), endedAt: 5, result: 'before' };
    expect(mergeView(known, looked)).toMatchObject({ state: 'running', endedAt: 5, result: 'before' });
  });

  it('takes in a target that it did not show', () => {
    const known = view(target('n2', 'verified'));
    expect(mergeView(known, looked).targets.map(({ id }) => id)).toEqual(['n2', 'n1']);
    expect(mergeView(known, view())).toBe(known);
    expect(mergeView(undefined, looked)).toBe(looked);
  });

  it('one that an earlier console left is told as it was looked at', () => {
    const known: RunView = { ...view(target('n1', 'unknown')), left: true };
    expect(mergeView(known, looked)).toMatchObject({ title: 'drain n1', left: true, state: 'done' });
  });
});

describe('whether all that a run had begun is known', () => {
  const ask = (all: readonly LoggedAction[], at = 3600, look?: Parameters<typeof settleRun>[3]) =>
    settleRun({ clock: clock(at) }, 'r-1', all, look);

  it('a run that had begun nothing protects nothing, whatever others did', async () => {
    const nothing = { state: 'settled', text: 'its run r-1 had begun nothing' };
    expect(await ask([])).toEqual(nothing);
    expect(await ask([logged({ run: 'r-2' })])).toEqual(nothing);
  });

  it('tells how each target ended, and what was only read', async () => {
    const readOnly = logged({ subject: node('n2') }, { commands: [] });
    expect(await ask([logged({ outcome: 'failed' }), readOnly])).toEqual({
      state: 'settled',
      text: 'what its run r-1 had begun is known: n1 failed, n2 only read',
    });
  });

  it('waits for commands, and for what is armed whatever was written of its end', async () => {
    expect(await ask([logged()], 20)).toEqual({
      state: 'wait',
      text: 'what it began on n1 may go on for 40 s: wait',
    });
    expect(await ask([logged({ outcome: 'failed' }, { hold: timer })], 20)).toEqual({
      state: 'wait',
      text: 'what it began on n1 may go on, or be undone, for 40 s: wait',
    });
    // Kept, nothing is armed any more; with a result, no command is on its way.
    expect(await ask([logged({ outcome: 'done' }, { hold: timer })], 20)).toMatchObject({ state: 'settled' });
    expect(await ask([logged({ outcome: 'failed' })], 20)).toMatchObject({ state: 'settled' });
    expect(await ask([logged()], 60)).toMatchObject({ state: 'unsettled' });
  });

  it('looks again at what is open, and only then', async () => {
    const looked: string[] = [];
    const look = async ({ subject }: LoggedAction) => {
      looked.push(subject.id);
      return { outcome: 'done' };
    };
    expect(await ask([logged({ outcome: 'done' }), logged({ subject: node('n2') })], 3600, look)).toEqual({
      state: 'settled',
      text: 'what its run r-1 had begun is known: n1 done, n2 done (read again now)',
    });
    expect(looked).toEqual(['n2']);
    expect(await ask([logged()], 3600, async () => ({ unknown: 'ctl1 hangs' }))).toEqual({
      state: 'unsettled',
      text: 'ctl1 hangs',
    });
    expect(await ask([logged()])).toEqual({ state: 'unsettled', text: 'outcome unknown on n1' });
  });
});
