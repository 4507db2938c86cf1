import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { link } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { RawAnswer, RunRequest } from '../../src/model/answer.ts';
import { createLocalStore } from '../../src/remedy/lock-local.ts';
import { createSharedStore } from '../../src/remedy/lock-shared.ts';
import { GONE, TAKEN } from '../../src/remedy/lock-store.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { answer, realTime, transportsOf } from './world.ts';

vi.mock('node:fs/promises', async (original) => {
  const all = await original<typeof import('node:fs/promises')>();
  return { ...all, link: vi.fn(all.link) };
});

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('a lock of this machine', () => {
  const localIn = (folder = join(emptyFolder('locks'), 'locks')) => ({
    folder,
    store: createLocalStore(folder, realTime, () => 'draft'),
  });

  it('is for its owner alone, folder and file, and no draft stays beside it', async () => {
    const { folder, store } = localIn();
    expect(await store.put('lag', 'alice')).toEqual({ state: 'made' });
    expect(readdirSync(folder)).toEqual(['lag.lock']);
    expect([modeOf(folder), modeOf(join(folder, 'lag.lock'))]).toEqual([0o700, 0o600]);
    expect(await store.put('lag', 'bob')).toMatchObject({ state: 'held', text: 'alice' });
    expect(readdirSync(folder)).toEqual(['lag.lock']);
    expect(await store.remove('lag', 'bob')).toBe(TAKEN);
    expect(await store.remove('lag', 'alice')).toBeUndefined();
    expect(await store.remove('lag', 'alice')).toBe(GONE);
    expect(await store.look('lag')).toEqual({ state: 'none' });
  });

  it('where a file stands in place of its folder is refused with that reason', async () => {
    const folder = join(emptyFolder('locks'), 'locks');
    writeFileSync(folder, '');
    const { store } = localIn(folder);
    expect(await store.put('lag', 'alice')).toMatchObject({
      reason: expect.stringMatching(/^EEXIST.*mkdir/),
    });
  });

  it('that cannot be read is neither there nor gone: the reason is said', async () => {
    const { folder, store } = localIn();
    mkdirSync(join(folder, 'lag.lock'), { recursive: true });
    const reason = expect.stringContaining('EISDIR');
    expect(await store.look('lag')).toEqual({ state: 'failed', reason });
    expect(await store.remove('lag', 'alice')).toEqual(reason);
    expect(await store.put('lag', 'alice')).toEqual({ state: 'failed', reason });
  });

  it('on a disk without links is refused, and one that went meanwhile is told as such', async () => {
    const { folder, store } = localIn();
    const fails = (code: string) =>
      vi.mocked(link).mockRejectedValueOnce(Object.assign(new Error(`${code}: link`), { code }));
    fails('EPERM');
    expect(await store.put('lag', 'alice')).toEqual({ state: 'failed', reason: 'EPERM: link' });
    fails('EEXIST');
    expect(await store.put('lag', 'alice')).toEqual({ state: 'failed', reason: 'the lock came and went' });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a lock in the shared folder', () => {
  /** A host that gives these answers, one after the other. */
  const sharedOn = (...answers: RawAnswer[]) => {
    const asked: RunRequest[] = [];
    const transports = transportsOf(async (request) => {
      asked.push(request);
      return answers.shift() ?? answer();
    });
    return { asked, store: createSharedStore({ host: 'admin1', dir: '/shared' }, transports, () => 'draft') };
  };
  const stands = (text: string, over = {}): RawAnswer =>
    answer({ stdout: `${text}\n--faultline-lock--\n1000\n1060\n`, ...over });
  const none = (stderr = 'head: /shared/locks/lag.lock: No such file or directory'): RawAnswer =>
    answer({ exitCode: 4, stderr });

  it('is asked after by a question of its own, which no link in its place can answer', async () => {
    const { store, asked } = sharedOn(stands('alice\n'));
    expect(await store.look('lag')).toEqual({ state: 'held', text: 'alice', ageMs: 60_000 });
    expect(asked).toMatchObject([{ fresh: true, deadlineMs: 8_000 }]);
    expect(asked[0]?.script).toMatch(
      /^set -- look \S+ \S+ \/shared\/locks\/lag\.lock [^]*\nplain_file "\$4"\nplain_folder "\$3"\n/,
    );
  });

  it('whose text was cut is given as it is, without the end that it has not', async () => {
    expect(await sharedOn(stands('alice')).store.look('lag')).toMatchObject({ text: 'alice' });
    expect(await sharedOn(stands('')).store.look('lag')).toMatchObject({ state: 'held', text: '' });
  });

  it.each([
    ['with an error', stands('alice\n', { exitCode: 1, stderr: 'EIO' })],
    ['cut off', stands('alice\n', { truncated: true })],
    ['in another form', answer({ stdout: 'alice\n' })],
  ])('whose answer came %s is not known', async (_, given) => {
    expect(await sharedOn(given).store.look('lag')).toMatchObject({ state: 'failed' });
  });

  it('that is not there is none only where its folder is', async () => {
    expect(await sharedOn(none()).store.look('lag')).toEqual({ state: 'none' });
    const noFolder = answer({ exitCode: 3, stderr: 'ls: /shared/.: No such file or directory' });
    expect(await sharedOn(noFolder).store.look('lag')).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('is not there'),
    });
    expect(await sharedOn(none('Permission denied')).store.look('lag')).toMatchObject({ state: 'failed' });
  });

  it('is ours, or is held, whatever became of the answer: it is looked at, and not put again', async () => {
    expect(await sharedOn(stands('alice\n')).store.put('lag', 'alice')).toEqual({ state: 'made' });
    const lost = sharedOn(answer({ lost: true, exitCode: 1 }), stands('bob\n'));
    expect(await lost.store.put('lag', 'alice')).toMatchObject({ state: 'held', text: 'bob' });
    expect(lost.asked.map(({ script }) => script.startsWith('set -- put '))).toEqual([true, false]);
    const unreached = sharedOn(
      answer({ notConnected: { kind: 'unreachable', message: 'admin1 is away' }, exitCode: 1 }),
      stands('alice\n'),
    );
    expect(await unreached.store.put('lag', 'alice')).toMatchObject({ state: 'failed' });
    expect(unreached.asked).toHaveLength(1);
  });

  it('that stood there and went is worth another try; of a folder that takes nothing the reason is said', async () => {
    const went = none('ln: /shared/locks/lag.lock: File exists\nhead: No such file or directory');
    expect(await sharedOn(went, none()).store.put('lag', 'alice')).toEqual({
      state: 'failed',
      reason: 'admin1: a lock stood there and went: try again',
    });
    for (const given of [none(), answer({ exitCode: 4, stderr: 'mkdir: /shared: File exists' })]) {
      const put = await sharedOn(given, none()).store.put('lag', 'alice');
      expect(put).toMatchObject({ state: 'failed' });
      expect(put).not.toMatchObject({ reason: expect.stringContaining('try again') });
    }
  });

  it('is removed, gone, somebody else’s, or the reason is said', async () => {
    const removed = (given: RawAnswer) => sharedOn(given).store.remove('lag', 'alice');
    expect(await removed(answer())).toBeUndefined();
    expect(await removed(none())).toBe(GONE);
    expect(await removed(answer({ exitCode: 5 }))).toBe(TAKEN);
    expect(await removed(answer({ exitCode: 4, stderr: 'Permission denied' }))).toContain('admin1');
  });
});
