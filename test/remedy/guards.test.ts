import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Action, Guard } from '../../src/model/action.ts';
import type { RunView } from '../../src/model/run.ts';
import { hashOf } from '../../src/remedy/commands.ts';
import { createEngine, type Engine } from '../../src/remedy/engine.ts';
import { createAuditLog } from '../../src/remedy/audit-log.ts';
import {
  answer,
  createWorld,
  fakeAction,
  lostAnswer,
  node,
  obey,
  operator,
  realTime,
  self,
  type World,
} from './world.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});

const card = async (
  engine: Engine,
  action: string,
  ids: readonly string[],
  set: Record<string, string> = {},
) => {
  const planned = await engine.plan(action, ids.map(node), set);
  if ('refused' in planned) throw new Error(`${planned.refused.guard}: ${planned.refused.reason}`);
  return planned.card;
};

const refusal = async (
  engine: Engine,
  action: string,
  ids: readonly string[],
  set: Record<string, string> = {},
) => {
  const planned = await engine.plan(action, ids.map(node), set);
  return 'refused' in planned ? `${planned.refused.guard}: ${planned.refused.reason}` : 'planned';
};

const confirm = async (engine: Engine, plan: string, typed: string): Promise<RunView> => {
  const confirmed = await engine.confirm(plan, typed);
  if ('refused' in confirmed) throw new Error(`${confirmed.refused.guard}: ${confirmed.refused.reason}`);
  return engine.ended(confirmed.run);
};

const run = async (engine: Engine, ids: readonly string[], action = 'fake.resume'): Promise<RunView> => {
  const { id, confirmText } = await card(engine, action, ids);
  return confirm(engine, id, confirmText);
};

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
      script.includes('n2') ? answer({ exitCode: 1, stderr: 'no way\n' }) : obey(world.nodes, script);
    const view = await run(world.engine(), ['n1', 'n2', 'n3']);
    expect(view.state).toBe('failed');
    expect(states(view)).toEqual(['verified', 'failed', 'not reached']);
    expect(view.result).toMatch(
      /1 of 3 done and verified; n2 failed: exit 1: no way; n2 is drained; .*not reached/,
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
    world.act = (script) => (script.includes(' n5 ') ? answer({ exitCode: 1 }) : obey(world.nodes, script));
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

describe('guard 10 verification', () => {
  it('exit code 0 is no success: what does not read back within the deadline has failed', async () => {
    world.act = () => answer();
    const view = await run(world.engine(), ['n1']);
    expect(view.state).toBe('failed');
    expect(view.targets[0]?.text).toBe('not so within 30 s: n1 is drained');
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

describe('guard 14 audit', () => {
  it('the intent is on disk before the first byte is sent, the result after', async () => {
    const seen: string[][] = [];
    world.act = async (script) => {
      seen.push((await records()).map(({ kind, target }) => `${kind} ${target}`));
      return obey(world.nodes, script);
    };
    await run(world.engine(), ['n1', 'n2']);
    expect(seen).toEqual([['intent n1'], ['intent n1', 'result n1', 'intent n2']]);
    expect((await records()).map(({ kind }) => kind)).toEqual(['intent', 'result', 'intent', 'result']);
  });

  const auditAt = (file: string) =>
    createAuditLog({ file, site: 'test', operator, console: self, clock: realTime });

  it.each([
    [
      'a folder that is a file',
      (folder: string) => writeFileSync(join(folder, 'no'), ''),
      'no/audit.jsonl',
      /EEXIST|ENOTDIR/,
    ],
    [
      'a log that is a folder',
      (folder: string) => void mkdirSync(join(folder, 'no')),
      'no',
      /EISDIR|unable to open|ENOTDIR|EEXIST/,
    ],
  ])('nothing is sent on %s, and the badge says why', async (_, prepare, name, why) => {
    prepare(world.folder);
    const audit = auditAt(join(world.folder, name));
    const engine = world.engine({ audit });
    const planned = await engine.plan('fake.resume', [node('n1')], {});
    if ('card' in planned) {
      const view = await confirm(engine, planned.card.id, 'y');
      expect(view).toMatchObject({ state: 'refused', targets: [{ state: 'refused' }] });
      expect(view.targets[0]?.text).toMatch(/^14 audit: /);
    } else expect(planned.refused.guard).toBe('14 audit');
    expect(engine.badges()[0]).toMatch(/^actions off: audit log cannot be/);
    expect(engine.badges()[0]).toMatch(why);
    expect(world.sent).toEqual([]);
    const [entry] = await engine.menu([node('n1')]);
    expect(entry).toMatchObject({ available: false });
    expect(entry?.text).toMatch(/^actions off/);
  });

  it('nothing is sent when the disk is full at the moment of the intent', async () => {
    symlinkSync('/dev/full', join(world.folder, 'full.jsonl'));
    const full = auditAt(join(world.folder, 'full.jsonl'));
    const engine = world.engine({ audit: { ...full, read: world.parts.audit.read } });
    const view = await run(engine, ['n1', 'n2']);
    expect(view.state).toBe('refused');
    expect(states(view)).toEqual(['refused', 'not reached']);
    expect(view.targets[0]?.text).toMatch(/^14 audit: .*ENOSPC.*nothing was sent/);
    expect(engine.badges()[0]).toMatch(/^actions off: audit log cannot be written: ENOSPC/);
    expect(world.sent).toEqual([]);
  });

  it('works again when the disk does', async () => {
    const audit = auditAt(join(world.folder, 'no/audit.jsonl'));
    writeFileSync(join(world.folder, 'no'), '');
    const engine = world.engine({ audit });
    await audit.check();
    expect(await refusal(engine, 'fake.resume', ['n1'])).toMatch(/^14 audit/);
    const { rmSync } = await import('node:fs');
    rmSync(join(world.folder, 'no'));
    expect((await run(engine, ['n1'])).state).toBe('done');
    expect(engine.badges().join()).not.toContain('actions off');
  });
});

describe('guard 15 expiry', () => {
  it('a plan is void after 60 s of the monotonic clock', async () => {
    const engine = world.engine();
    const { id, expiresInMs } = await card(engine, 'fake.resume', ['n1']);
    world.clock.advance(expiresInMs + 1);
    expect(await engine.confirm(id, 'y')).toMatchObject({ refused: { guard: '15 expiry' } });
    expect(world.sent).toEqual([]);
  });

  it('a suspend that only the wall clock saw voids it too', async () => {
    let asleep = 0;
    const clock = { ...world.clock, now: () => world.clock.now() + asleep };
    const engine = world.engine({ clock });
    const { id } = await card(engine, 'fake.resume', ['n1']);
    asleep = 8 * 3_600_000;
    expect(await engine.confirm(id, 'y')).toMatchObject({ refused: { guard: '15 expiry' } });
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
      targets: [{ text: '9 armed undo: a commit of bob waits' }],
    });
    expect(world.nodes['n1']?.drained).toBe(false);
  });

  it('is offered in the menu after a verified run, and is a plan of its own', async () => {
    const engine = world.engine();
    await run(engine, ['n1', 'n2']);
    const offer = (await engine.menu([node('n2')])).at(-1);
    expect(offer).toMatchObject({ available: true, title: 'undo "resume 2"' });
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
