import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Past } from '../../src/audit/past-runs.ts';
import type { RunRequest } from '../../src/model/answer.ts';
import { createLocalStore } from '../../src/remedy/lock-local.ts';
import { createSharedStore } from '../../src/remedy/lock-shared.ts';
import { fileNameOf } from '../../src/remedy/lock-store.ts';
import { createLocks } from '../../src/remedy/locks.ts';
import type { SharedActions } from '../../src/remedy/shared-actions.ts';
import { card, confirm } from './acting.ts';
import { shut, watching, withTimer } from './held.ts';
import { answer, createWorld, node, operator, realTime, self, transportsOf, type World } from './world.ts';

let world: World;
beforeEach(() => {
  world = createWorld(3);
});

type Over = NonNullable<Parameters<World['engine']>[0]>;

const lockFile = () => join(world.folder, 'locks', `${fileNameOf('test partition batch')}.lock`);
const records = async () => (await world.parts.audit.read()).records;
const notes = async () =>
  (await records()).filter(({ kind }) => kind === 'note').map(({ detail }) => detail['text']);

/** Does something right after the intent is on disk: when the next thing would be the first byte. */
const afterIntent = (what: () => void): Over => ({
  audit: {
    ...world.parts.audit,
    append: async (entry) => {
      const appended = await world.parts.audit.append(entry);
      if (entry.kind === 'intent') what();
      return appended;
    },
  },
});

const resume = async (over: Over, ids: readonly string[] = ['n1'], set: Record<string, string> = {}) => {
  const engine = world.engine(over);
  const { id, confirmText } = await card(engine, 'fake.resume', ids, set);
  return { engine, view: await confirm(engine, id, confirmText) };
};

const byBob = (): void => {
  const lock = JSON.parse(readFileSync(lockFile(), 'utf8')) as object;
  writeFileSync(lockFile(), `${JSON.stringify({ ...lock, owner: 'bob', token: 'his' })}\n`);
};

describe('guard 12 a lock is read again right before the first byte', () => {
  it.each([
    ['gone', () => rmSync(lockFile()), /no longer ours: it is gone from this machine; nothing was sent/],
    [
      'somebody else’s',
      byBob,
      /no longer ours: it is held by bob on adm1 .* now \(this machine\); nothing was sent/,
    ],
  ] as const)('and is %s: refused, nothing is sent, the intent has its result', async (_, lose, words) => {
    const { view } = await resume(afterIntent(lose));
    expect(view.state).toBe('refused');
    expect(view.result).toMatch(words);
    expect(world.sent).toEqual([]);
    expect((await records()).slice(0, 2)).toMatchObject([
      { kind: 'intent', target: 'n1' },
      { kind: 'result', outcome: 'refused', target: 'n1', detail: { text: expect.stringMatching(words) } },
    ]);
    // Nothing is open, nothing counts against doing it again.
    expect(await world.engine().plan('fake.resume', [node('n1')], {})).toHaveProperty('card');
  });

  it('for each target of a run: the first is done, the second refused', async () => {
    const { act } = world;
    world.act = (script) => {
      rmSync(lockFile());
      return act(script);
    };
    const { view } = await resume({}, ['n1', 'n2']);
    expect(view.targets.map(({ state }) => state)).toEqual(['verified', 'refused']);
    expect(world.sent).toHaveLength(1);
  });

  it('and stands: two targets are done under one lock, and nothing is told of it', async () => {
    const { view } = await resume({}, ['n1', 'n2']);
    expect(view.result).toBe('resume 2: 2 of 2 done and verified');
    expect(await notes()).toEqual([]);
  });

  it.each(['before it is armed', 'after it was armed'])(
    'of a held change, %s: nothing is changed',
    async (when) => {
      withTimer(world);
      const { sent } = watching(() => world);
      const { act } = world;
      if (when.startsWith('after'))
        world.act = (script) => {
          if (script.startsWith('arm')) rmSync(lockFile());
          return act(script);
        };
      const engine = world.engine(when.startsWith('before') ? afterIntent(() => rmSync(lockFile())) : {});
      const view = await engine.awaitEnd(await shut(world, engine));
      expect(view).toMatchObject({
        state: 'refused',
        result: expect.stringMatching(/no longer ours.*nothing was changed/),
      });
      expect(sent()).toEqual(when.startsWith('before') ? [] : ['arm n1 60', 'disarm n1']);
      expect(world.nodes['n1']?.drained).toBe(false);
    },
  );
});

/** The shared host: a real sh, until it is in trouble. */
const sharedWorld = () => {
  let trouble: ((request: RunRequest) => ReturnType<typeof answer> | undefined) | undefined;
  const dir = join(world.folder, 'shared');
  const run = (request: RunRequest) =>
    new Promise<ReturnType<typeof answer>>((resolve) => {
      const wrong = trouble?.(request);
      if (wrong) return resolve(wrong);
      execFile(
        'sh',
        ['-c', request.script],
        { env: { ...process.env, LC_ALL: 'C' } },
        (error, stdout, stderr) =>
          resolve(answer({ exitCode: typeof error?.code === 'number' ? error.code : 0, stdout, stderr })),
      );
    });
  let ids = 0;
  const newId = () => `id${(ids += 1)}`;
  const locks = createLocks({
    site: 'test',
    local: createLocalStore(join(world.folder, 'locks'), realTime, newId),
    shared: createSharedStore({ host: 'adm9', dir }, transportsOf(run), newId),
    operator,
    console: self,
    clock: world.clock,
    makeId: newId,
  });
  return {
    locks,
    dir,
    fail: (how: typeof trouble) => {
      trouble = how;
    },
  };
};

const down = () => answer({ notConnected: { kind: 'timeout', message: 'adm9 does not answer; is it up?' } });

describe('guard 12 a shared folder that goes away between lock and send', () => {
  it('refuses, and says what helps; goes on when that was typed', async () => {
    const shared = sharedWorld();
    const lost = (): Over => ({ ...afterIntent(() => shared.fail(down)), locks: shared.locks });
    const { view } = await resume(lost());
    expect(view.state).toBe('refused');
    expect(view.result).toMatch(
      /could not be read again: adm9:\S+ can't be reached: adm9 does not answer; is it up\?; to go without it: --set exceed12="why it is safe"; nothing was sent/,
    );
    expect(world.sent).toEqual([]);
    shared.fail(undefined);
    await world.engine({ locks: shared.locks }).close();
    const second = await resume(lost(), ['n1'], { exceed12: 'adm9 burns' });
    expect(second.view.state).toBe('done');
  });

  it('one that was deleted meanwhile is no lock of ours, be it made anew', async () => {
    const shared = sharedWorld();
    const { view } = await resume({
      ...afterIntent(() => rmSync(shared.dir, { recursive: true })),
      locks: shared.locks,
    });
    expect(view.state).toBe('refused');
    expect(view.result).toMatch(/adm9:\S+ is not there \(.*\); was it deleted/);
    expect(world.sent).toEqual([]);
  });

  it('each of the two reasons is for its own refusal only', async () => {
    const shared = sharedWorld();
    shared.fail(down);
    const engine = world.engine({ locks: shared.locks });
    const say = async (set: Record<string, string>) => {
      const { id, confirmText } = await card(engine, 'fake.resume', ['n1'], set);
      const confirmed = await engine.confirm(id, confirmText);
      return 'refused' in confirmed ? confirmed.refused.reason : (await engine.awaitEnd(confirmed.run)).state;
    };
    const words =
      /^no lock on partition batch: adm9:\S+ can't be reached: .*; to go on with the locks of this machine alone: --set exceed12="why it is safe" \(breakLock does not help here\)$/;
    expect(await say({})).toMatch(words);
    expect(await say({ breakLock: 'I am sure' })).toMatch(words);
    expect(await say({ exceed12: 'adm9 burns' })).toBe('done');
  });
});

describe('what a console owes its colleagues', () => {
  const readOnly = ({ script }: RunRequest) =>
    script.startsWith('set -- remove ')
      ? answer({ exitCode: 1, stderr: "rm: cannot remove '/s/x': Read-only file system\n" })
      : undefined;

  it('a lock that cannot be released: told in the result, in the audit log and on the strip, tried again with the next act', async () => {
    const shared = sharedWorld();
    const { act } = world;
    world.act = (script) => {
      shared.fail(readOnly);
      return act(script);
    };
    const { engine, view } = await resume({ locks: shared.locks });
    const words =
      /the lock on partition batch could not be released: adm9:\S+ is on a read-only file system \(rm: .*\); dmesg there says why it is mounted so; this console tries again/;
    expect(view).toMatchObject({ state: 'done', result: expect.stringMatching(words) });
    expect(await notes()).toEqual([expect.stringMatching(words)]);
    expect(engine.badges().join()).toMatch(
      /the lock on partition batch could not be released: .*; tried again/,
    );
    world.act = act;
    shared.fail(undefined);
    const { id } = await card(engine, 'fake.resume', ['n2']);
    expect((await confirm(engine, id, 'y')).state).toBe('done');
    expect((await notes()).at(-1)).toBe('done now: the lock on partition batch could not be released');
    expect(engine.badges()).toEqual([]);
  });

  it('is tried again when the console closes, and told as long as it does not go', async () => {
    const shared = sharedWorld();
    const { act } = world;
    world.act = (script) => {
      shared.fail(readOnly);
      return act(script);
    };
    const { engine } = await resume({ locks: shared.locks });
    await engine.close();
    expect(engine.badges()).toHaveLength(1);
    shared.fail(undefined);
    await engine.close();
    expect(engine.badges()).toEqual([]);
    expect(await notes()).toHaveLength(2);
  });

  it('a lock that went away by itself is told, and nothing is tried again', async () => {
    const { act } = world;
    world.act = (script) => {
      rmSync(lockFile());
      return act(script);
    };
    const { engine, view } = await resume({});
    expect(view.result).toMatch(
      /done and verified: n1 is up; the lock on partition batch could not be released: it is gone$/,
    );
    expect(engine.badges().join()).not.toContain('released');
  });

  const failing = (fails: (none: boolean) => boolean) => {
    const said: (Past & { none: boolean })[] = [];
    const sharedActions: SharedActions = {
      read: async () => ({ past: [] }),
      poll: async () => ({ past: [] }),
      tell: async (past, _key, none = false) => {
        if (fails(none)) return 'adm9:/s is on a full file system';
        said.push({ ...past, none });
        return undefined;
      },
    };
    return { said, sharedActions };
  };

  it('a line to colleagues that could not be written: told, and written as soon as it goes', async () => {
    let full = true;
    const { said, sharedActions } = failing(() => full);
    const { engine, view } = await resume({ sharedActions });
    const words =
      'shared folder: colleagues do not see the resume of node n1: adm9:/s is on a full file system; this console tries again';
    expect(view).toMatchObject({ state: 'done', result: expect.stringContaining(words) });
    expect(await notes()).toEqual([words]);
    await engine.readPast();
    expect(said).toEqual([]);
    full = false;
    await engine.readPast();
    expect(said).toMatchObject([{ run: view.id, verb: 'resume', none: false }]);
    await engine.readPast();
    expect(said).toHaveLength(1);
  });

  it('what was taken back is not told after it', async () => {
    const { said, sharedActions } = failing((none) => !none);
    const lost = afterIntent(() => rmSync(lockFile()));
    const { engine } = await resume({ ...lost, sharedActions });
    expect(said).toMatchObject([{ none: true }]);
    await engine.readPast();
    await engine.close();
    expect(said).toHaveLength(1);
  });

  it('one that does not go is not tried for all the others too', async () => {
    let asked = 0;
    const { sharedActions } = failing(() => (asked += 1) > 0);
    const { engine } = await resume({ sharedActions }, ['n1', 'n2', 'n3']);
    expect(asked).toBe(3);
    await engine.close();
    expect(asked).toBe(4);
  });
});
