import { PassThrough, Writable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { carryOut } from '../../src/commands/act/carry-out.ts';
import { wishOf } from '../../src/commands/act/hold.ts';
import { run } from '../../src/commands/act.ts';
import type { HoldView } from '../../src/model/run.ts';
import { exitCodeOf } from '../../src/remedy/result-text.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { heldAction, isArmed, withTimer } from '../remedy/held.ts';
import { createWorld, node, type World } from '../remedy/world.ts';

const catching = () => {
  const texts: string[] = [];
  const stream = new Writable({
    write(chunk, _, done) {
      texts.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => texts.join('') };
};

const options = {
  action: 'fake.shut',
  targets: ['n1'],
  set: {},
  dryRun: false,
  json: false,
  demo: false,
  keepIfVerified: false,
  confirm: 'shut n1',
};

describe('act on a held change', () => {
  let world: World;
  beforeEach(() => {
    world = createWorld(3);
    withTimer(world);
  });

  const act = async (keepIfVerified: boolean) => {
    const out = catching();
    const io = { stdin: new PassThrough(), stdout: out.stream, stderr: out.stream, env: {} };
    const { done } = {
      done: await carryOut({
        engine: world.engine(),
        options: { ...options, keepIfVerified },
        subjects: [node('n1')],
        set: {},
        io,
        clock: world.clock,
      }),
    };
    return { done, out: out.text(), code: exitCodeOf(done.outcome) };
  };

  it('is undone at the end: 5, and the timer is gone', async () => {
    const { code, out } = await act(false);
    expect(code).toBe(5);
    expect(world.nodes['n1']?.drained).toBe(false);
    expect(isArmed(world.nodes)).toBe(false);
    expect(out).toContain('held        60 s: a timer on adm9 restores n1; --keep-if-verified keeps it');
    expect(out).toContain('to restore ctl1: scontrol update n1 resume back');
    expect(out).toMatch(/n1 {2}held, \d+ s left {2}n1 reads drained/);
    expect(out).toMatch(/restoring it: without --keep-if-verified .*\nn1 {2}undone/);
  });

  it('is kept with --keep-if-verified when what is watched is good twice: 0', async () => {
    const { code, done } = await act(true);
    expect(code).toBe(0);
    expect(done.run?.result).toContain('kept: n1 stays drained');
    expect(world.nodes['n1']?.drained).toBe(true);
    expect(isArmed(world.nodes)).toBe(false);
  });

  it('is restored with --keep-if-verified when what is watched is not good: 5', async () => {
    world.nodes['bad'] = { drained: true, reason: '' };
    const { code, out } = await act(true);
    expect(code).toBe(5);
    expect(out).toContain('restoring it: errors go on');
    expect(world.nodes['n1']?.drained).toBe(false);
  });

  it('is restored when the device arms by itself, too', async () => {
    world.parts = { ...world.parts, actionSets: [{ system: 'fake', actions: [heldAction('device')] }] };
    expect((await act(false)).code).toBe(5);
    expect(world.nodes['n1']?.drained).toBe(false);
  });
});

describe('wishOf', () => {
  const hold = (over: Partial<HoldView>): HoldView => ({
    target: 'n1',
    by: 'timer',
    state: 'waiting',
    secondsLeft: 60,
    text: 'a timer on adm9 restores n1',
    typed: 'keep',
    watched: [],
    watches: 0,
    goodInARow: 0,
    ...over,
  });
  it.each([
    [{}, true, undefined],
    [{ watches: 1, goodInARow: 1 }, true, undefined],
    [{ watches: 2, goodInARow: 2 }, true, { keep: true }],
    [{ watches: 9, goodInARow: 1 }, true, undefined],
    [
      { watches: 9, goodInARow: 1, secondsLeft: 15 },
      true,
      { restore: 'the held change could not be watched' },
    ],
    [{ watches: 2, goodInARow: 2, state: 'ending' as const }, true, undefined],
    [{ watches: 1, goodInARow: 1 }, false, undefined],
    [{ watches: 2 }, false, { restore: expect.any(String) }],
    [{ secondsLeft: 10 }, false, { restore: expect.any(String) }],
  ])('%j, keep %s: %j', (over, keep, wish) => {
    expect(wishOf(hold(over), keep)).toEqual(wish);
  });
});

describe('act undo:RUN', () => {
  it('of a run that no log tells of is a usage error; so are parameters', async () => {
    const state = emptyFolder('undo');
    const out = catching();
    const io = {
      stdin: new PassThrough(),
      stdout: out.stream,
      stderr: out.stream,
      env: { XDG_STATE_HOME: state },
    };
    await expect(run({ ...options, action: 'undo:r-0', targets: [] }, io)).rejects.toThrow(
      /there is no run r-0 in the audit log/,
    );
  });
});
