import { beforeEach, describe, expect, it } from 'vitest';
import type { Action } from '../../src/model/action.ts';
import type { Engine } from '../../src/remedy/engine.ts';
import type { Locks } from '../../src/remedy/locks.ts';
import { card, confirm, refusal, run } from './acting.ts';
import { answer, createWorld, fakeAction, node, type World } from './world.ts';

let world: World;
let logged: string[];
beforeEach(() => {
  world = createWorld();
  logged = [];
  world.parts = { ...world.parts, log: (text) => void logged.push(text) };
});

const refusals = async () =>
  (await world.parts.audit.read()).records
    .filter(({ kind }) => kind === 'refused')
    .map(({ action, target, detail }) => [action, target, detail['guard'], detail['text']]);
const said = (got: Awaited<ReturnType<Engine['confirm']>>): string =>
  'refused' in got ? `${got.refused.guard}: ${got.refused.reason}` : 'started';
const withAction = (over: Partial<Action>): Engine =>
  world.engine({ actionSets: [{ system: 'fake', actions: [fakeAction(over as object)] }] });

const USED = '11 at most once: this plan was used, dropped or never made; make a new one';

describe('a refusal', () => {
  it('is written down with what was asked for and why', async () => {
    await refusal(world.engine(), 'fake.resumes', ['n1', 'n2']);
    expect(await refusals()).toEqual([
      ['fake.resumes', 'n[1-2]', 'parameters', 'there is no action fake.resumes; is fake.resume meant?'],
    ]);
  });

  it('says that no plan could be made where the action has a defect, whose place is logged', async () => {
    const plan = (): never => {
      throw new Error('a defect');
    };
    expect(await refusal(withAction({ plan }), 'fake.resume', ['n1'])).toBe(
      '3 plan is stale: no plan could be made: a defect',
    );
    expect(logged).toEqual([expect.stringMatching(/^plan fake\.resume: Error: a defect\n +at /)]);
  });

  it('says so for one that is made anew, and writes nothing down', async () => {
    let broken = false;
    const base = fakeAction();
    const plan: Action['plan'] = (...given) => {
      if (broken) throw new Error('a defect');
      return base.plan(...given);
    };
    const engine = withAction({ plan });
    const { id } = await card(engine, 'fake.resume', ['n1']);
    broken = true;
    expect(await engine.plan('fake.resume', [node('n1')], {}, id)).toEqual({
      refused: { guard: '3 plan is stale', reason: 'no plan could be made: a defect' },
    });
    expect(logged).toEqual([expect.stringMatching(/^plan fake\.resume: Error: a defect/)]);
    expect(await refusals()).toEqual([]);
    expect(said(await engine.confirm(id, 'y'))).toBe('3 plan is stale: no plan could be made: a defect');
    expect(await engine.plan('fake.resume', [node('n1')], {}, 'p-none')).toEqual({
      refused: {
        guard: '11 at most once',
        reason: 'this plan was used, dropped or never made; make a new one',
      },
    });
  });

  it('is of the audit log where that can not be written, or not be read', async () => {
    const { audit } = world.parts;
    const full = world.engine({ audit: { ...audit, check: async () => 'the disk is full' } });
    expect(await refusal(full, 'fake.resume', ['n1'])).toBe('14 audit: the disk is full');
    const unread = world.engine({ audit: { ...audit, read: async () => Promise.reject(new Error('EIO')) } });
    expect(await refusal(unread, 'fake.resume', ['n1'])).toBe(
      '14 audit: no plan could be made: the audit log cannot be read',
    );
  });
});

describe('a confirmation', () => {
  it('of another text leaves the plan as it is, and is written down', async () => {
    const engine = world.engine();
    const { id } = await card(engine, 'fake.resume', ['n1']);
    expect(said(await engine.confirm(id, 'yes'))).toBe('8 confirmation: not confirmed: type "y"');
    expect(await refusals()).toEqual([['fake.resume', 'n1', '8 confirmation', 'not confirmed: type "y"']]);
    expect(said(await engine.confirm(id, 'y'))).toBe('started');
    expect(said(await engine.confirm(id, 'y'))).toBe(USED);
  });

  it('counts from the second on at which the plan is armed', async () => {
    const engine = withAction({ danger: 'access' });
    const { id } = await card(engine, 'fake.resume', ['n1']);
    world.clock.advance(1_999);
    expect(said(await engine.confirm(id, 'resume n1'))).toBe(
      '8 confirmation: it can be confirmed 2 s after it was shown',
    );
    world.clock.advance(1);
    expect(said(await engine.confirm(id, 'resume n1'))).toBe('started');
  });

  it('comes too late for a plan that has expired, whatever is typed; then it is gone', async () => {
    const engine = world.engine();
    const { id } = await card(engine, 'fake.resume', ['n1']);
    world.clock.advance(60_001);
    expect(said(await engine.confirm(id, 'no'))).toBe(
      '15 expiry: the plan is older than 60 s; make a new one',
    );
    expect(said(await engine.confirm(id, 'y'))).toBe(USED);
  });

  it('of an expired plan is one of none once another plan was made; one that is read stays', async () => {
    const engine = world.engine();
    const old = await card(engine, 'fake.resume', ['n1']);
    const readOn = await card(engine, 'fake.resume', ['n3']);
    world.clock.advance(30_000);
    const young = await card(engine, 'fake.resume', ['n2']);
    world.clock.advance(30_001);
    expect(await engine.plan('fake.resume', [node('n3')], {}, readOn.id)).toHaveProperty('card');
    expect(said(await engine.confirm(old.id, 'y'))).toBe(USED);
    expect(said(await engine.confirm(young.id, 'y'))).toBe('started');
  });

  it('is refused while another run is at work on a target, and the plan is used up', async () => {
    const engine = world.engine();
    const [first, second] = [
      await card(engine, 'fake.resume', ['n1']),
      await card(engine, 'fake.resume', ['n2', 'n1']),
    ];
    expect(said(await engine.confirm(first.id, 'y'))).toBe('started');
    const busy = '12 lock: another run is at work on n1';
    expect(said(await engine.confirm(second.id, 'y'))).toBe(busy);
    expect(await refusal(engine, 'fake.drain', ['n1'])).toBe(busy);
    expect(said(await engine.confirm(second.id, 'y'))).toBe(USED);
  });
});

describe('a run that does not start', () => {
  const withLocks = (take: Locks['take']): Engine => world.engine({ locks: { ...world.parts.locks, take } });

  it('lets go of its targets: its locks are refused, or fail', async () => {
    const no = withLocks(async () => ({ state: 'refused', reason: 'held by bob' }));
    const { id } = await card(no, 'fake.resume', ['n1']);
    expect(said(await no.confirm(id, 'y'))).toMatch(/^12 lock: held by bob;/);
    expect(await refusals()).toHaveLength(1);
    expect([await refusal(no, 'fake.resume', ['n1']), no.runs()]).toEqual(['planned', []]);
    const broken = withLocks(async () => Promise.reject(new Error('a defect')));
    const next = await card(broken, 'fake.resume', ['n1']);
    await expect(broken.confirm(next.id, 'y')).rejects.toThrow('a defect');
    expect(await refusal(broken, 'fake.resume', ['n1'])).toBe('planned');
  });

  it('tells of what its plan left out only once it starts', async () => {
    const leftOut = async () =>
      (await world.parts.audit.read()).records.filter(({ detail }) => 'leftOut' in detail);
    await run(world.engine(), ['n1']);
    expect(await leftOut()).toEqual([]);
    world = createWorld();
    world.nodes['n2'] = { drained: true, reason: 'by a person' };
    const engine = world.engine();
    const { id } = await card(engine, 'fake.resume', ['n1', 'n2']);
    expect(await leftOut()).toEqual([]);
    await confirm(engine, id, 'y');
    expect(await leftOut()).toHaveLength(1);
  });
});

describe('an undo', () => {
  it('takes the reasons about locks, one class up, and no other', async () => {
    const engine = world.engine();
    const { id } = await run(engine, ['n1']);
    expect(await card(engine, `undo:${id}`, [])).toMatchObject({ danger: 'reversible' });
    const set = { exceed12: 'admin1 is down' };
    expect(await card(engine, `undo:${id}`, [], set)).toMatchObject({ danger: 'service', confirmText: 'n1' });
    expect(await refusal(engine, `undo:${id}`, [], { reason: 'x' })).toBe(
      'parameters: an undo takes no other --set than breakLock and exceed12',
    );
  });

  it('is refused where a command of it would not show as it is sent', async () => {
    const { id } = await run(world.engine(), ['n1']);
    const undoOf = () => ({ steps: [{ host: 'ctl1', argv: ['back', 'a\u200b'] }] });
    expect(await refusal(withAction({ undoOf }), `undo:${id}`, [])).toBe(
      '2 shown is sent: no plan could be made: a command for ctl1 cannot be shown as it would be sent',
    );
  });

  it('is of nothing in a damaged log, whose line is named', async () => {
    const { audit } = world.parts;
    const { id } = await run(world.engine(), ['n1']);
    const read: typeof audit.read = async (whole) => {
      const all = await audit.read(whole);
      return whole === true ? { ...all, problems: [{ line: 3, text: 'x' } as never] } : all;
    };
    expect(await refusal(world.engine({ audit: { ...audit, read } }), `undo:${id}`, [])).toBe(
      "14 audit: the audit log is damaged (line 3); it can't be undone from it",
    );
  });
});

describe('a run of which the program fails', () => {
  it('says so, what was sent, and what was not; the place is logged', async () => {
    const { audit } = world.parts;
    world.act = () => answer();
    const engine = world.engine({
      audit: {
        ...audit,
        append: async (entry) => {
          if (entry.kind === 'result') throw new Error('a defect');
          return audit.append(entry);
        },
      },
    });
    const view = await run(engine, ['n1', 'n2']);
    expect(view.state).toBe('unknown');
    expect(view.result).toBe('resume 2: the program failed: a defect; look at each target');
    expect(view.targets.map(({ state, text }) => `${state}: ${text}`)).toEqual([
      'unknown: sent; what it did was not read',
      'not reached: not touched',
    ]);
    expect(logged.some((line) => /^run r-\S+: Error: a defect\n +at /.test(line))).toBe(true);
  });
});
