import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import {
  endProof,
  judgeProcess,
  recordLiveness,
  stampOf,
  thisProcess,
  type ProcessOwner,
} from '../../src/remedy/process-stamp.ts';
import { self } from './world.ts';

const LONG_MS = 3_600_000;
/** What a busy machine may take to end a process that was killed. */
const SLOW_MS = 20_000;
const script = new URL('./judge-child.ts', import.meta.url).pathname;
const isRoot = process.getuid?.() === 0;

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** A real process, as the lock of a console that it were would name it. */
const start = (argv: readonly string[] = ['sleep', '60']): { child: ChildProcess; owner: ProcessOwner } => {
  const child = spawn(argv[0] ?? '', argv.slice(1), { stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(child);
  const pid = child.pid ?? 0;
  return { child, owner: { ...self, pid, stamp: stampOf(pid) } };
};

const kill = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGKILL');
  await once(child, 'exit');
};

const judge = (owner: ProcessOwner, agoMs = 60_000) => judgeProcess(owner, self, agoMs);

describe('a process that made a lock', () => {
  it('is named so that it can be told from every other', () => {
    const { pid, stamp, spaces, machine } = thisProcess();
    expect(pid).toBe(process.pid);
    expect(stamp).toBe(stampOf(process.pid));
    expect(stamp).toMatch(/^[0-9a-f-]{36}\/\d+$/);
    expect(spaces).toMatch(/^pid:\[\d+\]/);
    if (machine !== undefined) expect(machine).toMatch(/^[0-9a-f]{32}$/);
    expect(stampOf(4_194_304)).toBe('');
  });

  it('is alive while it runs, and gone once it was killed', async () => {
    const { child, owner } = start();
    expect(judge(owner)).toEqual({ state: 'alive' });
    await kill(child);
    expect(judge(owner)).toEqual({
      state: 'dead',
      proof: expect.stringContaining(`no process ${owner.pid} (ESRCH)`),
    });
    expect(endProof(self)(owner, 0)).toContain('same boot id and PID namespace');
  });

  it('is gone when its number belongs to another one now', () => {
    const { owner } = start();
    const [boot] = (owner.stamp ?? '').split('/');
    expect(judge({ ...owner, stamp: `${boot}/1` })).toMatchObject({
      state: 'dead',
      proof: expect.stringContaining('begun at another time'),
    });
  });

  it('is gone as a zombie that nobody waits for', async () => {
    // The child of a program that never waits: `exec` keeps the number of the shell that started it.
    const { child, owner: parent } = start(['sh', '-c', 'sleep 60 & echo $!; exec sleep 60']);
    const [chunk] = (await once(child.stdout ?? child, 'data')) as [Buffer];
    const pid = Number(chunk.toString());
    const owner = { ...parent, pid, stamp: stampOf(pid) };
    expect(judge(owner)).toEqual({ state: 'alive' });
    // As long as it is the shell it may still take the child's end.
    await expect
      .poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8'), { timeout: SLOW_MS })
      .toBe('sleep\n');
    process.kill(pid, 'SIGKILL');
    await expect
      .poll(() => judge(owner), { timeout: SLOW_MS })
      .toMatchObject({ state: 'dead', proof: expect.stringContaining('zombie') });
  });

  it('of another machine, namespace or an older program: nothing can be told, be it long dead', async () => {
    const { child, owner } = start();
    await kill(child);
    const { spaces: _, ...older } = owner;
    const others: ProcessOwner[] = [
      older,
      { ...owner, spaces: 'pid:[1]' },
      { ...owner, stamp: '' },
      { ...owner, stamp: '11111111-2222-3333-4444-555555555555/7', machine: 'f'.repeat(32) },
      { ...owner, stamp: 'nonsense' },
    ];
    for (const one of others) expect(judge(one, LONG_MS)).toEqual({ state: 'elsewhere' });
    // The name alone proves nothing, in either direction.
    expect(judge({ ...owner, host: 'adm2' })).toMatchObject({ state: 'dead' });
    expect(judgeProcess(owner, { ...self, stamp: '' }, LONG_MS)).toEqual({ state: 'elsewhere' });
  });

  it('property: what others may have written proves no end of a process that runs, and breaks nothing', () => {
    const { owner } = start();
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, -1, 1e300, 2 ** 32)), (pid) => {
        expect(() => judge({ ...owner, pid })).not.toThrow();
      }),
    );
    for (const pid of [0, -1, 1.5, Number.NaN, 2 ** 32, 2 ** 32 + owner.pid])
      expect(judge({ ...owner, pid })).toEqual({ state: 'elsewhere' });
  });

  it('of an earlier boot of this machine is gone, where machine id, name and the age of the boot say so', () => {
    const machine = 'a'.repeat(32);
    const here = { ...self, machine };
    const earlier = { ...here, stamp: '11111111-2222-3333-4444-555555555555/7' };
    const before = uptime() * 1000 + 10 * 60_000;
    expect(judgeProcess(earlier, here, before)).toMatchObject({
      state: 'dead',
      proof: expect.stringContaining('booted since'),
    });
    const { machine: _, ...nameless } = earlier;
    for (const [owner, agoMs] of [
      [earlier, 60_000],
      [earlier, Number.NaN],
      [nameless, before],
      [{ ...earlier, host: 'adm2' }, before],
      [{ ...earlier, machine: 'b'.repeat(32) }, before],
    ] as const)
      expect(judgeProcess(owner, here, agoMs)).toEqual({ state: 'elsewhere' });
  });

  it('is judged the same for a record of the audit log', async () => {
    const { child, owner } = start();
    const record = { console: { ...self, ...owner }, at: new Date().toISOString() } as never;
    expect(recordLiveness(self)(record)).toBe('alive');
    await kill(child);
    expect(recordLiveness(self)(record)).toBe('dead');
  });

  it.skipIf(!isRoot)('of this namespace is nothing that a console in another one could know of', async () => {
    const { child, owner } = start();
    await kill(child);
    const argv = ['--pid', '--fork', process.execPath, script, JSON.stringify(owner)];
    const { stdout } = await promisify(execFile)('unshare', argv);
    expect(JSON.parse(stdout)).toEqual({ state: 'elsewhere' });
    const outside = await promisify(execFile)(process.execPath, [script, JSON.stringify(owner)]);
    expect(JSON.parse(outside.stdout)).toMatchObject({ state: 'dead' });
  });

  // A namespace of its own, so that this /proc is nobody else's.
  it.skipIf(!isRoot)('that /proc hides is alive; one that has ended is gone all the same', async () => {
    const inside = `mount -t proc -o hidepid=2 proc /proc && exec "$@"`;
    const argv = ['-m', '--pid', '--fork', 'sh', '-c', inside, 'sh', process.execPath, script, 'hidden'];
    const { stdout } = await promisify(execFile)('unshare', argv);
    expect(JSON.parse(stdout)).toEqual({
      seenByRoot: { state: 'alive' },
      seen: '',
      running: { state: 'alive' },
      ended: { state: 'dead', proof: expect.stringContaining('ESRCH') },
    });
  });
});
