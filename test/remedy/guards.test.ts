import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Action, Guard } from '../../src/model/action.ts';
import type { RunView } from '../../src/model/run.ts';
import { hashOf } from '../../src/remedy/commands.ts';
import { createEngine } from '../../src/remedy/engine.ts';
import { answer, createWorld, fakeAction, node, obey, type World } from './world.ts';
import { card, refusal, confirm, run } from './acting.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});

const records = async () => (await world.parts.audit.read()).records;
const states = (view: RunView) => view.targets.map(({ state }) => state);

describe('guard 1 read-only', () => {
  it('an engine for a read-only site cannot be made', () => {
    expect(() => createEngine({ ...world.parts, site: { ...world.parts.site, readOnly: true } })).toThrow(
      /read-only/,
    );
  });
});

describe('guard 2 shown is sent', () => {
  it('sends byte for byte the lines of the card, and the audit log holds their hash', async () => {
    const engine = world.engine();
    const shown = await card(engine, 'fake.resume', ['n1', 'n2'], { reason: "it's $(mended); `now`" });
    world.act = (script) => obey(world.nodes, script.replace(/resume .*/, 'resume x'));
    await confirm(engine, shown.id, 'y');
    expect(world.sent.map(({ script }) => script)).toEqual(shown.commands.map(({ line }) => line));
    expect(world.sent.every(({ fresh, stdin }) => fresh === true && stdin === undefined)).toBe(true);
    const sent = world.sent.map(({ script, deadlineMs }) => ({ host: 'ctl1', script, deadlineMs }));
    expect(hashOf(sent)).toBe(shown.hash);
    const intents = (await records()).filter(({ kind }) => kind === 'intent');
    expect(intents.map(({ detail }) => detail['planHash'])).toEqual([shown.hash, shown.hash]);
    expect(intents.map(({ detail }) => detail['hash'])).toEqual(sent.map((one) => hashOf([one])));
  });

  it('refuses a command with a character that does not show as it is', async () => {
    const engine = world.engine();
    for (const reason of ['a\u001b]0;x\u0007', 'a\nb', 'a\u202eb', 'a\u200bb', 'x'.repeat(20_000)])
      expect(await refusal(engine, 'fake.resume', ['n1'], { reason })).toMatch(/^2 shown is sent/);
    expect(world.sent).toEqual([]);
  });

  it('property: whatever the parameter, what is sent was shown', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 30 }), async (reason) => {
        world.sent.length = 0;
        world.clock.advance(10_000);
        world.nodes['n1'] = { drained: true, reason: 'NHC: x' };
        world.act = () => {
          world.nodes['n1'] = { drained: false, reason: '' };
          return answer();
        };
        const engine = world.engine();
        const planned = await engine.plan('fake.resume', [node('n1')], { reason });
        if ('refused' in planned) return;
        await confirm(engine, planned.card.id, 'y');
        expect(world.sent.map(({ script }) => script)).toEqual(planned.card.commands.map(({ line }) => line));
      }),
      { numRuns: 40 },
    );
  });
});

describe('guard 3 plan is stale', () => {
  it('re-reads after confirmation and refuses when what it rests on changed', async () => {
    const engine = world.engine();
    const { id } = await card(engine, 'fake.resume', ['n1', 'n2']);
    world.nodes['n1'] = { drained: true, reason: 'bad DIMM, RMA 1234' };
    const view = await confirm(engine, id, 'y');
    expect(view.state).toBe('refused');
    expect(states(view)).toEqual(['refused', 'not reached']);
    expect(world.sent).toEqual([]);
  });

  it('refuses when the plan made anew would show other commands, although every guard passes', async () => {
    const engine = world.engine();
    const { id } = await card(engine, 'fake.resume', ['n1']);
    world.nodes['n1'] = { drained: true, reason: 'NHC: another fault' };
    const view = await confirm(engine, id, 'y');
    expect(view.targets[0]?.text).toMatch(/3 plan is stale: .*changed/);
    expect(world.sent).toEqual([]);
  });

  it('refuses when it cannot be read again', async () => {
    const engine = world.engine();
    const { id } = await card(engine, 'fake.resume', ['n1']);
    world.broken = { kind: 'timeout', message: 'ctl1 did not answer within 8 s' };
    const view = await confirm(engine, id, 'y');
    expect(view.targets[0]?.text).toMatch(/3 plan is stale: it could not be read again: ctl1 did not answer/);
    expect(world.sent).toEqual([]);
  });

  it('does not take an answer whose question began before for a live one', async () => {
    const engine = world.engine();
    const { id } = await card(engine, 'fake.resume', ['n1']);
    const { reader } = world.parts;
    const joined: typeof reader = { judgement: reader.judgement, readNow: async () => undefined };
    Object.assign(world.parts.reader, { readNow: joined.readNow });
    const view = await confirm(engine, id, 'y');
    expect(view.state).toBe('refused');
    expect(world.sent).toEqual([]);
  });
});

describe('guard 4 ownership, and other guards of an action', () => {
  it('leaves out at planning what a guard refuses, with its reason, and plans the rest', async () => {
    world.nodes['n2'] = { drained: true, reason: 'bad DIMM' };
    const shown = await card(world.engine(), 'fake.resume', ['n1', 'n2', 'n3']);
    expect(shown.targets.map(({ id }) => id)).toEqual(['n1', 'n3']);
    expect(shown.leftOut).toEqual([{ id: 'n2', reason: 'n2 was drained for "bad DIMM"' }]);
  });

  it('refuses when no target passes, with the guard and the reading', async () => {
    world.nodes['n2'] = { drained: true, reason: 'bad DIMM' };
    expect(await refusal(world.engine(), 'fake.resume', ['n2'])).toBe(
      '4 ownership: n2 was drained for "bad DIMM"',
    );
    expect((await records()).at(-1)).toMatchObject({ kind: 'refused', target: 'n2', outcome: 'refused' });
  });

  it('is exceeded with a typed reason, one danger class up, and written down', async () => {
    world.nodes['n2'] = { drained: true, reason: 'bad DIMM' };
    const engine = world.engine();
    const shown = await card(engine, 'fake.resume', ['n2'], { exceed4: 'RMA is done' });
    expect(shown).toMatchObject({ danger: 'service', confirmText: 'n2' });
    expect(shown.because.join(' ')).toContain('RMA is done');
    expect((await confirm(engine, shown.id, 'n2')).state).toBe('done');
    const intent = (await records()).find(({ kind }) => kind === 'intent');
    expect(intent?.detail['exceeded']).toEqual([{ guard: '4 ownership', reason: 'RMA is done' }]);
  });

  it('an absolute guard is exceeded by no reason, a missing one by none either', async () => {
    const engine = world.engine();
    expect(await refusal(engine, 'fake.resume', ['n1'], { exceed6: 'I know better' })).toMatch(/absolute/);
    expect(await refusal(engine, 'fake.resume', ['n1'], { exceed9: 'I know better' })).toMatch(/no guard 9/);
    expect(await refusal(engine, 'fake.resume', ['n1'], { exceed4: ' ' })).toMatch(/wants a reason/);
  });
});

describe('guard 5 targets', () => {
  it.each([
    ['an empty set', []],
    ['ALL', ['ALL']],
    ['all', ['all']],
    ['a wildcard', ['n*']],
    ['a host list', ['n[1-3]']],
    ['a comma list', ['n1,n2']],
    ['an option', ['-n1']],
    ['an unknown name', ['n99']],
    ['a name twice', ['n1', 'n1']],
    ['an alias', ['n1.example']],
    ['a hidden character', ['n\u200b1']],
    ['an escape', ['n1\u001b[31m']],
  ])('refuses %s', async (_, ids) => {
    expect(await refusal(world.engine(), 'fake.resume', ids)).toMatch(/^5 targets/);
    expect(world.sent).toEqual([]);
  });

  it('refuses another kind of subject', async () => {
    const planned = await world.engine().plan('fake.resume', [{ kind: 'host', id: 'n1' }], {});
    expect(planned).toMatchObject({ refused: { guard: '5 targets' } });
  });

  it('refuses unknown actions and parameters with the nearest known', async () => {
    expect(await refusal(world.engine(), 'fake.resum', ['n1'])).toContain('is fake.resume meant?');
    expect(await refusal(world.engine(), 'fake.resume', ['n1'], { resaon: 'x' })).toContain(
      'is reason meant?',
    );
  });
});

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
