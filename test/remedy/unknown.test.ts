import { beforeEach, describe, expect, it } from 'vitest';
import type { RunView } from '../../src/model/run.ts';
import type { Engine } from '../../src/remedy/engine.ts';
import { confirm, refusal, run } from './acting.ts';
import { colleagues, hangs, TIMED_OUT } from './hang.ts';
import { createWorld, lostAnswer, node, obey, type World } from './world.ts';

let world: World;
beforeEach(() => {
  world = createWorld(3);
});

const records = async () => (await world.parts.audit.read()).records;
const last = async () => (await records()).at(-1);
const results = async () => (await records()).filter(({ kind }) => kind === 'result' || kind === 'recovered');

const inTheWay = (engine: Engine, ...ids: string[]) =>
  engine.recover({ action: 'fake.drain', subjects: ids.map(node), tell: () => undefined });
const undo = async (engine: Engine, { id }: RunView): Promise<RunView> => {
  const planned = await engine.plan(`undo:${id}`, [], {});
  if ('refused' in planned) throw new Error(planned.refused.reason);
  return confirm(engine, planned.card.id, planned.card.confirmText);
};

describe('a daemon that hangs longer than its client waits', () => {
  it('is unknown, with the words that say why; nothing is sent again, and colleagues are still told', async () => {
    const daemon = hangs(world);
    const shared = colleagues();
    const view = await run(world.engine({ sharedActions: shared }), ['n1']);
    expect(view.state).toBe('unknown');
    expect(view.targets[0]?.text).toContain(TIMED_OUT);
    expect(view.targets[0]?.text).toContain('ctl1 does not answer');
    expect(await last()).toMatchObject({ kind: 'result', outcome: 'unknown', detail: { sent: 'uncertain' } });
    expect(shared.lines()).toEqual(['node n1']);
    daemon.goOn();
    expect(world.sent).toHaveLength(1);
  });

  it('went on and did it: the next plan on the subject, by any process, writes it down as done; its undo works', async () => {
    const daemon = hangs(world);
    const shared = colleagues();
    const view = await run(world.engine({ sharedActions: shared }), ['n1']);
    const next = world.engine({ sharedActions: shared });
    expect(await refusal(next, `undo:${view.id}`, [])).toMatch(/^10 unknown: .*can't be read now/);
    daemon.goOn();
    expect(await refusal(next, 'fake.drain', ['n1'])).toBe('planned');
    expect(await last()).toMatchObject({
      kind: 'recovered',
      outcome: 'done',
      detail: { undo: `undo:${view.id}` },
    });
    expect(shared.lines()).toEqual(['node n1']);
    expect((await undo(next, view)).state).toBe('done');
    expect(world.nodes['n1']).toEqual({ drained: true, reason: 'NHC: mount lost' });
    expect(shared.lines()).toEqual([]);
  });

  it('went on and did it: undo alone looks first', async () => {
    const daemon = hangs(world);
    const view = await run(world.engine(), ['n1']);
    daemon.goOn();
    expect((await undo(world.engine(), view)).state).toBe('done');
  });

  it('went on later: one reading that does not show it proves nothing', async () => {
    const daemon = hangs(world);
    const view = await run(world.engine(), ['n1']);
    daemon.goOn(false);
    const engine = world.engine();
    expect(await refusal(engine, 'fake.drain', ['n1'])).toMatch(/^10 unknown: .*may still come/);
    obey(world.nodes, 'scontrol update n1 resume x');
    expect(await refusal(engine, 'fake.drain', ['n1'])).toBe('planned');
    expect(await last()).toMatchObject({ kind: 'recovered', run: view.id, outcome: 'done' });
  });

  it('never did it: failed once it stayed so, and then it holds nobody up', async () => {
    const daemon = hangs(world);
    const shared = colleagues();
    await run(world.engine({ sharedActions: shared }), ['n1']);
    daemon.goOn(false);
    const began = world.clock.mono();
    const [view] = await inTheWay(world.engine({ sharedActions: shared }), 'n1');
    expect(view).toMatchObject({
      state: 'failed',
      targets: [{ text: expect.stringContaining('it is not so: n1 is drained') }],
    });
    expect(world.clock.mono() - began).toBeGreaterThanOrEqual(30_000);
    expect(shared.lines()).toEqual([]);
    expect(await refusal(world.engine({ sharedActions: shared }), 'fake.resume', ['n1'])).toBe('planned');
  });

  it('a reading that fails begins the wait anew', async () => {
    const daemon = hangs(world);
    await run(world.engine(), ['n1']);
    daemon.goOn(false);
    const engine = world.engine();
    const blocked = (): Promise<string> => refusal(engine, 'fake.drain', ['n1']);
    expect(await blocked()).toContain('may still come');
    world.clock.advance(25_000);
    world.broken = { kind: 'timeout', message: 'ctl1 hangs again' };
    expect(await blocked()).toContain('ctl1 hangs again');
    world.broken = undefined;
    world.clock.advance(25_000);
    expect(await blocked()).toContain('may still come');
    world.clock.advance(25_000);
    expect(await blocked()).toContain('may still come');
    world.clock.advance(10_000);
    expect(await blocked()).toBe('planned');
  });
});

describe('the console looks again by itself', () => {
  /** The console's own sleeps move the clock: here the disk is waited for, by real time. */
  const settled = async (engine: Engine, id: string): Promise<RunView | undefined> => {
    const over = Date.now() + 30_000;
    for (;;) {
      const view = engine.runs().find((one) => one.id === id);
      if (Date.now() > over || (view?.state !== 'unknown' && view?.state !== 'running')) return view;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };

  it('until it is known, in the run that the operator sees, with its undo', async () => {
    const daemon = hangs(world);
    const engine = world.engine();
    const view = await run(engine, ['n1']);
    const stop = engine.watch();
    expect(view.state).toBe('unknown');
    await world.clock.sleep(300_000);
    expect(engine.runs().find(({ id }) => id === view.id)?.state).toBe('unknown');
    expect((await results()).filter(({ kind }) => kind === 'recovered').length).toBeLessThanOrEqual(1);
    daemon.goOn();
    expect(await settled(engine, view.id)).toMatchObject({
      state: 'done',
      targets: [{ id: 'n1', state: 'verified' }],
    });
    stop();
    expect((await undo(engine, view)).state).toBe('done');
  });

  it('says failed where it did not come, and keeps the lines of the other targets', async () => {
    const { act } = world;
    world.act = (script) => (script.includes('n2') ? lostAnswer() : act(script));
    const engine = world.engine();
    const view = await run(engine, ['n1', 'n2', 'n3']);
    const stop = engine.watch();
    expect(view.state).toBe('unknown');
    const now = await settled(engine, view.id);
    expect(now?.state).toBe('failed');
    expect(now?.targets.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'n1 verified',
      'n2 failed',
      'n3 not reached',
    ]);
    stop();
  });

  it('asks nothing while nothing is open', async () => {
    let reads = 0;
    world.beforeRead = () => (reads += 1);
    const stop = world.engine().watch();
    await world.clock.sleep(600_000);
    expect(reads).toBe(0);
    stop();
  });
});
