import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { LoggedAction } from '../../src/audit/logged-actions.ts';
import type { Plan, PlanContext, Refusal } from '../../src/model/action.ts';
import { memoryKey, revive, type Memory } from '../../src/remedy/revive.ts';
import { logged } from './logged.ts';
import { preparedHold, preparedTarget } from './prepared.ts';
import { createWorld, fakeAction, node } from './world.ts';

const world = createWorld(2);
const live = world.parts.reader.judgement();

/** What the fake cluster's `fake.drain` plans; `seen`: what it was given. */
const revivedBy = (
  one: LoggedAction,
  over: {
    plan?: (plan: Plan) => Plan | Refusal;
    all?: readonly LoggedAction[];
    memory?: Memory;
    parameters?: unknown;
  } = {},
) => {
  const seen: { set: unknown; context: PlanContext }[] = [];
  const real = fakeAction({ wants: true });
  const action = fakeAction({
    wants: true,
    parameters: (over.parameters ?? z.looseObject({})) as never,
    plan: (subjects, set, context) => {
      seen.push({ set, context });
      const made = real.plan(subjects, set, context);
      return 'refused' in made || !over.plan ? made : over.plan(made);
    },
  });
  const parts = { ...world.parts, actionSets: [{ system: 'fake', actions: [action] }] };
  const revived = revive(parts, one, over.all ?? [one], over.memory ?? new Map(), live);
  return { revived, seen };
};

describe('the words by which a target of an earlier run is judged', () => {
  it('are those of its plan made anew: what is looked at, its locks, and no more than it has', () => {
    expect(revivedBy(logged()).revived).toEqual({
      ok: true,
      verify: expect.objectContaining({ text: 'n1 reads back' }),
      lockGroups: ['partition batch'],
    });
    const hold = preparedHold() as never;
    const plan = (made: Plan): Plan => ({
      ...made,
      targets: made.targets.map((target) => ({ ...target, hold, undoGuards: [] })),
    });
    expect(revivedBy(logged(), { plan }).revived).toMatchObject({ ok: true, hold, undoGuards: [] });
  });

  it('are made with what was typed, as it was typed, with what was exceeded and what was before', () => {
    const parameters = { reason: 'fan', count: 3, force: true, list: ['a'] };
    const exceeded = [{ guard: '6 blast radius', reason: 'agreed with bob' }];
    const { seen } = revivedBy(logged({}, { parameters, exceeded, before: ['up'] }));
    expect(seen).toMatchObject([
      {
        set: { reason: 'fan', count: '3', force: 'true', list: ['a'] },
        context: { exceed: { '6': 'agreed with bob' }, looksBack: { before: ['up'] } },
      },
    ]);
    expect(revivedBy(logged()).seen[0]?.context.looksBack).toEqual({ before: [] });
  });

  it('are those of this very target, whatever else the plan holds', () => {
    const plan = (made: Plan): Plan => ({
      ...made,
      targets: [
        ...made.targets.map((target) => ({ ...target, subject: node('n2'), lockGroups: ['of n2'] })),
        ...made.targets,
      ],
    });
    expect(revivedBy(logged(), { plan }).revived).toMatchObject({ lockGroups: ['partition batch'] });
  });

  it.each([
    [
      'the program has no such action',
      logged({ action: 'other.drain' }),
      {},
      'this program has no action other.drain',
    ],
    [
      'its parameters are no longer valid',
      logged(),
      { parameters: z.object({ count: z.string() }) },
      'its parameters are no longer valid',
    ],
    [
      'the plan is refused',
      logged(),
      { plan: (): Refusal => ({ refused: true, guard: '3', reason: 'n1 is in no reading' }) },
      'n1 is in no reading',
    ],
    [
      'the plan leaves it out',
      logged(),
      {
        plan: (made: Plan): Plan => ({
          ...made,
          targets: [],
          leftOut: [{ subject: node('n1'), reason: 'is a login node' }],
        }),
      },
      'is a login node',
    ],
    [
      'the plan is of something else',
      logged(),
      { plan: (made: Plan): Plan => ({ ...made, targets: [] }) },
      'its plan no longer holds it',
    ],
  ])('are none when %s', (_, one, over, reason) => {
    expect(revivedBy(one, over).revived).toEqual({ ok: false, reason });
  });

  it('of a run of this process are those it still has', () => {
    const one = logged({ action: 'other.drain' });
    const target = preparedTarget();
    const of = (known: typeof target) =>
      revivedBy(one, { memory: new Map([[memoryKey('r-1', one), known]]) }).revived;
    expect(of(target)).toEqual({ ok: true, verify: target.verify, lockGroups: ['batch'] });
    const held = preparedTarget({ hold: preparedHold(), undoGuards: [] });
    expect(of(held)).toEqual({
      ok: true,
      verify: held.verify,
      lockGroups: ['batch'],
      hold: held.hold,
      undoGuards: [],
    });
  });
});

describe('an undo', () => {
  const base = logged();
  const others = [logged({ run: 'r-0' }), logged({ subject: node('n2') }, { subject: node('n2') })];
  const undo = logged({ run: 'r-2', action: 'undo:r-1' });

  it('is judged by this target of the run it undoes, the other way round', () => {
    const { revived } = revivedBy(undo, { all: [...others, base, undo] });
    expect(revived).toMatchObject({ ok: true, verify: { text: 'no longer so: n1 reads back' } });
    expect(revived.ok && revived.verify.check(live).state).toBe('yes');
  });

  it('of a run that is not in the log, or whose words are gone, has none', () => {
    expect(revivedBy(undo, { all: [...others, undo] }).revived).toEqual({
      ok: false,
      reason: 'the run it undoes, r-1, is not in the log',
    });
    expect(revivedBy(undo, { all: [{ ...base, action: 'other.drain' }, undo] }).revived).toEqual({
      ok: false,
      reason: 'this program has no action other.drain',
    });
  });
});
