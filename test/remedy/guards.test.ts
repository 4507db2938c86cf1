import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RunView } from '../../src/model/run.ts';
import { hashOf } from '../../src/remedy/commands.ts';
import { createEngine } from '../../src/remedy/engine.ts';
import { answer, createWorld, node, obey, type World } from './world.ts';
import { card, refusal, confirm } from './acting.ts';

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
    expect(view.targets[0]?.text).toMatch(/changed/);
    expect(world.sent).toEqual([]);
  });

  it('says what is not asked there, not that its answer was late', async () => {
    const engine = world.engine();
    const { id } = await card(engine, 'fake.resume', ['n1']);
    world.beforeRead = () => {
      throw new Error('fake.other is not asked on ctl1');
    };
    const view = await confirm(engine, id, 'y');
    expect(view.targets[0]?.text).toMatch(/could not be checked again: fake\.other is not asked on ctl1$/);
    expect(world.sent).toEqual([]);
  });

  it('refuses when it cannot be read again', async () => {
    const engine = world.engine();
    const { id } = await card(engine, 'fake.resume', ['n1']);
    world.broken = { kind: 'timeout', message: 'ctl1 did not answer within 8 s' };
    const view = await confirm(engine, id, 'y');
    expect(view.targets[0]?.text).toMatch(/^the plan could not be checked again: ctl1 did not answer/);
    expect(world.sent).toEqual([]);
  });

  it('does not take an answer whose question began before for a live one', async () => {
    const engine = world.engine();
    const { id } = await card(engine, 'fake.resume', ['n1']);
    const { reader } = world.parts;
    const joined: typeof reader = { ...reader, readNow: async () => undefined };
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
    expect(await refusal(engine, 'fake.resume', ['n1'], { exceed4: ' ' })).toMatch(/needs a reason/);
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
