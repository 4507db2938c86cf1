import { beforeEach, describe, expect, it } from 'vitest';
import { EXPIRES_MS } from '../../src/remedy/plan-card.ts';
import { card, confirm } from './acting.ts';
import { createWorld, fakeAction, node, type World } from './world.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});

type Engine = ReturnType<World['engine']>;

const renew = async (engine: Engine, plan: string, ids = ['n1']) =>
  engine.plan('fake.resume', ids.map(node), {}, plan);

const records = async () => (await world.parts.audit.read(true)).records;

describe('a plan that is read is made anew', () => {
  it('the same bytes keep its id, and it lives for as long as it is read', async () => {
    const engine = world.engine();
    const { id } = await card(engine, 'fake.resume', ['n1']);
    for (let times = 0; times < 5; times++) {
      world.clock.advance(EXPIRES_MS - 1000);
      expect(await renew(engine, id)).toMatchObject({ card: { id } });
    }
    expect((await confirm(engine, id, 'y')).state).toBe('done');
  });

  it('reads again what its guards look at, and says of when it is', async () => {
    const engine = world.engine();
    const first = await card(engine, 'fake.resume', ['n1']);
    world.clock.advance(4000);
    const again = await renew(engine, first.id);
    if (!('card' in again)) throw new Error('refused');
    expect(again.card.readAt).toBeGreaterThanOrEqual((first.readAt ?? 0) + 4000);
  });

  it('other bytes are another plan, and the old one can not be confirmed', async () => {
    const engine = world.engine();
    const { id } = await card(engine, 'fake.resume', ['n1', 'n2']);
    world.nodes['n2'] = { drained: true, reason: 'by a person' };
    world.clock.advance(4000);
    const again = await renew(engine, id, ['n1', 'n2']);
    if (!('card' in again)) throw new Error('refused');
    expect(again.card.id).not.toBe(id);
    expect(again.card.targets.map((one) => one.id)).toEqual(['n1']);
    expect(await engine.confirm(id, 'y')).toMatchObject({ refused: { guard: '11 at most once' } });
    expect(world.sent).toEqual([]);
    expect((await confirm(engine, again.card.id, again.card.confirmText)).state).toBe('done');
  });

  it('refused it waits, is written down nowhere, and is another plan when its guards hold again', async () => {
    const engine = world.engine();
    const { id } = await card(engine, 'fake.resume', ['n1']);
    const was = world.nodes['n1'];
    const before = (await records()).length;
    world.nodes['n1'] = { drained: true, reason: 'by a person' };
    world.clock.advance(4000);
    expect(await renew(engine, id)).toMatchObject({ refused: { guard: '4 ownership' } });
    expect(await engine.confirm(id, 'y')).toMatchObject({ refused: { guard: '4 ownership' } });
    expect((await records()).length).toBe(before);
    if (was) world.nodes['n1'] = was;
    world.clock.advance(4000);
    const again = await renew(engine, id);
    expect(again).toMatchObject({ card: { confirmText: 'y' } });
    expect('card' in again && again.card.id !== id).toBe(true);
    expect(await engine.confirm(id, 'y')).toMatchObject({ refused: { guard: '11 at most once' } });
  });

  it('after a sleep of the machine it is another plan', async () => {
    const engine = world.engine();
    const { id } = await card(engine, 'fake.resume', ['n1']);
    world.clock.advance(EXPIRES_MS + 1);
    const again = await renew(engine, id);
    expect('card' in again && again.card.id !== id).toBe(true);
  });

  it('confirmed or dropped meanwhile it does not come back', async () => {
    const engine = world.engine();
    const first = await card(engine, 'fake.resume', ['n1']);
    const [again, started] = await Promise.all([renew(engine, first.id), engine.confirm(first.id, 'y')]);
    expect(started).toHaveProperty('run');
    expect(again).toMatchObject({ refused: { guard: '11 at most once' } });
    const second = await card(engine, 'fake.resume', ['n2']);
    engine.drop(second.id);
    expect(await renew(engine, second.id, ['n2'])).toMatchObject({ refused: { guard: '11 at most once' } });
  });

  it('what touches more than its answer is not asked every few seconds', async () => {
    const engine = world.engine();
    const { id } = await card(engine, 'fake.resume', ['n1']);
    Object.assign(world.parts.reader, { touches: () => 'signals' });
    let asked = 0;
    const { readNow } = world.parts.reader;
    Object.assign(world.parts.reader, {
      readNow: async (...args: Parameters<typeof readNow>) => {
        asked += 1;
        await readNow(...args);
      },
    });
    world.clock.advance(4000);
    expect(await renew(engine, id)).toMatchObject({ card: { id } });
    expect(asked).toBe(0);
    // The source's own interval is 10 s.
    world.clock.advance(7000);
    await renew(engine, id);
    expect(asked).toBe(1);
  });

  it('an access action is armed by when its bytes came to the screen first', async () => {
    const action = fakeAction({ danger: 'access' });
    const engine = world.engine({ actionSets: [{ system: 'fake', actions: [action] }] });
    const { id, confirmText, armedAfterMs } = await card(engine, 'fake.resume', ['n1']);
    world.clock.advance(armedAfterMs + 1);
    expect(await renew(engine, id)).toMatchObject({ card: { id } });
    expect(await engine.confirm(id, confirmText)).toHaveProperty('run');
  });
});
