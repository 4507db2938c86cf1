import { beforeEach, describe, expect, it } from 'vitest';
import type { LoggedAction } from '../../src/audit/logged-actions.ts';
import type { Action, Guard, PlanTarget, Refusal } from '../../src/model/action.ts';
import { makeAnew, readsBeforeUndo } from '../../src/remedy/undo-anew.ts';
import { BACK, commandLine, resumed } from './logged.ts';
import { createWorld, fakeAction, node, type World } from './world.ts';

const READS = [{ probe: 'fake.nodes', host: 'ctl1' }];
const LINE = "scontrol update n1 drain 'NHC: mount lost'";

let world: World;
beforeEach(async () => {
  world = createWorld();
  for (const one of Object.values(world.nodes)) one.drained = false;
  await world.parts.reader.readNow(READS);
});

const withAction = (over: Partial<Action>): void => {
  const action = { ...fakeAction(), ...over } as Action;
  world.parts = { ...world.parts, actionSets: [{ system: 'fake', actions: [action] }] };
};
/** The action whose targets have more. */
const withTargets = (more: Partial<PlanTarget>): void => {
  const base = fakeAction();
  withAction({
    plan: (...given) => {
      const plan = base.plan(...given);
      return 'refused' in plan
        ? plan
        : { ...plan, targets: plan.targets.map((one) => ({ ...one, ...more })) };
    },
  });
};
const anew = (one: LoggedAction) =>
  makeAnew(world.parts, one, [one], new Map(), world.parts.reader.judgement());
const reason = (one: LoggedAction): string | undefined => {
  const made = anew(one);
  return 'refused' in made ? `${made.guard}: ${made.reason}` : undefined;
};
const made = (one: LoggedAction) => {
  const got = anew(one);
  if ('refused' in got) throw new Error(got.reason);
  return got;
};
const calm: Guard = {
  id: '9 armed undo',
  text: 'no commit waits',
  reads: [{ probe: 'fake.commits', host: 'sw1' }],
  absolute: true,
  check: () => ({ ok: true, text: 'none' }),
};

describe('the undo of a target, made anew', () => {
  it('sends what its action makes of the recorded values, in the class of the action', () => {
    const { target, danger, because } = made(resumed({}, { plan: 'p-9' }));
    expect(target.steps.map(({ script }) => script)).toEqual([LINE]);
    expect([danger, because, target.undo]).toEqual(['reversible', [], null]);
    expect(target.lockGroups).toEqual(['partition batch', 'rack 7']);
    expect(target.takesBack).toBe('p-9');
    expect(made(resumed()).target).not.toHaveProperty('takesBack');
  });

  it('is in the class that was logged where that is higher', () => {
    expect(made(resumed({}, { danger: 'service' })).danger).toBe('service');
  });

  it('that differs from what was logged shows both, and is one class higher', () => {
    const { danger, because } = made(
      resumed({}, { undo: [commandLine(BACK.argv), commandLine(['scontrol', 'reload'], 'all')] }),
    );
    expect(danger).toBe('service');
    expect(because).toEqual([
      'n1: the undo made now differs from the one that version 0.0.0 wrote down: only the lines under "new" are sent',
      'n1: old ctl1: scontrol reload',
      'n1: old ctl1: < all',
    ]);
    const twice = made(resumed({}, { undo: [commandLine(BACK.argv), commandLine(BACK.argv)] }));
    expect([twice.danger, twice.because.length]).toEqual(['service', 1]);
    const other = made(resumed({}, { undo: null }));
    expect(other.because.slice(1)).toEqual([`n1: new ctl1: ${LINE}`]);
  });

  it('says what stands for values that were not recorded', () => {
    const { because } = made(
      resumed({}, { was: {}, undo: [commandLine(BACK.argv.with(4, 'not recorded'))] }),
    );
    expect(because).toEqual(['n1: its old reason was not recorded']);
  });

  it('stands on the target still reading as the run left it', () => {
    const { target } = made(resumed());
    const [stands] = target.guards;
    expect(target.guards).toHaveLength(1);
    expect(stands).toMatchObject({
      id: '3 plan is stale',
      text: 'still so: n1 reads back',
      reads: READS,
      ownRow: true,
      absolute: true,
    });
    const live = world.parts.reader.judgement();
    expect(stands?.check(live)).toEqual({ ok: true, text: 'n1 is up' });
    expect(target.verify.check(live).state).toBe('wait');
  });

  it('does not stand any more once somebody has changed the target', async () => {
    const { target } = made(resumed());
    world.nodes['n1'] = { drained: true, reason: '' };
    await world.parts.reader.readNow(READS);
    const live = world.parts.reader.judgement();
    expect(target.guards[0]?.check(live)).toEqual({
      ok: false,
      text: 'n1 is no longer as the run left it: n1 is drained',
    });
    expect(target.verify.check(live).state).toBe('yes');
    expect(target.whyAlreadyDone(live)).toBeUndefined();
  });

  it('carries what the action wants before it, and is read for it', () => {
    withTargets({ undoGuards: [calm] });
    const { target } = made(resumed());
    expect(target.guards.map(({ id }) => id)).toEqual(['3 plan is stale', '9 armed undo']);
    expect(readsBeforeUndo(world.parts, resumed(), [], new Map())).toEqual([...READS, ...calm.reads]);
  });

  it('is read for what shows that it still stands', () => {
    expect(readsBeforeUndo(world.parts, resumed(), [], new Map())).toEqual(READS);
  });

  it('is stale where the action would make another one now, or none', () => {
    let back: readonly string[] = BACK.argv;
    let no: Refusal | undefined;
    withAction({ undoOf: () => no ?? { steps: [{ host: 'ctl1', argv: back }] } });
    const { target } = made(resumed());
    const live = world.parts.reader.judgement();
    expect(target.whyStale(live)).toBeUndefined();
    back = BACK.argv.with(3, 'down');
    expect(target.whyStale(live)).toBe('the readings have changed: the plan would hold other commands now');
    no = { refused: true, guard: '4 ownership', reason: 'bob has it' };
    expect(target.whyStale(live)).toBe('bob has it');
  });
});

describe('an undo that can not be made is told with what was logged, to be considered by hand:', () => {
  const byHand = (why: string): string =>
    `10 unknown: the undo on n1 can't be made: ${why}; to be done by hand if you want it, as it was logged: ctl1: ${LINE}`;

  it('its action is gone, or has no undo any more', () => {
    expect(reason(resumed({ action: 'fake.gone' }))).toBe(byHand('this version has no action fake.gone'));
    const { undoOf: _, ...oneWay } = fakeAction();
    world.parts = { ...world.parts, actionSets: [{ system: 'fake', actions: [oneWay] }] };
    expect(reason(resumed())).toBe(byHand('fake.resume has no undo in this version'));
  });

  it('its record names two targets', () => {
    const { intent } = resumed();
    expect(reason(resumed({ intent: { ...intent, target: 'n2' } }))).toBe(byHand('its record is of n2'));
    const { target: _, ...untold } = intent;
    expect(reason(resumed({ intent: untold }))).toBe(byHand('its record is of ?'));
  });

  it('the site does not know the target', () => {
    const one = resumed({ subject: node('n9') }, { undo: null });
    expect(reason(one)).toBe(
      '5 targets: node n9 is not known to the site; to be done by hand if you want it, as it was logged: ',
    );
  });

  it('what the run wanted can not be told any more', () => {
    expect(reason(resumed({}, { parameters: { reason: {} } }))).toBe(
      byHand('its parameters are no longer valid'),
    );
  });

  it('the action refuses it, or has nothing to set', () => {
    withAction({ undoOf: () => ({ refused: true, guard: '4 ownership', reason: 'bob has it' }) });
    expect(reason(resumed())).toBe(byHand('bob has it'));
    withAction({ undoOf: () => ({ steps: [] }) });
    expect(reason(resumed())).toBe(byHand('none of its values can be set again'));
  });

  it('and a probe that only the log names is asked of nobody', () => {
    const reads = [
      { probe: 'fake.nodes', host: 'ctl1' },
      { probe: 'other.x', host: 'h1' },
    ];
    const verify = { text: '', reads, deadlineMs: 1 };
    const readsOf = (over: Partial<LoggedAction>) =>
      readsBeforeUndo(world.parts, resumed(over, { verify, parameters: { reason: {} } }), [], new Map());
    expect(readsOf({})).toEqual(reads.slice(0, 1));
    expect(readsOf({ action: 'fake.gone' })).toEqual([]);
  });
});
