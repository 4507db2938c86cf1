import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createLocalStore } from '../../src/remedy/lock-local.ts';
import { fileNameOf } from '../../src/remedy/lock-store.ts';
import { endProof, recordLiveness } from '../../src/remedy/process-stamp.ts';
import { sha256 } from '../../src/audit/audit-line.ts';
import { createAuditLog } from '../../src/remedy/audit-log.ts';
import { card, confirm } from './acting.ts';
import { withTimer } from './held.ts';
import { createWorld, node, realTime, self, type World } from './world.ts';

let world: World;
beforeEach(() => {
  world = createWorld(3);
});

/** A real console of this account is killed at a place of its work; what it did stands in its world's folder. */
const killed = (place: string, script = 'crash-child'): Promise<void> => {
  writeFileSync(join(world.folder, 'nodes.json'), JSON.stringify(world.nodes));
  const path = new URL(`./${script}.ts`, import.meta.url).pathname;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [path, world.folder, place], (error, stdout, stderr) => {
      Object.assign(world.nodes, JSON.parse(readFileSync(join(world.folder, 'nodes.json'), 'utf8')));
      if (error?.signal === 'SIGKILL') resolve();
      else reject(new Error(`not killed: ${stdout}${stderr}`));
    });
  });
};

const proofs = { liveness: recordLiveness(self), proofOfEnd: endProof(self) };
const lockFile = () => join(world.folder, 'locks', `${fileNameOf('test partition batch')}.lock`);
const records = async () => (await world.parts.audit.read()).records;
const broken = async () => (await records()).filter(({ kind }) => kind === 'lockBroken');

type Over = NonNullable<Parameters<World['engine']>[0]>;

/** Another node of the same group: nothing is known of it, only the lock is in the way. */
const act = async (over: Over = {}, set: Record<string, string> = {}, before = () => {}) => {
  const engine = world.engine({ ...proofs, ...over });
  const { id, confirmText } = await card(engine, 'fake.resume', ['n3'], set);
  before();
  const confirmed = await engine.confirm(id, confirmText);
  if ('refused' in confirmed) return `${confirmed.refused.guard}: ${confirmed.refused.reason}`;
  return (await engine.awaitEnd(confirmed.run)).state;
};

describe('guard 12 a lock of a console of this account that was killed', () => {
  it('before it had begun anything: taken over at once, with its proof in the audit log', async () => {
    await killed('locked');
    expect(await act()).toBe('done');
    expect(await broken()).toMatchObject([
      {
        run: expect.stringMatching(/^r-/),
        detail: {
          group: 'partition batch',
          owner: expect.stringMatching(/^alice on adm1 \(pid \d+\)/),
          text: expect.stringMatching(
            /^the console that held the lock has ended: same boot id and PID namespace, no process \d+ \(ESRCH\); its run r-\d+ had begun nothing$/,
          ),
          lock: {
            uid: 1000,
            stamp: expect.any(String),
            spaces: expect.stringMatching(/^pid:/),
            run: expect.any(String),
          },
        },
      },
    ]);
    expect(existsSync(lockFile())).toBe(false);
  });

  it('says whose it is, in which namespaces and boot, for which run and log', async () => {
    await killed('locked');
    const lock = JSON.parse(readFileSync(lockFile(), 'utf8'));
    expect(lock).toMatchObject({
      owner: 'alice',
      uid: 1000,
      host: 'adm1',
      spaces: self.spaces,
      run: expect.stringMatching(/^r-/),
      log: { file: join(world.folder, 'audit.jsonl'), id: expect.stringMatching(/^\d+-\d+$/) },
    });
    await act();
    expect((await records())[0]?.console).toMatchObject({ spaces: self.spaces, stamp: self.stamp });
  });

  it.each(['intent', 'effect', 'verified'])(
    'after its %s: not while its command may go on; then what it had begun is read again, and the lock taken, in the same act',
    async (place) => {
      await killed(place);
      expect(await act()).toMatch(
        /^12 lock: partition batch is locked by alice .*; its console has ended \(.*\), but what it began on n1 may go on for \d s: wait; neither breakLock nor exceed12 helps now$/,
      );
      expect(await act({}, { breakLock: 'I am sure' })).toContain('neither breakLock nor exceed12 helps now');
      expect(world.sent).toEqual([]);
      world.clock.advance(60_000);
      expect(await act()).toBe('done');
      const kinds = (await records()).map(({ kind, outcome, target }) => [kind, outcome, target]);
      const outcome = place === 'intent' ? 'failed' : 'done';
      expect(kinds.slice(-4)).toEqual([
        ['recovered', outcome, 'n1'],
        ['lockBroken', undefined, undefined],
        ['intent', undefined, 'n3'],
        ['result', 'done', 'n3'],
      ]);
      expect((await broken())[0]?.detail['text']).toContain(`n1 ${outcome} (read again now)`);
    },
  );

  it('what it had begun can’t be read: refused, and only a typed reason takes it', async () => {
    await killed('effect');
    world.clock.advance(60_000);
    const unread = () => void (world.broken = { kind: 'connect', message: 'ctl1 is unreachable' });
    expect(await act({}, {}, unread)).toMatch(
      /but fake.resume on n1, begun by alice .*, was left without a result: it can't be read now: ctl1 is unreachable; to break it: --set breakLock="why it is safe" \(exceed12 does not help here\)$/,
    );
    expect(await broken()).toEqual([]);
    world.broken = undefined;
    expect(await act({}, { breakLock: 'ctl1 is dead' }, unread)).toBe('refused');
    expect((await broken())[0]?.detail).toMatchObject({
      reason: 'ctl1 is dead',
      text: expect.stringContaining('the lock was broken: '),
    });
  });

  it('is never taken while the undo that it had armed may still fire, be it for a typed reason', async () => {
    const timer = withTimer(world);
    const path = new URL('./hold-child.ts', import.meta.url).pathname;
    await new Promise((resolve) => execFile(process.execPath, [path, world.folder, 'held'], resolve));
    world.nodes['n1'] = { drained: true, reason: '' };
    world.nodes['timer'] = { drained: true, reason: 'n1' };
    Object.assign(timer, { id: 'n1', at: world.clock.mono() + 59_000 });
    const shut = async (set: Record<string, string> = {}) => {
      const engine = world.engine(proofs);
      const planned = await engine.plan('fake.shut', [node('n2')], set);
      if ('refused' in planned) throw new Error(planned.refused.reason);
      world.clock.advance(planned.card.armedAfterMs);
      return [engine, await engine.confirm(planned.card.id, planned.card.confirmText)] as const;
    };
    for (const set of [{}, { breakLock: 'I am sure' }, { exceed12: 'I am sure' }]) {
      const [, refused] = await shut(set);
      expect(refused).toMatchObject({
        refused: {
          guard: '12 lock',
          reason: expect.stringMatching(/n1 may go on, or be undone, for \d+ (?:s|min): wait; neither/),
        },
      });
    }
    expect(world.sent).toEqual([]);
    world.clock.advance(61_000);
    const [engine, confirmed] = await shut();
    if ('refused' in confirmed) throw new Error(confirmed.refused.reason);
    expect((await records()).find(({ kind }) => kind === 'recovered')).toMatchObject({
      outcome: 'undone',
      target: 'n1',
    });
    await engine.awaitEnd(confirmed.run);
  });

  it('is swept at the next start once what it had begun is known, and kept while it is not', async () => {
    await killed('effect');
    world.broken = { kind: 'connect', message: 'ctl1 is unreachable' };
    await world.engine(proofs).recover();
    expect(existsSync(lockFile())).toBe(true);
    world.broken = undefined;
    await world.engine(proofs).recover();
    expect(existsSync(lockFile())).toBe(false);
    expect(await broken()).toHaveLength(1);
  });
});

describe('guard 12 a lock that only a person may break, or nobody yet', () => {
  const refusals = async (words: RegExp, over: Over = {}) => {
    expect(await act(over)).toMatch(words);
    expect(await act(over)).toContain('--set breakLock="why it is safe" (exceed12 does not help here)');
    expect(await act(over, { exceed12: 'I know' })).toMatch(words);
    expect(world.sent).toEqual([]);
    expect(existsSync(lockFile())).toBe(true);
    expect(await act(over, { breakLock: 'I asked alice' })).toBe('done');
    const told = (await (over.audit ?? world.parts.audit).read()).records;
    expect(told.filter(({ kind }) => kind === 'lockBroken')).toMatchObject([
      { detail: { reason: 'I asked alice' } },
    ]);
  };

  it('of another account, though its console has ended', async () => {
    await killed('locked');
    await refusals(/its console has ended \(.*ESRCH\)\), but it is of another account: ask alice/, {
      operator: { name: 'bob', uid: 2000 },
    });
  });

  it('of a console whose audit log is another one', async () => {
    await killed('locked');
    const { parts } = world;
    const file = join(world.folder, 'other', 'audit.jsonl');
    const audit = createAuditLog({
      file,
      site: 'test',
      operator: parts.operator,
      console: self,
      clock: realTime,
    });
    await refusals(/stands in another audit log \(.*\/audit.jsonl\)/, { audit });
  });

  it('of a console whose audit log was begun anew', async () => {
    await killed('intent');
    for (const name of ['audit.jsonl', 'audit.jsonl.head', 'audit.jsonl.lock', 'begun.jsonl'])
      renameSync(join(world.folder, name), join(world.folder, `old-${name}`));
    world.clock.advance(60_000);
    await refusals(/stands in another audit log/);
  });

  it('of an older program, which names no namespace: by nobody before it is old, then by a typed reason', async () => {
    await killed('locked');
    const lock = JSON.parse(readFileSync(lockFile(), 'utf8')) as Record<string, unknown>;
    for (const name of ['uid', 'spaces', 'machine', 'run', 'log']) delete lock[name];
    writeFileSync(lockFile(), `${JSON.stringify(lock)}\n`);
    const waits =
      /its console may be at work: ask alice, or wait; it counts as left behind in \d+ min; neither/;
    expect(await act()).toMatch(waits);
    expect(await act({}, { breakLock: 'I am sure' })).toMatch(waits);
    const past = new Date(Date.now() - 7_000_000);
    utimesSync(lockFile(), past, past);
    await refusals(/it is not proven that its console has ended: ask alice/);
  });

  it('of a process that runs: by nobody, whatever is typed', async () => {
    await world.parts.locks.take('partition batch', {
      purpose: 'x',
      holdMs: 60_000,
      run: 'r-other',
      judge: async () => ({ may: 'wait', why: '' }),
    });
    const alive = { proofOfEnd: () => undefined };
    const lock = JSON.parse(readFileSync(lockFile(), 'utf8')) as Record<string, unknown>;
    writeFileSync(lockFile(), `${JSON.stringify({ ...lock, pid: process.ppid })}\n`);
    for (const set of [{}, { breakLock: 'I am sure' }, { exceed12: 'I am sure' }])
      expect(await act(alive, set)).toContain('its console may be at work');
    expect(world.sent).toEqual([]);
  });

  it.each([
    ['a time that nobody holds a lock for', { holdMs: 1e300 }, -7_300_000],
    ['a time that is still to come', {}, 86_400_000],
  ])('with %s: it does not hold for ever', async (_, over, ago) => {
    await killed('locked');
    const lock = JSON.parse(readFileSync(lockFile(), 'utf8')) as Record<string, unknown>;
    writeFileSync(lockFile(), `${JSON.stringify({ ...lock, ...over, spaces: 'pid:[1]' })}\n`);
    const at = new Date(Date.now() + ago);
    utimesSync(lockFile(), at, at);
    await refusals(/it is not proven that its console has ended/);
  });

  it('a right to break that was left behind does not hold for ever, and a fresh one is respected', async () => {
    await killed('locked');
    const text = readFileSync(lockFile(), 'utf8').trimEnd();
    const right = `test partition batch after ${sha256(text).slice(0, 16)}`;
    const store = createLocalStore(join(world.folder, 'locks'), realTime, () => 'other');
    await store.put(right, text);
    expect(await act()).toMatch(/the lock of alice .* stays: it is being taken over by alice/);
    const file = join(world.folder, 'locks', `${fileNameOf(right)}.lock`);
    const past = new Date(Date.now() - 180_000);
    utimesSync(file, past, past);
    expect(await act()).toBe('done');
    expect(readdirSync(join(world.folder, 'locks'))).toEqual([]);
  });
});

describe('guard 12 a lock in the way of an undo', () => {
  it('can be broken for a typed reason too, and nothing else can be set', async () => {
    const engine = world.engine(proofs);
    const made = await card(engine, 'fake.resume', ['n1']);
    const { id } = await confirm(engine, made.id, 'y');
    await world.parts.locks.take('partition batch', {
      purpose: 'x',
      holdMs: 60_000,
      run: 'r-other',
      judge: async () => ({ may: 'wait', why: '' }),
    });
    const lock = JSON.parse(readFileSync(lockFile(), 'utf8')) as Record<string, unknown>;
    writeFileSync(lockFile(), `${JSON.stringify({ ...lock, spaces: 'pid:[1]' })}\n`);
    const past = new Date(Date.now() - 180_000);
    utimesSync(lockFile(), past, past);
    const undo = async (set: Record<string, string>) => {
      const planned = await engine.plan(`undo:${id}`, [], set);
      if ('refused' in planned) return planned.refused.reason;
      const confirmed = await engine.confirm(planned.card.id, planned.card.confirmText);
      return 'refused' in confirmed ? confirmed.refused.reason : (await engine.awaitEnd(confirmed.run)).state;
    };
    expect(await undo({ reason: 'x' })).toContain('an undo takes no other --set than breakLock and exceed12');
    expect(await undo({})).toContain('--set breakLock=');
    expect(await undo({ breakLock: 'its machine is gone' })).toBe('done');
    expect(world.nodes['n1']?.drained).toBe(true);
  });
});
