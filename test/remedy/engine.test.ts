import { beforeEach, describe, expect, it } from 'vitest';
import { onRunMoved, type Engine } from '../../src/remedy/engine.ts';
import type { HeldLock } from '../../src/remedy/locks.ts';
import type { EngineParts } from '../../src/remedy/parts.ts';
import { createRuns } from '../../src/remedy/runs.ts';
import { createLater } from '../../src/remedy/later.ts';
import { memoryKey } from '../../src/remedy/revive.ts';
import { card, run } from './acting.ts';
import { madePlan, madeTarget } from './made.ts';
import { createWorld, node, obey, type World } from './world.ts';

let world: World;
beforeEach(() => {
  world = createWorld();
});

describe('an engine', () => {
  it('is not made for a read-only site, nor for an operator whose name is no plain word', () => {
    const { site } = world.parts;
    expect(() => world.engine({ site: { ...site, readOnly: true } })).toThrow('1 read-only');
    const name = (text: string) => () => world.engine({ operator: { name: text, uid: 1 } });
    for (const text of ['', 'a b', 'alice\n', 'a/b', 'älice'])
      expect(name(text)).toThrow(/^the operator's name/);
    expect(name('Alice.B_2-x')).not.toThrow();
  });

  it('says on its strip what is off, what is odd, and of what kind its locks are', () => {
    const audit = { ...world.parts.audit, problem: () => 'the disk is full', warnings: () => ['two heads'] };
    expect(world.engine({ audit }).badges()).toEqual([
      'actions off: the disk is full',
      'two heads',
      'shared folder: none, locks hold on this machine only',
    ]);
    expect(world.engine().badges()).toEqual(['shared folder: none, locks hold on this machine only']);
  });

  it('has a menu where the log can not be read, and asks again whether it can be written', async () => {
    let checked = 0;
    let problem: string | undefined = 'the disk is full';
    const audit: EngineParts['audit'] = {
      ...world.parts.audit,
      read: async () => Promise.reject(new Error('EIO')),
      problem: () => problem,
      check: async () => {
        checked += 1;
        problem = undefined;
        return undefined;
      },
    };
    const engine = world.engine({ audit });
    expect((await engine.menu([node('n1')], 'fake')).map(({ text }) => text)).not.toContain(
      'actions off: the disk is full',
    );
    await engine.menu([node('n1')], 'fake');
    expect(checked).toBe(1);
  });

  it('greys what is under way in its menu', async () => {
    const engine = world.engine();
    let during: string | undefined;
    world.act = async (script) => {
      const menu = await engine.menu([node('n1')], 'fake');
      during = menu.find(({ action }) => action === 'fake.resume')?.text;
      return obey(world.nodes, script);
    };
    await run(engine, ['n1']);
    expect(during).toBe('another run is at work on n1');
  });

  it('stops its runs when it is closed, and tries once more what it owes', async () => {
    let releases = 0;
    const take: EngineParts['locks']['take'] = async (group) => {
      const lock: HeldLock = {
        group,
        isExpired: () => false,
        check: async () => undefined,
        release: async () => ((releases += 1) === 1 ? 'EIO' : undefined),
      };
      return { state: 'taken', lock };
    };
    const engine = world.engine({ locks: { ...world.parts.locks, take } });
    const { id } = await card(engine, 'fake.resume', ['n1', 'n2']);
    let closed: Promise<void> | undefined;
    world.act = (script) => {
      closed = engine.close();
      return obey(world.nodes, script);
    };
    const confirmed = await engine.confirm(id, 'y');
    if ('refused' in confirmed) throw new Error(confirmed.refused.reason);
    const view = await engine.awaitEnd(confirmed.run);
    await closed;
    expect(view.targets.map(({ state }) => state)).toEqual(['verified', 'not reached']);
    expect(releases).toBe(2);
  });
});

describe('who listens to runs', () => {
  it('is called when one has sent something or has ended, not at every look', () => {
    const views = [{ id: 'r-1', state: 'running', targets: [{ state: 'waiting' }, { state: 'waiting' }] }];
    let change = (): void => undefined;
    let heard = 0;
    const engine = {
      runs: () => views,
      onChange: (listener: () => void) => {
        change = listener;
        return () => undefined;
      },
    } as unknown as Pick<Engine, 'onChange' | 'runs'>;
    onRunMoved(engine, () => (heard += 1));
    const to = (...states: string[]): number => {
      Object.assign(views[0] ?? {}, { targets: states.map((state) => ({ state })) });
      change();
      return heard;
    };
    expect(to('waiting', 'waiting')).toBe(1);
    expect(to('checking', 'waiting')).toBe(1);
    expect(to('sent', 'waiting')).toBe(2);
    expect(to('reading back', 'waiting')).toBe(2);
    expect(to('held', 'waiting')).toBe(2);
    expect(to('held', 'sent')).toBe(3);
    Object.assign(views[0] ?? {}, { state: 'done' });
    change();
    expect(heard).toBe(4);
  });
});

describe('the runs of a process', () => {
  const made = () => {
    const later = createLater(world.parts);
    return createRuns(world.parts, later);
  };
  const n1 = node('n1');

  it('claim their targets one by one, and let go of their own only', () => {
    const runs = made();
    const release = runs.reserve('r-1', [n1]);
    runs.reserve('r-2', [node('n2')]);
    expect([runs.findBusy([node('n3'), n1]), runs.findBusy([node('n3')])]).toEqual([
      'another run is at work on n1',
      undefined,
    ]);
    expect([...runs.listActive()]).toEqual(['r-1', 'r-2']);
    release();
    expect(runs.findBusy([n1])).toBeUndefined();
    expect([...runs.listActive()]).toEqual(['r-2']);
  });

  it('know how to look at what they did, for as long as they are shown', async () => {
    const runs = made();
    const target = { ...madeTarget(), whyAlreadyDone: () => 'it is so' };
    const plan = madePlan({ targets: [target], hash: '' });
    runs.start(plan, 'r-1', 'y', []);
    expect(runs.control('r-1')).toBeDefined();
    expect(runs.memory.get(memoryKey('r-1', target))).toBe(target);
    expect((await runs.awaitEnd('r-1')).state).toBe('nothing');
    expect(runs.control('r-1')).toBeUndefined();
    for (let at = 2; at <= 51; at++) {
      runs.start(plan, `r-${at}`, 'y', []);
      await runs.awaitEnd(`r-${at}`);
    }
    expect([runs.views().length, runs.memory.size]).toEqual([50, 50]);
    expect(runs.memory.has(memoryKey('r-1', target))).toBe(false);
  });

  it('are none but those that were begun', async () => {
    await expect(made().awaitEnd('r-9')).rejects.toThrow('no such run: r-9');
  });

  it('say what they owe with how they ended, and publish the log when they have', async () => {
    const logged: string[] = [];
    let published = 0;
    let stirred = 0;
    world.parts = {
      ...world.parts,
      log: (text) => void logged.push(text),
      audit: {
        ...world.parts.audit,
        publish: async () => void (published += 1),
        warnings: () => (published > 0 ? ['two heads'] : []),
      },
    };
    const runs = made();
    runs.onChange(() => (stirred = runs.views()[0]?.endedAt === undefined ? 0 : stirred + 1));
    const target = { ...madeTarget(), whyAlreadyDone: () => 'it is so' };
    const lock: HeldLock = {
      group: 'batch',
      isExpired: () => false,
      check: async () => undefined,
      release: async () => 'EIO',
    };
    runs.start(madePlan({ targets: [target] }), 'r-1', 'y', [lock]);
    const view = await runs.awaitEnd('r-1');
    expect(view.result).toBe(
      'Do n1: nothing to do: it is so; the lock on batch could not be released: EIO; this console tries again',
    );
    expect(published).toBe(1);
    expect(logged).toContain('run r-1: two heads');
    // Its end, and once more for what is odd since.
    expect(stirred).toBe(2);
    world.parts = { ...world.parts, audit: { ...world.parts.audit, warnings: () => [] } };
    const quiet = made();
    let ends = 0;
    quiet.onChange(() => void (ends += quiet.views()[0]?.endedAt === undefined ? 0 : 1));
    quiet.start(madePlan({ targets: [target] }), 'r-2', 'y', []);
    await quiet.awaitEnd('r-2');
    expect(ends).toBe(1);
  });
});
