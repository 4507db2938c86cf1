import { writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Action, Guard } from '../../src/model/action.ts';
import { createWorld, fakeAction, node, type World } from './world.ts';
import { card, refusal, confirm, run } from './acting.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});

describe('undo', () => {
  it("asks what its action wants before it, and is refused with that guard's words", async () => {
    const base = fakeAction();
    let waiting = false;
    const calm: Guard = {
      id: '9 armed undo',
      text: 'no commit waits',
      reads: [{ probe: 'fake.nodes', host: 'ctl1' }],
      absolute: true,
      check: () => (waiting ? { ok: false, text: 'a commit of bob waits' } : { ok: true, text: 'none' }),
    };
    const action: Action = {
      ...base,
      plan: (subjects, given, context) => {
        const plan = base.plan(subjects, given, context);
        if ('refused' in plan) return plan;
        return { ...plan, targets: plan.targets.map((one) => ({ ...one, undoGuards: [calm] })) };
      },
    };
    const actionSets = [{ system: 'fake', actions: [action] }];
    const view = await run(world.engine({ actionSets }), ['n1']);
    waiting = true;
    // Of this process, and of a later one that has only the log.
    for (const engine of [world.engine({ actionSets }), world.engine({ actionSets })])
      expect(await refusal(engine, `undo:${view.id}`, [])).toBe('9 armed undo: a commit of bob waits');
    waiting = false;
    const engine = world.engine({ actionSets });
    const shown = await card(engine, `undo:${view.id}`, []);
    waiting = true;
    expect(await confirm(engine, shown.id, 'y')).toMatchObject({
      state: 'refused',
      targets: [{ text: 'a commit of bob waits' }],
    });
    expect(world.nodes['n1']?.drained).toBe(false);
  });

  it('is offered in the menu after a verified run, and is a plan of its own', async () => {
    const engine = world.engine();
    await run(engine, ['n1', 'n2']);
    const offer = (await engine.menu([node('n2')])).at(-1);
    expect(offer).toMatchObject({ available: true, title: 'undo "resume 2 nodes"' });
    const shown = await card(engine, offer?.action ?? '', []);
    expect(shown.commands.map(({ line }) => line)).toEqual([
      "scontrol update n2 drain 'NHC: mount lost'",
      "scontrol update n1 drain 'NHC: mount lost'",
    ]);
    expect((await confirm(engine, shown.id, 'y')).state).toBe('done');
    expect(world.nodes['n1']).toEqual({ drained: true, reason: 'NHC: mount lost' });
    expect((await engine.menu([node('n2')])).some(({ action }) => action.startsWith('undo:'))).toBe(false);
    expect(await refusal(engine, offer?.action ?? '', [])).toMatch(/undone already/);
  });

  it('works in a later process, from the audit log', async () => {
    await run(world.engine(), ['n1']);
    const later = world.engine();
    const action = (await later.menu([node('n1')])).at(-1)?.action ?? '';
    const shown = await card(later, action, [node('n1').id]);
    expect((await confirm(later, shown.id, 'y')).state).toBe('done');
    expect(world.nodes['n1']?.drained).toBe(true);
  });

  it('is refused when the target is no longer as the run left it', async () => {
    const engine = world.engine();
    const view = await run(engine, ['n1']);
    world.nodes['n1'] = { drained: true, reason: 'bob: RMA' };
    expect(await refusal(engine, `undo:${view.id}`, [])).toMatch(
      /3 plan is stale: n1 is no longer as the run left it/,
    );
  });

  it('is refused from a log that was tampered with', async () => {
    const engine = world.engine();
    const view = await run(engine, ['n1']);
    const { readFileSync } = await import('node:fs');
    const file = world.parts.audit.file;
    writeFileSync(file, readFileSync(file, 'utf8').replace('mount lost', 'mount lose'));
    expect(await refusal(engine, `undo:${view.id}`, [])).toMatch(/14 audit: .*damaged/);
  });
});
