import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RawAnswer, RunRequest } from '../../src/model/answer.ts';
import { createLocalStore } from '../../src/remedy/lock-local.ts';
import { createSharedStore } from '../../src/remedy/lock-shared.ts';
import { fileNameOf, type LockStore } from '../../src/remedy/lock-store.ts';
import { judgeLock } from '../../src/remedy/lock-verdict.ts';
import { createLocks, type JudgeLock, type Locks, type LocksParts } from '../../src/remedy/locks.ts';
import { emptyFolder } from '../helpers/folder.ts';
import {
  answer,
  createWorld,
  lostAnswer,
  node,
  operator,
  realTime,
  self,
  transportsOf,
  type World,
} from './world.ts';
import { realShWithin } from './real-sh.ts';

let folder: string;
let run: (request: RunRequest) => Promise<RawAnswer>;
let ids = 0;
const newId = () => `id${(ids += 1)}`;

const realSh = realShWithin(0);

beforeEach(() => {
  folder = emptyFolder("locks '$x' ");
  run = realSh;
});

const stores: Record<string, () => LockStore> = {
  'on this machine': () => createLocalStore(join(folder, 'locks'), realTime, newId),
  'in the shared folder': () =>
    createSharedStore(
      { host: 'admin1', dir: folder },
      transportsOf((request) => run(request)),
      newId,
    ),
};

const locksOf = (store: LockStore, over: Partial<LocksParts> = {}): Locks =>
  createLocks({
    site: 'test',
    local: store,
    operator: { name: 'alice', uid: 1 },
    console: self,
    clock: realTime,
    makeId: newId,
    ...over,
  });

const bob = (store: LockStore) =>
  locksOf(store, { operator: { name: 'bob', uid: 2 }, console: { ...self, host: 'adm2', pid: 7 } });

/** As a console that can prove nothing about the owner. */
const judge: JudgeLock = (standing) =>
  judgeLock(
    {
      parts: { proofOfEnd: () => undefined, operator },
      log: undefined,
      listActive: () => new Set(),
      settle: async () => ({ state: 'settled', text: '' }),
    },
    standing,
    false,
  );

const options = { purpose: 'Drain 4 nodes', holdMs: 60_000, run: 'r-1', judge };

/** As if every lock had been made so long ago. */
const age = (minutes = 60): void => {
  const past = new Date(Date.now() - minutes * 60_000);
  for (const name of readdirSync(join(folder, 'locks'))) utimesSync(join(folder, 'locks', name), past, past);
};

describe.each(Object.keys(stores))('guard 12 locks %s', (kind) => {
  const store = () =>
    (
      stores[kind] ??
      (() => {
        throw new Error(kind);
      })
    )();

  it('another console is refused with owner, machine, pid, age and purpose', async () => {
    expect(await locksOf(store()).take('partition batch', options)).toMatchObject({ state: 'taken' });
    const refused = await bob(store()).take('partition batch', options);
    expect(refused.state).toBe('refused');
    expect(refused.state !== 'taken' && refused.reason).toMatch(
      new RegExp(
        `partition batch is locked by alice on adm1 \\(pid ${process.pid}\\) for \\d s: Drain 4 nodes`,
      ),
    );
  });

  it('other groups are free, and a released lock is', async () => {
    const first = await locksOf(store()).take('partition batch', options);
    expect(await bob(store()).take('partition gpu', options)).toMatchObject({ state: 'taken' });
    if (first.state !== 'taken') throw new Error(first.reason);
    expect(await first.lock.release()).toBeUndefined();
    expect(await bob(store()).take('partition batch', options)).toMatchObject({ state: 'taken' });
    expect(readdirSync(join(folder, 'locks')).filter((name) => !name.endsWith('.lock'))).toEqual([]);
  });

  it('of many consoles at once exactly one wins', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => bob(store()).take('lag Po98', options)));
    expect(all.filter(({ state }) => state === 'taken')).toHaveLength(1);
    expect(all.filter(({ state }) => state === 'refused')).toHaveLength(11);
  });

  it('a stale lock is refused, and replaced only when asked; its old owner does not remove the new one', async () => {
    const first = await locksOf(store()).take('partition batch', options);
    age();
    expect(await bob(store()).take('partition batch', options)).toMatchObject({
      state: 'refused',
      helps: 'breakLock',
    });
    const broken = await bob(store()).take('partition batch', { ...options, breakIt: true });
    expect(broken).toMatchObject({
      state: 'taken',
      former: { how: 'break', owner: expect.stringContaining('alice on adm1') },
    });
    if (first.state !== 'taken') throw new Error(first.reason);
    expect(await first.lock.release()).toMatch(/somebody else/);
    expect(await locksOf(store()).take('partition batch', options)).toMatchObject({ state: 'refused' });
  });

  it('a live lock is broken by nobody', async () => {
    await locksOf(store()).take('partition batch', options);
    const tried = await bob(store()).take('partition batch', { ...options, breakIt: true });
    expect(tried).toMatchObject({ state: 'refused' });
  });

  it('of several that break the same stale lock exactly one wins', async () => {
    await locksOf(store()).take('partition batch', options);
    age();
    const all = await Promise.all(
      Array.from({ length: 6 }, () => bob(store()).take('partition batch', { ...options, breakIt: true })),
    );
    expect(all.filter(({ state }) => state === 'taken')).toHaveLength(1);
  });

  it('a lock that nobody can read holds, and is stale after an hour', async () => {
    await store().put('partition batch', 'not one of ours');
    await store().put('test partition batch', 'not one of ours');
    const held = await bob(store()).take('partition batch', options);
    expect(held).toMatchObject({ state: 'refused', reason: expect.stringContaining('somebody') });
    age(50);
    expect(await bob(store()).take('partition batch', options)).toMatchObject({ state: 'refused' });
    age(61);
    expect(await bob(store()).take('partition batch', options)).toMatchObject({
      state: 'refused',
      helps: 'breakLock',
    });
  });

  it('one with more words than any of ours is nobody’s, and none of them are told', async () => {
    const long = JSON.stringify({
      owner: 'x'.repeat(100_000),
      host: 'h',
      pid: 1,
      stamp: 's',
      at: 'a',
      holdMs: 1,
      purpose: 'p',
      token: 't',
    });
    await store().put('partition batch', long);
    await store().put('test partition batch', long);
    const refused = await bob(store()).take('partition batch', options);
    expect(refused).toMatchObject({ state: 'refused', reason: expect.stringContaining('cannot be read') });
    expect(JSON.stringify(refused).length).toBeLessThan(1_000);
  });

  it('sweeps what may be taken over, and nothing else', async () => {
    await locksOf(store()).take('partition batch', options);
    const sweeper = bob(store());
    expect(await sweeper.sweep('partition batch', judge)).toEqual([]);
    const gone: JudgeLock = async () => ({ may: 'takeOver', why: 'it has ended' });
    expect(await sweeper.sweep('partition batch', gone)).toMatchObject([{ why: 'it has ended' }]);
    expect(await sweeper.take('partition batch', options)).toMatchObject({ state: 'taken' });
  });
});

describe('guard 12 the shared folder', () => {
  const shared = () => stores['in the shared folder']?.() as LockStore;

  it('quotes the folder, keeps hostile group names inside it', async () => {
    const group = '../../etc/x; rm -rf / \u202e';
    expect(await bob(shared()).take(group, options)).toMatchObject({ state: 'taken' });
    expect(readdirSync(folder)).toEqual(['locks']);
    expect(fileNameOf('a'.repeat(400)).length).toBeLessThan(200);
    expect(fileNameOf('partition a')).not.toBe(fileNameOf('partition b'));
  });

  it('a lost answer is looked at, not sent again', async () => {
    const scripts: string[] = [];
    run = async (request) => {
      scripts.push(request.script);
      const done = await realSh(request);
      return scripts.length === 1 ? lostAnswer() : done;
    };
    expect(await bob(shared()).take('x', options)).toMatchObject({ state: 'taken' });
    expect(scripts.filter((script) => script.startsWith('set -- put '))).toHaveLength(1);
  });

  it('says so when the host does not answer, on the strip too', async () => {
    run = async () => answer({ notConnected: { kind: 'unreachable', message: 'admin1 is unreachable' } });
    const locks = createLocks({
      site: 'test',
      local: createLocalStore(join(folder, 'locks'), realTime, newId),
      shared: shared(),
      operator: { name: 'bob', uid: 2 },
      console: self,
      clock: realTime,
      makeId: newId,
    });
    expect(await locks.take('x', options)).toMatchObject({
      state: 'refused',
      helps: 'exceed12',
      reason: expect.stringContaining('admin1 is unreachable'),
    });
    expect(locks.badges()).toEqual([
      `shared folder: admin1:${folder} can't be reached: admin1 is unreachable`,
    ]);
    expect(await locks.take('x', { ...options, localOnly: true })).toMatchObject({ state: 'taken' });
  });

  it('says so when the folder cannot be written', async () => {
    const store = createSharedStore({ host: 'admin1', dir: '/proc/no' }, transportsOf(realSh), newId);
    expect(await store.put('x', 'y')).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('admin1:/proc/no is not there and can'),
    });
  });

  it('ages are by the clock of the shared host', async () => {
    await bob(shared()).take('x', options);
    age();
    const found = await shared().look('test x');
    expect('ageMs' in found && Math.round(found.ageMs / 60_000)).toBe(60);
  });
});

describe('guard 12 in a run', () => {
  let world: World;
  beforeEach(() => {
    world = createWorld();
  });
  const lockFile = () => join(world.folder, 'locks', `${fileNameOf('test partition batch')}.lock`);

  const planned = async (set: Record<string, string> = {}, over: Parameters<World['engine']>[0] = {}) => {
    const engine = world.engine(over);
    const made = await engine.plan('fake.resume', [node('n1')], set);
    if ('refused' in made) throw new Error(made.refused.reason);
    return { engine, card: made.card, confirmed: await engine.confirm(made.card.id, made.card.confirmText) };
  };

  it('is held while the run goes on, with its purpose, and released after', async () => {
    const during: string[] = [];
    const { act } = world;
    world.act = (script) => {
      during.push(readFileSync(lockFile(), 'utf8'));
      return act(script);
    };
    const { engine, confirmed } = await planned();
    if (!('run' in confirmed)) throw new Error(confirmed.refused.reason);
    await engine.awaitEnd(confirmed.run);
    expect(JSON.parse(during[0] ?? '')).toMatchObject({
      owner: 'alice',
      pid: process.pid,
      purpose: expect.stringContaining('resume 1'),
    });
    expect(existsSync(lockFile())).toBe(false);
  });

  const otherConsole = () => bob(createLocalStore(join(world.folder, 'locks'), realTime, newId));

  it('refuses while another console holds it; nothing is sent', async () => {
    await otherConsole().take('partition batch', options);
    const { confirmed } = await planned();
    expect(confirmed).toMatchObject({
      refused: { guard: '12 lock', reason: expect.stringContaining('bob on adm2') },
    });
    expect(world.sent).toEqual([]);
  });

  it('a stale lock is broken with a typed reason, one class up, and the log tells', async () => {
    await otherConsole().take('partition batch', { ...options, holdMs: 1 });
    const past = new Date(Date.now() - 60_000);
    utimesSync(lockFile(), past, past);
    expect((await planned()).confirmed).toMatchObject({
      refused: { reason: expect.stringContaining('breakLock') },
    });
    const { engine, card, confirmed } = await planned({ breakLock: 'adm2 is switched off' });
    expect(card.danger).toBe('service');
    if (!('run' in confirmed)) throw new Error(confirmed.refused.reason);
    expect((await engine.awaitEnd(confirmed.run)).state).toBe('done');
    const { records } = await world.parts.audit.read();
    expect(records.find(({ kind }) => kind === 'lockBroken')?.detail).toMatchObject({
      group: 'partition batch',
      owner: expect.stringContaining('bob on adm2'),
      reason: 'adm2 is switched off',
    });
  });

  it('a shared folder that is down refuses, and can be done without for a typed reason', async () => {
    const down = createSharedStore(
      { host: 'admin1', dir: '/x' },
      transportsOf(async () =>
        answer({ notConnected: { kind: 'timeout', message: 'admin1 does not answer' } }),
      ),
      newId,
    );
    const local = createLocalStore(join(world.folder, 'locks'), realTime, newId);
    const locks = locksOf(local, { shared: down, clock: world.clock });
    const { confirmed } = await planned({}, { locks });
    expect(confirmed).toMatchObject({
      refused: { guard: '12 lock', reason: expect.stringContaining('exceed12') },
    });
    const second = await planned({ exceed12: 'admin1 burns' }, { locks });
    expect(second.card.danger).toBe('service');
    expect(second.confirmed).toHaveProperty('run');
    if ('run' in second.confirmed) await second.engine.awaitEnd(second.confirmed.run);
  });

  it('a lock that has expired ends the run before its next target', async () => {
    const { engine, confirmed } = await planned(
      {},
      {
        locks: {
          badges: () => [],
          sweep: async () => [],
          take: async (group) => ({
            state: 'taken',
            lock: {
              group,
              isExpired: () => true,
              check: async () => undefined,
              release: async () => undefined,
            },
          }),
        },
      },
    );
    if (!('run' in confirmed)) throw new Error(confirmed.refused.reason);
    expect(await engine.awaitEnd(confirmed.run)).toMatchObject({ state: 'refused' });
    expect(world.sent).toEqual([]);
  });
});
