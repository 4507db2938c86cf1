import { beforeEach, describe, expect, it } from 'vitest';
import type { Action, Guard } from '../../src/model/action.ts';
import type { RunView } from '../../src/model/run.ts';
import { createEngine } from '../../src/remedy/engine.ts';
import { answer, createWorld, fakeAction, obey, type World } from './world.ts';
import { card, refusal, confirm, run } from './acting.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});

const states = (view: RunView) => view.targets.map(({ state }) => state);

/** The fake action without its guards. */
const noBlast = () => {
  const action = fakeAction();
  return {
    ...action,
    plan: (...args: Parameters<typeof action.plan>) => {
      const plan = action.plan(...args);
      return 'refused' in plan
        ? plan
        : { ...plan, targets: plan.targets.map((one) => ({ ...one, guards: [] })) };
    },
  };
};

describe('guard 7 one by one', () => {
  it('reads, sends and verifies each target before the next one', async () => {
    const order: string[] = [];
    world.beforeRead = () => void order.push('read');
    world.act = (script) => {
      order.push(script.split(' ')[2] ?? '');
      return obey(world.nodes, script);
    };
    const engine = world.engine();
    const { id } = await card(engine, 'fake.resume', ['n1', 'n2']);
    order.length = 0;
    await confirm(engine, id, 'y');
    expect(order).toEqual(['read', 'n1', 'read', 'read', 'n2', 'read']);
  });

  it('stops at the first failure and says what was not reached', async () => {
    world.act = (script) =>
      script.includes('n2')
        ? answer({ exitCode: 1, stderr: 'slurm_update error: Invalid user id\n' })
        : obey(world.nodes, script);
    const view = await run(world.engine(), ['n1', 'n2', 'n3']);
    expect(view.state).toBe('failed');
    expect(states(view)).toEqual(['verified', 'failed', 'not reached']);
    expect(view.result).toMatch(
      /1 of 3 done and verified; n2 failed: exit 1: slurm_update error: Invalid user id; n2 is drained; .*not reached/,
    );
    expect(world.sent.filter(({ script }) => script.includes('n2'))).toHaveLength(1);
  });

  it('says in the words of our own script why that did nothing', async () => {
    world.act = () => answer({ exitCode: 3, stderr: 'faultline: it holds ext4: nothing was written\n' });
    const view = await run(world.engine(), ['n1']);
    expect(view.state).toBe('failed');
    expect(view.result).toMatch(/failed: refused: it holds ext4: nothing was written; n1 is drained/);
    expect(view.result).not.toContain('exit 3');
  });

  it('a large reversible set goes the first alone, then in batches of 25, each target verified', async () => {
    world = createWorld(60);
    Object.values(world.nodes).forEach((one) => (one.drained = true));
    world.parts = { ...world.parts, actionSets: [{ system: 'fake', actions: [noBlast()] }] };
    const reads: number[] = [];
    world.beforeRead = () => void reads.push(world.sent.length);
    const engine = createEngine(world.parts);
    const { id } = await card(engine, 'fake.resume', Object.keys(world.nodes));
    reads.length = 0;
    const view = await confirm(engine, id, 'y');
    expect(view.state).toBe('done');
    expect(states(view).every((state) => state === 'verified')).toBe(true);
    expect(reads).toEqual([0, 1, 1, 26, 26, 51, 51, 60]);
  });

  it('a batch stops sending at the first command that fails', async () => {
    world = createWorld(60);
    world.parts = { ...world.parts, actionSets: [{ system: 'fake', actions: [noBlast()] }] };
    world.act = (script) =>
      script.includes(' n5 ')
        ? answer({ exitCode: 1, stderr: 'slurm_update error: Invalid user id' })
        : obey(world.nodes, script);
    const view = await run(createEngine(world.parts), Object.keys(world.nodes));
    expect(world.sent).toHaveLength(5);
    expect(view.state).toBe('failed');
    expect(states(view).filter((state) => state === 'not reached')).toHaveLength(55);
  });

  it('stop ends a run before its next target', async () => {
    const engine = world.engine();
    const { id } = await card(engine, 'fake.resume', ['n1', 'n2', 'n3']);
    world.act = (script) => {
      for (const { id: running } of engine.runs()) engine.stop(running);
      return obey(world.nodes, script);
    };
    const view = await confirm(engine, id, 'y');
    expect(states(view)).toEqual(['verified', 'not reached', 'not reached']);
    expect(view.state).toBe('refused');
    expect(view.result).toContain('stopped by the operator');
  });
});

describe('guard 8 confirmation', () => {
  const withDanger = (danger: 'reversible' | 'service' | 'access') =>
    world.engine({ actionSets: [{ system: 'fake', actions: [fakeAction({ danger })] }] });

  it('grows with danger: y, the target or the count phrase, verb and target', async () => {
    expect((await card(withDanger('reversible'), 'fake.resume', ['n1', 'n2'])).confirmText).toBe('y');
    expect((await card(withDanger('service'), 'fake.resume', ['n1'])).confirmText).toBe('n1');
    expect((await card(withDanger('service'), 'fake.resume', ['n1', 'n2'])).confirmText).toBe('2 nodes');
    expect((await card(withDanger('access'), 'fake.resume', ['n1'])).confirmText).toBe('resume n1');
    expect((await card(withDanger('access'), 'fake.resume', ['n1', 'n2'])).confirmText).toBe(
      'resume 2 nodes',
    );
  });

  it('takes nothing but exactly the text', async () => {
    const engine = withDanger('service');
    const { id } = await card(engine, 'fake.resume', ['n1']);
    for (const typed of ['', 'y', 'N1', 'n1 ', 'n2'])
      expect(await engine.confirm(id, typed)).toMatchObject({ refused: { guard: '8 confirmation' } });
    expect((await confirm(engine, id, 'n1')).state).toBe('done');
  });

  it('access is armed 2 s after it was shown', async () => {
    const engine = withDanger('access');
    const { id, armedAfterMs } = await card(engine, 'fake.resume', ['n1']);
    expect(armedAfterMs).toBe(2000);
    expect(await engine.confirm(id, 'resume n1')).toMatchObject({ refused: { guard: '8 confirmation' } });
    world.clock.advance(2000);
    expect((await confirm(engine, id, 'resume n1')).state).toBe('done');
  });

  it('a dropped plan is gone', async () => {
    const engine = world.engine();
    const { id } = await card(engine, 'fake.resume', ['n1']);
    engine.drop(id);
    expect(await engine.confirm(id, 'y')).toMatchObject({ refused: { guard: '11 at most once' } });
  });
});

describe('a guard that one more reading would settle', () => {
  const patient = (needs: number) => {
    const base = fakeAction();
    let reads = 0;
    world.beforeRead = () => void (reads += 1);
    const action: Action = {
      ...base,
      plan: (subjects, given, context) => {
        const plan = base.plan(subjects, given, context);
        if ('refused' in plan) return plan;
        const rates: Guard = {
          id: '6 load',
          text: 'the load is known',
          reads: [{ probe: 'fake.nodes', host: 'ctl1' }],
          absolute: true,
          check: () =>
            reads >= needs ? { ok: true, text: 'known' } : { ok: false, text: 'read once', againMs: 2000 },
        };
        return { ...plan, targets: plan.targets.map((one) => ({ ...one, guards: [...one.guards, rates] })) };
      },
    };
    return world.engine({ actionSets: [{ system: 'fake', actions: [action] }] });
  };

  it('is read once more before the plan is refused', async () => {
    const since = world.clock.mono();
    expect(await refusal(patient(2), 'fake.resume', ['n1'])).toBe('planned');
    expect(world.clock.mono() - since).toBeGreaterThanOrEqual(2000);
  });

  it('and only once', async () => {
    expect(await refusal(patient(3), 'fake.resume', ['n1'])).toBe('6 load: read once');
  });
});

describe('several guards that are not met', () => {
  const withGuards = (...guards: readonly Guard[]) => {
    const base = fakeAction();
    const action: Action = {
      ...base,
      plan: (...args) => {
        const plan = base.plan(...args);
        if ('refused' in plan) return plan;
        return { ...plan, targets: plan.targets.map((one) => ({ ...one, guards })) };
      },
    };
    return world.engine({ actionSets: [{ system: 'fake', actions: [action] }] });
  };
  const saying = (id: string, check: Guard['check']): Guard => ({
    id,
    text: 'it may',
    reads: [{ probe: 'fake.nodes', host: 'ctl1' }],
    absolute: true,
    check,
  });
  const no = (text: string) => () => ({ ok: false as const, text });

  it('are all told, each thing once; those that are met are not among them', async () => {
    const engine = withGuards(
      saying('6 load', no('busy')),
      saying('4 ownership', () => ({ ok: true, text: 'free' })),
      saying('3 preconditions', no('two jobs run')),
      saying('7 more', no('busy')),
    );
    expect(await refusal(engine, 'fake.resume', ['n1'])).toBe('6 load: busy; two jobs run');
  });

  it('before a command is sent, too', async () => {
    let live = false;
    const later = (text: string) => () => (live ? no(text)() : { ok: true as const, text: 'free' });
    const engine = withGuards(saying('6 load', later('busy')), saying('4 ownership', later('taken')));
    const { id } = await card(engine, 'fake.resume', ['n1']);
    live = true;
    const view = await confirm(engine, id, 'y');
    expect(view.targets[0]?.text).toContain('busy; taken');
    expect(world.sent).toEqual([]);
  });
});
