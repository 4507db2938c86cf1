import { beforeEach, describe, expect, it } from 'vitest';
import type { LoggedAction } from '../../src/audit/logged-actions.ts';
import type { Action, Guard, Refusal } from '../../src/model/action.ts';
import { makeUndo } from '../../src/remedy/make-undo.ts';
import type { Prepared } from '../../src/remedy/prepared.ts';
import { logged, resumed } from './logged.ts';
import { createWorld, fakeAction, node, type World } from './world.ts';

const READS = [{ probe: 'fake.nodes', host: 'ctl1' }];

let world: World;
beforeEach(async () => {
  world = createWorld();
  for (const one of Object.values(world.nodes)) one.drained = false;
  await world.parts.reader.readNow(READS);
});

/** The action with these guards before its undo. */
const withUndoGuards = (...undoGuards: Guard[]): void => {
  const base = fakeAction();
  const action: Action = {
    ...base,
    plan: (...given) => {
      const plan = base.plan(...given);
      return 'refused' in plan
        ? plan
        : { ...plan, targets: plan.targets.map((one) => ({ ...one, undoGuards })) };
    },
  };
  world.parts = { ...world.parts, actionSets: [{ system: 'fake', actions: [action] }] };
};
const calm: Guard = {
  id: '9 armed undo',
  text: 'no commit waits',
  reads: READS,
  absolute: true,
  check: () => ({ ok: true, text: 'none' }),
};

describe('the undo of a run', () => {
  const undo = async (
    all: readonly LoggedAction[],
    on: readonly string[] = [],
    gently = false,
  ): Promise<Prepared | Refusal> => makeUndo(world.parts, 'r-1', on.map(node), all, new Map(), gently);
  const n2 = { subject: node('n2'), intent: { ...logged().intent, target: 'n2' } };
  const both = [resumed(), resumed(n2, { plan: 'p-9' })];

  it('is of all its targets, the last first, or of the chosen ones', async () => {
    const got = await undo([...both, resumed({ run: 'r-2' })]);
    if ('refused' in got) throw new Error(got.reason);
    expect(got.targets.map(({ subject }) => subject.id)).toEqual(['n2', 'n1']);
    expect(got).toMatchObject({
      action: 'undo:r-1',
      title: 'Undo: resume 2 nodes',
      verb: 'undo',
      danger: 'reversible',
      because: ['run r-1 by bob at 2026-03-01T03:00:00.000Z did it'],
      afterwards: 'no longer so: n2 reads back',
      undoes: 'r-1',
      confirmText: 'y',
      armedAfterMs: 0,
      leftOut: [],
      exceeded: [],
    });
    expect(await undo(both, ['n1'])).toMatchObject({
      title: 'Undo: resume n1',
      targets: [{ subject: node('n1') }],
    });
  });

  it('is in the highest class of its targets, and has the reasons of each', async () => {
    const got = await undo([resumed({}, { danger: 'access' }), resumed(n2, { undo: [] })]);
    if ('refused' in got) throw new Error(got.reason);
    expect([got.danger, got.confirmText, got.armedAfterMs]).toEqual(['access', 'undo 2 nodes', 2_000]);
    expect(got.because.slice(1).map((line) => line.slice(0, 20))).toEqual([
      'n2: the undo made no',
      'n2: new ctl1: scontr',
    ]);
  });

  it.each<[string, LoggedAction[], string]>([
    ['no run', [], '5 targets: there is no run r-1 in the audit log'],
    [
      'one undone',
      [resumed({ undone: true }), resumed({ ...n2, undone: true })],
      '5 targets: run r-1 was undone already',
    ],
    [
      'one way only',
      [resumed({ undone: true }), resumed(n2, { undo: null, undoText: 'a reboot ends jobs' })],
      "5 targets: run r-1 can't be undone: a reboot ends jobs",
    ],
    ['nothing came', [resumed({ outcome: 'failed' })], '5 targets: run r-1 has nothing to undo'],
    [
      'two actions',
      [resumed(), resumed({ ...n2, action: 'fake.drain' })],
      '14 audit: run r-1 has several actions in the audit log: the log was changed',
    ],
    [
      'an action that is gone',
      [resumed({ action: 'fake.gone' })],
      "10 unknown: the undo on n1 can't be made: this version has no action fake.gone",
    ],
  ])('is refused with %s', async (_, all, said) => {
    const got = await undo(all);
    expect('refused' in got && `${got.guard}: ${got.reason}`.startsWith(said)).toBe(true);
  });

  it('is refused where a target does not read as the run left it, or can not be read', async () => {
    world.nodes['n2'] = { drained: true, reason: '' };
    expect(await undo(both)).toMatchObject({
      guard: '3 plan is stale',
      reason: 'n2 is no longer as the run left it: n2 is drained',
    });
    world.broken = { kind: 'timeout', message: 'ctl1: late' };
    expect(await undo([resumed()])).toMatchObject({ guard: '3 plan is stale', reason: 'ctl1: late' });
  });

  it('is made for its reader from what is there, without asking what was asked a moment ago', async () => {
    let asked = 0;
    world.beforeRead = () => void (asked += 1);
    expect(await undo([resumed()], [], true)).toHaveProperty('id');
    expect(asked).toBe(0);
    expect(await undo([resumed()])).toHaveProperty('id');
    expect(asked).toBe(1);
  });

  it('asks what the action wants before it, and is refused in its words', async () => {
    const no: Guard = { ...calm, check: () => ({ ok: false, text: 'a commit of bob waits' }) };
    withUndoGuards(calm, no);
    expect(await undo([resumed()])).toEqual({
      refused: true,
      guard: '9 armed undo',
      reason: 'a commit of bob waits',
    });
    withUndoGuards(no);
    expect(await undo([resumed()])).toMatchObject({ reason: 'a commit of bob waits' });
    withUndoGuards(calm);
    expect(await undo([resumed()])).toHaveProperty('id');
  });
});
