import { beforeEach, describe, expect, it } from 'vitest';
import type { RunView } from '../../src/model/run.ts';
import { answer, createWorld, lostAnswer, obey, type World } from './world.ts';
import { card, refusal, confirm, run } from './acting.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});

const records = async () => (await world.parts.audit.read()).records;
const states = (view: RunView) => view.targets.map(({ state }) => state);

describe('guard 10 verification', () => {
  it('exit code 0 is no success: what does not read back within the deadline is not known', async () => {
    world.act = () => answer();
    const view = await run(world.engine(), ['n1']);
    expect(view.state).toBe('unknown');
    expect(view.targets[0]?.text).toBe(
      'not so within 30 s: n1 is drained; the command reported success, so the change may still come',
    );
    expect(view.targets[0]?.ms).toBeGreaterThanOrEqual(30_000);
  });

  it('waits for a state that comes late', async () => {
    world.act = (script) => {
      const until = world.clock.mono() + 5_000;
      world.beforeRead = () => {
        if (world.clock.mono() > until) obey(world.nodes, script);
      };
      return answer();
    };
    expect((await run(world.engine(), ['n1'])).state).toBe('done');
  });

  it('fails at once when the reading says it will not come', async () => {
    world.act = () => {
      delete world.nodes['n1'];
      return answer();
    };
    const view = await run(world.engine(), ['n1']);
    expect(view).toMatchObject({ state: 'failed', targets: [{ text: 'n1 is gone' }] });
  });

  it('unreadable is unknown, never success, and blocks the subject until a reading tells', async () => {
    world.act = (script) => {
      world.broken = { kind: 'connect', message: 'ctl1 is unreachable' };
      return obey(world.nodes, script);
    };
    const engine = world.engine();
    const view = await run(engine, ['n1', 'n2']);
    expect(view.state).toBe('unknown');
    expect(states(view)).toEqual(['unknown', 'not reached']);
    expect(view.targets[0]?.text).toContain('ctl1 is unreachable');
    expect(await refusal(engine, 'fake.drain', ['n1'])).toMatch(/^10 unknown/);
    expect(await refusal(world.engine(), 'fake.drain', ['n1'])).toMatch(/^10 unknown/);
    world.broken = undefined;
    expect(await refusal(engine, 'fake.drain', ['n1'])).toBe('planned');
    expect((await records()).at(-1)).toMatchObject({ kind: 'recovered', target: 'n1', outcome: 'done' });
  });

  it('other subjects are not blocked', async () => {
    world.act = () => {
      world.broken = { kind: 'connect', message: 'ctl1 is unreachable' };
      return answer();
    };
    const engine = world.engine();
    await run(engine, ['n1']);
    world.broken = undefined;
    expect(await refusal(engine, 'fake.resume', ['n2'])).toBe('planned');
  });
});

describe('guard 11 at most once', () => {
  it('an already reached state is nothing, and nothing is sent', async () => {
    const engine = world.engine();
    const { id } = await card(engine, 'fake.resume', ['n1']);
    world.nodes['n1'] = { drained: false, reason: '' };
    const view = await confirm(engine, id, 'y');
    expect(view.state).toBe('nothing');
    expect(world.sent).toEqual([]);
  });

  it('a plan runs once', async () => {
    const engine = world.engine();
    const { id } = await card(engine, 'fake.resume', ['n1']);
    const both = await Promise.all([engine.confirm(id, 'y'), engine.confirm(id, 'y')]);
    expect(both.filter((one) => 'run' in one)).toHaveLength(1);
  });

  it('a lost connection is read again and never sent again: it took effect', async () => {
    world.act = (script) => {
      obey(world.nodes, script);
      return lostAnswer();
    };
    const view = await run(world.engine(), ['n1']);
    expect(view.state).toBe('done');
    expect(world.sent).toHaveLength(1);
  });

  it('a lost connection without a visible effect is unknown, not failed', async () => {
    world.act = () => lostAnswer();
    const view = await run(world.engine(), ['n1']);
    expect(view.state).toBe('unknown');
    expect(view.targets[0]?.text).toContain('may still take effect');
    expect(world.sent).toHaveLength(1);
  });

  it('a missing exit code is never 0', async () => {
    world.act = () => {
      const { exitCode: _, ...rest } = answer();
      return rest;
    };
    expect((await run(world.engine(), ['n1'])).state).toBe('unknown');
  });

  it('a command that says no while somebody else did it is nothing', async () => {
    world.act = (script) => {
      obey(world.nodes, script);
      return answer({ exitCode: 1, stderr: 'slurm_update error: Invalid node state specified' });
    };
    const view = await run(world.engine(), ['n1']);
    expect(view.state).toBe('nothing');
    expect(view.targets[0]?.text).toContain('Invalid node state');
  });

  it('a host that is not reached leaves everything as it was', async () => {
    world.act = () => answer({ notConnected: { kind: 'auth', message: 'ctl1 refuses the key' } });
    const view = await run(world.engine(), ['n1']);
    expect(view.state).toBe('failed');
    expect(view.targets[0]?.text).toBe('not sent, nothing was changed: ctl1 refuses the key');
  });

  it('a transport that throws leaves the outcome unknown unless it reads back', async () => {
    world.act = () => Promise.reject(new Error('socket gone'));
    expect((await run(world.engine(), ['n1'])).state).toBe('unknown');
  });

  it('two runs never work on one subject', async () => {
    const engine = world.engine();
    const first = await card(engine, 'fake.resume', ['n1']);
    const second = await card(engine, 'fake.resume', ['n1']);
    const [a, b] = await Promise.all([engine.confirm(first.id, 'y'), engine.confirm(second.id, 'y')]);
    expect([a, b].filter((one) => 'run' in one)).toHaveLength(1);
  });
});
