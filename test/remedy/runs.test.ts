import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLater } from '../../src/remedy/later.ts';
import type { HeldLock } from '../../src/remedy/locks.ts';
import type { Prepared, PreparedTarget } from '../../src/remedy/prepared.ts';
import { runBatch } from '../../src/remedy/run-batch.ts';
import type { RunContext, TargetEnd } from '../../src/remedy/run-context.ts';
import { createRuns } from '../../src/remedy/runs.ts';
import { preparedHold, preparedPlan, preparedTarget } from './prepared.ts';
import { createWorld, node } from './world.ts';

vi.mock('../../src/remedy/run-batch.ts', { spy: true });
afterEach(() => vi.mocked(runBatch).mockReset());

type Batch = (
  context: RunContext,
  batch: readonly PreparedTarget[],
) => Promise<Map<PreparedTarget, TargetEnd>>;

const done: TargetEnd = { outcome: 'done', text: 'is up' };
const targetsOf = (...ids: string[]): PreparedTarget[] =>
  ids.map((id) => preparedTarget({ subject: node(id) }));

/** All are done but one. */
const endsBut =
  (id: string, end: TargetEnd): Batch =>
  async (_, some) =>
    new Map(some.map((one) => [one, one.subject.id === id ? end : done]));

/** Runs whose batches end as `batch` says: all done unless said. */
const runsOf = (batch?: Batch) => {
  vi.mocked(runBatch).mockImplementation(
    batch ?? (async (_, some) => new Map(some.map((target) => [target, done]))),
  );
  const world = createWorld(1);
  const publish = vi.fn(async () => undefined);
  const log = vi.fn();
  const now = { warnings: [] as string[] };
  const audit = { ...world.parts.audit, publish, warnings: () => now.warnings };
  const parts = { ...world.parts, log, audit };
  const runs = createRuns(parts, createLater(parts));
  const start = (plan: Prepared, run = 'r-1', locks: readonly HeldLock[] = []) => {
    runs.reserve(
      run,
      plan.targets.map(({ subject }) => subject),
    );
    runs.start(plan, run, 'y', locks);
    return runs.awaitEnd(run);
  };
  const ids = () => vi.mocked(runBatch).mock.calls.map(([, some]) => some.map(({ subject }) => subject.id));
  return { runs, start, publish, log, now, ids };
};

const lock = (group: string) => {
  const release = vi.fn(async () => undefined);
  return { release, held: { group, release, isExpired: () => false } as unknown as HeldLock };
};

describe('a run', () => {
  it('goes target by target, and shows at its end how each ended and what is true now', async () => {
    const { runs, start, publish, ids } = runsOf();
    const one = lock('batch');
    const end = start(preparedPlan({ targets: targetsOf('n1', 'n2') }), 'r-1', [one.held]);
    expect(runs.findBusy([node('n9'), node('n2')])).toBe('another run is at work on n2');
    expect([...runs.listActive()]).toEqual(['r-1']);
    expect(runs.control('r-1')).toBeDefined();
    const view = await end;
    expect(view).toMatchObject({ state: 'done', result: expect.stringContaining('2') });
    expect(view.endedAt).toBeDefined();
    expect([view.goesOn, view.hold]).toEqual([undefined, undefined]);
    expect(ids()).toEqual([['n1'], ['n2']]);
    expect(one.release).toHaveBeenCalledTimes(1);
    expect(publish).toHaveBeenCalledTimes(1);
    expect(runs.findBusy([node('n2')])).toBeUndefined();
    expect(runs.listActive().size).toBe(0);
    expect(runs.control('r-1')).toBeUndefined();
  });

  it('says where what was wanted is begun and not over', async () => {
    const { start } = runsOf(endsBut('n2', { ...done, goesOn: '2 jobs' }));
    expect(await start(preparedPlan({ targets: targetsOf('n1', 'n2') }))).toMatchObject({
      state: 'done',
      goesOn: true,
    });
  });

  it.each([
    ['failed', 'failed'],
    ['refused', 'refused'],
    ['unknown', 'unknown'],
  ] as const)('ends at the first that is %s: the others are not touched', async (outcome, state) => {
    const { start, ids } = runsOf(
      async (_, some) => new Map(some.map((one) => [one, { outcome, text: 'no' }])),
    );
    const view = await start(preparedPlan({ targets: targetsOf('n1', 'n2', 'n3') }));
    expect(view.state).toBe(state);
    expect(ids()).toEqual([['n1']]);
    expect(view.targets.slice(1)).toEqual([
      { id: 'n2', state: 'not reached', text: 'not touched' },
      { id: 'n3', state: 'not reached', text: 'not touched' },
    ]);
  });

  it('of many ends at a batch in which one of several is not good, and leaves the line of each that ended', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `n${at}`);
    const ends = endsBut('n7', { outcome: 'failed', text: 'no' });
    const { start, ids } = runsOf(async (context, some) => {
      for (const target of some) context.show(target, 'verified', 'is up');
      return ends(context, some);
    });
    const view = await start(preparedPlan({ targets: targetsOf(...names), danger: 'reversible' }));
    expect(ids().map((some) => some.length)).toEqual([1, 25]);
    expect(view.targets.map(({ state }) => state)).toEqual([
      ...Array.from({ length: 26 }, () => 'verified'),
      ...Array.from({ length: 4 }, () => 'not reached'),
    ]);
  });

  it('goes on after one on which there is nothing to do', async () => {
    const { start, ids } = runsOf(
      async (_, some) => new Map(some.map((one) => [one, { outcome: 'nothing', text: 'was so' }])),
    );
    expect((await start(preparedPlan({ targets: targetsOf('n1', 'n2') }))).state).toBe('nothing');
    expect(ids()).toHaveLength(2);
  });

  it('in which one has no end is at best refused', async () => {
    const { start } = runsOf(async () => new Map());
    expect((await start(preparedPlan())).state).toBe('refused');
  });

  it('of many goes in batches, and one by one where a change is held', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `n${at}`);
    const plain = runsOf();
    await plain.start(preparedPlan({ targets: targetsOf(...names), danger: 'reversible' }));
    expect(plain.ids().map((some) => some.length)).toEqual([1, 25, 4]);
    vi.mocked(runBatch).mockClear();
    const held = runsOf();
    const [first, ...others] = targetsOf(...names);
    const targets = [{ ...(first ?? preparedTarget()), hold: preparedHold() }, ...others];
    await held.start(preparedPlan({ targets, danger: 'reversible' }));
    expect(held.ids()).toHaveLength(30);
  });

  it('that somebody stops ends behind the batch that is under way', async () => {
    const { runs, start, ids } = runsOf(async ({ run }, some) => {
      runs.stop(run);
      return new Map(some.map((one) => [one, done]));
    });
    const view = await start(preparedPlan({ targets: targetsOf('n1', 'n2') }));
    expect(ids()).toEqual([['n1']]);
    expect(view).toMatchObject({ state: 'refused', result: expect.stringContaining('stopped') });
  });

  it('keeps the locks of an undo that is still to come', async () => {
    const { start } = runsOf(endsBut('n2', { ...done, left: true }));
    const one = lock('batch');
    await start(preparedPlan({ targets: targetsOf('n1', 'n2') }), 'r-1', [one.held]);
    expect(one.release).not.toHaveBeenCalled();
  });

  it('tells what the log has to say of itself, and stirs the screen for it', async () => {
    const heardOf = async (warnings: string[]) => {
      const { runs, start, log, now } = runsOf();
      const heard = vi.fn();
      runs.onChange(heard);
      now.warnings = warnings;
      await start(preparedPlan());
      return { stirred: heard.mock.calls.length, logged: log.mock.calls.flat() };
    };
    const silent = await heardOf([]);
    expect(silent.logged).toEqual([]);
    expect(await heardOf(['the disk is full'])).toEqual({
      stirred: silent.stirred + 1,
      logged: ['run r-1: the disk is full'],
    });
  });
});

describe('a run in which the program fails', () => {
  it('is not known: what was sent may have had its effect, the rest was not touched', async () => {
    const states = ['sent', 'reading back', 'held', 'checking'] as const;
    const targets = targetsOf('n1', 'n2', 'n3', 'n4', 'n5');
    const { start, log } = runsOf(async ({ show, remark }) => {
      for (const [at, state] of states.entries()) show(targets[at] ?? preparedTarget(), state, 'x');
      remark('the lock could not be given back');
      throw new Error('boom \u001b[2J');
    });
    const view = await start(preparedPlan({ title: 'resume 5', targets }));
    expect(view.state).toBe('unknown');
    expect(view.result).toBe(
      'resume 5: the program failed: boom ^[[2J; look at each target; the lock could not be given back',
    );
    expect(view.targets.map(({ state, text }) => `${state}: ${text}`)).toEqual([
      ...Array.from({ length: 3 }, () => 'unknown: sent; what it did was not read'),
      'not reached: not touched',
      'not reached: not touched',
    ]);
    expect(log.mock.calls[0]?.[0]).toMatch(/^run r-1: Error: boom[^]*\n +at /);
  });
});

describe('the runs of a console', () => {
  it('are let go of one by one', () => {
    const { runs } = runsOf();
    const letGo = runs.reserve('r-1', [node('n1')]);
    runs.reserve('r-2', [node('n2')]);
    letGo();
    expect(runs.findBusy([node('n1')])).toBeUndefined();
    expect(runs.findBusy([node('n2')])).toBe('another run is at work on n2');
  });

  it('are waited for by their name', async () => {
    const { runs } = runsOf();
    await expect(runs.awaitEnd('r-9')).rejects.toThrow('no such run: r-9');
  });

  it('keep their own predicates as long as they are shown, each for itself', async () => {
    const { runs, start } = runsOf();
    await start(preparedPlan(), 'r-1');
    await start(preparedPlan(), 'r-10');
    expect([...runs.memory.keys()].map((key) => key.split(' ')[0])).toEqual(['r-1', 'r-10']);
    for (let at = 11; at < 60; at += 1) await start(preparedPlan(), `r-${at}`);
    const kept = [...runs.memory.keys()].map((key) => key.split(' ')[0]);
    expect(kept).not.toContain('r-1');
    expect(kept).toContain('r-10');
  });

  it('are stopped when it is closed, leave what is held, and are waited for', async () => {
    const wishes: unknown[] = [];
    const going = Promise.withResolvers<undefined>();
    const { runs, start, ids } = runsOf(async ({ control }, some) => {
      await going.promise;
      wishes.push(control.take());
      return new Map(some.map((one) => [one, done]));
    });
    const end = start(preparedPlan({ targets: targetsOf('n1', 'n2') }));
    await vi.waitFor(() => expect(ids()).toHaveLength(1));
    let isClosed = false;
    const closing = runs.close().then(() => (isClosed = true));
    await new Promise(setImmediate);
    expect(isClosed).toBe(false);
    going.resolve(undefined);
    await closing;
    expect(ids()).toEqual([['n1']]);
    expect((await end).state).toBe('refused');
    expect(wishes).toEqual(['leave']);
  });
});
