import * as z from 'zod';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Action } from '../../src/model/action.ts';
import { createSharedActions } from '../../src/remedy/shared-actions.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { answer, createWorld, fakeAction, node, transportsOf, type World } from './world.ts';
import { realShWithin } from './real-sh.ts';
import { shut, withTimer } from './held.ts';

const MINUTE = 60_000;
const realSh = realShWithin(0);

describe('guard 13 cool-down', () => {
  let world: World;
  let folder: string;
  beforeEach(() => {
    world = createWorld(3);
    folder = emptyFolder('shared');
  });

  /** Drained again by the health check, so that there is something to resume; the audit log has real time. */
  const again = (): void => {
    for (const one of Object.values(world.nodes)) Object.assign(one, { drained: true, reason: 'NHC: again' });
    world.clock.advance(10_000);
  };
  const plan = (set: Record<string, string> = {}, engine = world.engine(), ids = ['n1']) =>
    engine.plan('fake.resume', ids.map(node), set);
  const resume = async (set: Record<string, string> = {}, engine = world.engine(), ids = ['n1']) => {
    const planned = await plan(set, engine, ids);
    if ('refused' in planned) throw new Error(planned.refused.reason);
    const confirmed = await engine.confirm(planned.card.id, planned.card.confirmText);
    if ('refused' in confirmed) throw new Error(confirmed.refused.reason);
    return engine.awaitEnd(confirmed.run);
  };

  it('is refused within 10 minutes, goes with a typed reason one class up, and a third time is hardware', async () => {
    expect((await resume()).state).toBe('done');
    again();
    expect(await plan()).toMatchObject({
      refused: { guard: '13 cool-down', reason: expect.stringContaining('wait 10 min') },
    });
    const planned = await plan({ exceed13: 'the mount is back for good' });
    expect(planned).toMatchObject({ card: { danger: 'service', confirmText: 'n1' } });
    expect((await resume({ exceed13: 'the mount is back for good' })).state).toBe('done');
    again();
    world.clock.advance(11 * MINUTE);
    expect(await plan()).toMatchObject({
      refused: {
        guard: '13 cool-down',
        reason: expect.stringContaining('stop here and suspect the hardware'),
      },
    });
    const { records } = await world.parts.audit.read();
    expect(records.findLast(({ kind }) => kind === 'intent')?.detail['exceeded']).toEqual([
      { guard: '13 cool-down', reason: 'the mount is back for good' },
    ]);
  });

  it('is over after 10 minutes, and for others at once', async () => {
    await resume();
    again();
    expect(await plan({}, world.engine(), ['n1', 'n2'])).toMatchObject({
      card: { targets: [node('n2')], leftOut: [{ id: 'n1' }] },
    });
    world.clock.advance(11 * MINUTE);
    expect('card' in (await plan())).toBe(true);
  });

  it('what is so already is nothing to do, not a repetition', async () => {
    await resume();
    expect((await resume()).state).toBe('nothing');
  });

  it('does not count what was refused, what the host said no to, and what was undone', async () => {
    world.act = () => answer({ exitCode: 1, stderr: 'slurm_update error: Invalid user id' });
    expect((await resume()).state).toBe('failed');
    expect('card' in (await plan())).toBe(true);
    const held = createWorld(2);
    withTimer(held);
    const engine = held.engine();
    expect((await engine.awaitEnd(await shut(held, engine))).state).toBe('undone');
    expect('card' in (await engine.plan('fake.shut', [node('n1')], {}))).toBe(true);
  });

  it('never holds up an undo, nor an action that may be repeated', async () => {
    const view = await resume();
    expect('card' in (await world.engine().plan(`undo:${view.id}`, [], {}))).toBe(true);
    again();
    const actions = [{ system: 'fake', actions: [fakeAction({ repeatable: true })] }];
    expect('card' in (await plan({}, world.engine({ actionSets: actions })))).toBe(true);
  });

  it('the menu asks for the reason', async () => {
    const engine = world.engine();
    await resume({}, engine);
    again();
    const entry = (await engine.menu([node('n1')])).find(({ action }) => action === 'fake.resume');
    expect(entry?.prompts.at(-1)).toMatchObject({
      name: 'exceed13',
      required: true,
      label: expect.stringContaining('by alice'),
    });
    const both = (await engine.menu([node('n1'), node('n2')])).find(({ action }) => action === 'fake.resume');
    expect(both?.prompts.at(-1)).toMatchObject({ name: 'exceed13', required: false });
  });

  it('holds up a second time on the same object only, and the menu leaves the reason open', async () => {
    const whole = fakeAction();
    const onPath: Action = {
      ...whole,
      plan: (subjects, given, context) => {
        const made = whole.plan(subjects, given, context);
        const object = z.object({ reason: z.string() }).safeParse(given).data?.reason;
        if ('refused' in made || object === undefined) return made;
        return { ...made, targets: made.targets.map((target) => ({ ...target, object })) };
      },
    };
    const actions = createSharedActions({ host: 'admin1', dir: folder }, transportsOf(realSh), world.clock);
    const engine = world.engine({
      actionSets: [{ system: 'fake', actions: [onPath] }],
      sharedActions: actions,
    });
    await resume({ reason: '/a' }, engine);
    expect((await actions.read()).past).toMatchObject([{ subject: 'node n1', object: '/a' }]);
    again();
    expect(await plan({ reason: '/a' }, engine)).toMatchObject({
      refused: { guard: '13 cool-down', reason: expect.stringContaining('resume of n1 /a was done') },
    });
    expect('card' in (await plan({ reason: '/b' }, engine))).toBe(true);
    const entry = (await engine.menu([node('n1')])).find(({ action }) => action === 'fake.resume');
    expect(entry?.prompts.at(-1)).toMatchObject({
      name: 'exceed13',
      required: false,
      label: expect.stringContaining('n1 /a'),
    });
    // The other machine's console knows it from the folder alone.
    const other = createWorld(3);
    const colleague = other.engine({
      actionSets: [{ system: 'fake', actions: [onPath] }],
      sharedActions: actions,
    });
    const of = (reason: string) => colleague.plan('fake.resume', [node('n1')], { reason });
    expect(await of('/a')).toMatchObject({ refused: { guard: '13 cool-down' } });
    expect('card' in (await of('/b'))).toBe(true);
  });

  describe('in the shared folder', () => {
    const shared = (run = realSh) =>
      createSharedActions({ host: 'admin1', dir: folder }, transportsOf(run), world.clock);

    it('a colleague on another machine is seen, even between plan and confirmation', async () => {
      const actions = shared();
      const engine = world.engine({ sharedActions: actions });
      expect(await actions.read()).toEqual({ past: [] });
      const planned = await plan({}, engine);
      if ('refused' in planned) throw new Error(planned.refused.reason);
      const bob = { run: 'r-bob', verb: 'resume', subject: 'node n1', by: 'bob', at: world.clock.now() };
      expect(await actions.tell(bob, 'key of r-bob')).toBeUndefined();
      const confirmed = await engine.confirm(planned.card.id, planned.card.confirmText);
      if ('refused' in confirmed) throw new Error(confirmed.refused.reason);
      const view = await engine.awaitEnd(confirmed.run);
      expect(view.state).toBe('refused');
      expect(view.result).toContain('by bob');
      expect(world.sent).toEqual([]);
      expect(await plan({}, engine)).toMatchObject({ refused: { guard: '13 cool-down' } });
      await actions.tell(bob, 'key of r-bob', true);
      expect('card' in (await plan({}, engine))).toBe(true);
    });

    it('what was undone counts no more, for colleagues too', async () => {
      const actions = shared();
      const engine = world.engine({ sharedActions: actions });
      const view = await resume({}, engine);
      const undo = await engine.plan(`undo:${view.id}`, [], {});
      if ('refused' in undo) throw new Error(undo.refused.reason);
      const confirmed = await engine.confirm(undo.card.id, undo.card.confirmText);
      if ('refused' in confirmed) throw new Error(confirmed.refused.reason);
      expect((await engine.awaitEnd(confirmed.run)).state).toBe('done');
      expect(await actions.read()).toEqual({ past: [] });
      expect('card' in (await plan({}, engine))).toBe(true);
    });

    it('tells what was done, and takes back what came to nothing', async () => {
      const actions = shared();
      await resume({}, world.engine({ sharedActions: actions }));
      expect((await actions.read()).past).toMatchObject([
        { verb: 'resume', subject: 'node n1', by: 'alice' },
      ]);
      world.act = () => answer({ exitCode: 1, stderr: 'slurm_update error: Invalid user id' });
      await resume({}, world.engine({ sharedActions: actions }), ['n2']);
      expect((await actions.read()).past).toHaveLength(1);
    });

    it('a folder that hangs is polled ever less often, and asked all the same for an operator', async () => {
      let asked = 0;
      let hangs = true;
      const { exitCode: _, ...none } = answer();
      const actions = shared(async (request) => {
        asked += 1;
        return hangs ? { ...none, timedOut: true } : realSh(request);
      });
      const night = async (): Promise<number> => {
        const before = asked;
        for (let minute = 0; minute < 240; minute += 1) {
          await actions.poll();
          world.clock.advance(60_000);
        }
        return asked - before;
      };
      expect(await night()).toBeLessThan(13);
      const before = asked;
      expect(await actions.poll()).toEqual({ unclear: expect.stringContaining('left alone') });
      expect(asked).toBe(before);
      hangs = false;
      expect(await actions.read()).toEqual({ past: [] });
      expect(await night()).toBe(240);
    });
  });
});
