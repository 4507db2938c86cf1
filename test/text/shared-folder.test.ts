import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RawAnswer, RunRequest } from '../../src/model/answer.ts';
import { createSharedPast } from '../../src/audit/shared-past.ts';
import { createFolder } from '../../src/collect/shared/folder.ts';
import { createSharedStore } from '../../src/remedy/lock-shared.ts';
import { createSharedActions } from '../../src/remedy/shared-actions.ts';
import { folderProblem } from '../../src/text/shared-folder.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { answer, lostAnswer, realTime, transportsOf } from '../remedy/world.ts';

const place = { host: 'admin1', dir: '/var/lib/faultline' };
const say = (over: RawAnswer, doing: 'read' | 'written' = 'written'): string =>
  folderProblem(over, place, { doing, deadlineMs: 8_000 });
const failed = (stderr: string, exitCode = 1): RawAnswer => answer({ exitCode, stderr });

describe('what is wrong with the shared folder', () => {
  it.each([
    [
      'printf: write error: No space left on device\n',
      /is on a full file system .*make room there: df -h \/var/,
    ],
    ['sh: 1: cannot create /var/lib/faultline/x: Disk quota exceeded\n', /is over its quota .*quota -s/],
    [
      'mkdir: cannot create directory ‘/var/lib/faultline/locks’: Read-only file system',
      /is on a read-only file system .*dmesg/,
    ],
    [
      'sh: 1: cannot create /var/lib/faultline/locks/x: Permission denied',
      /may not be written by this login .*ls -ld/,
    ],
    ["ls: cannot access '/var/lib/faultline/.': Not a directory", /is not a folder .*site file/],
    ["mkdir: cannot create directory '/var/lib/faultline': File exists", /is not a folder/],
    ["ls: cannot access '/var/lib/faultline/.': No such file or directory", /is not there .*was it deleted/],
    [
      "mkdir: cannot create directory '/var/lib/faultline': Permission denied",
      /is not there and can't be made .*install -d/,
    ],
    ["mkdir: can't create directory '/var/lib': Read-only file system", /is not there and can't be made/],
    ['sh: 1: cannot create /var/lib/faultline/x: Directory nonexistent', /is not there/],
    ['cat: /var/lib/faultline/x: Stale file handle', /is on a broken file system .*mount it again/],
    ['ls: cannot access: Transport endpoint is not connected', /is on a broken file system/],
    ['sh: 1: ln: not found', /could not be written \(sh: 1: ln: not found\); try it there as this login/],
    ['', /could not be written \(exit 1\)/],
  ])('%s', (stderr, words) => {
    const text = say(failed(stderr));
    expect(text).toMatch(words);
    expect(text.startsWith('admin1:/var/lib/faultline ')).toBe(true);
    expect(text).not.toMatch(/not answer/);
  });

  it('what went wrong first counts, not that there is no file then', () => {
    const stderr = 'printf: write error: No space left on device\ncat: /x.lock: No such file or directory\n';
    expect(say(failed(stderr))).toContain('full file system');
    const denied =
      "cat: /var/x.lock: No such file or directory\nls: cannot access '/var/.': Permission denied\n";
    expect(say(failed(denied, 3), 'read')).toContain('may not be read by this login');
  });

  it('a host that could not be reached, one that hangs, one that was lost', () => {
    expect(
      say(answer({ notConnected: { kind: 'timeout', message: 'admin1 does not answer; is it up?' } })),
    ).toBe("admin1:/var/lib/faultline can't be reached: admin1 does not answer; is it up?");
    expect(say(answer({ timedOut: true, exitCode: 124 }))).toMatch(
      /did not answer within 8 s: its file system may hang/,
    );
    expect(say(lostAnswer())).toMatch(
      /the connection to admin1 was lost while .* was written: outcome unknown/,
    );
    expect(say(answer({ stdout: 'Welcome!\n' }), 'read')).toContain(
      'was read, but the answer was not understood',
    );
  });

  it('shows what a hostile host prints, and at most so much of it', () => {
    const text = say(failed(`\u001B[2J\u202e${'x'.repeat(5_000)}`));
    expect(text).not.toMatch(/[\u001B\u202e]/);
    expect(text.length).toBeLessThan(500);
  });
});

/** Each user of the folder, on a real sh and a real folder in real trouble. */
const users = {
  'a lock': (shared: typeof place, sh: Sh) =>
    createSharedStore(shared, transportsOf(sh), () => 'id')
      .put('x', 'text')
      .then((put) => (put.state === 'failed' ? put.reason : put.state)),
  'a line to colleagues': (shared: typeof place, sh: Sh) =>
    createSharedActions(shared, transportsOf(sh), realTime).tell(
      {
        run: 'r',
        verb: 'v',
        subject: 's',
        at: 1,
        by: 'b',
      },
      'key',
    ),
  'a note': (shared: typeof place, sh: Sh) =>
    createFolder(shared, transportsOf(sh))
      .append('{}')
      .then((written) => (written.ok ? undefined : written.reason)),
};
type Sh = (request: RunRequest) => Promise<RawAnswer>;

/** `before`: in a namespace of its own for mounts, which needs root. */
const shAfter =
  (before?: string): Sh =>
  ({ script }) =>
    new Promise((resolve) => {
      const [file, args] =
        before === undefined
          ? ['sh', ['-c', script]]
          : ['unshare', ['-m', 'sh', '-c', `${before}\n${script}`]];
      execFile(
        file ?? '',
        args,
        { env: { PATH: process.env['PATH'], LC_ALL: 'C' } },
        (error, stdout, stderr) =>
          resolve(answer({ exitCode: typeof error?.code === 'number' ? error.code : 0, stdout, stderr })),
      );
    });

const isRoot = process.getuid?.() === 0;

describe.each(Object.keys(users))('%s in a real folder', (user) => {
  const use = users[user as keyof typeof users];
  const folder = (): typeof place => ({ host: 'adm', dir: join(emptyFolder('trouble'), 'shared') });

  it('that is well, or not made yet: written', async () => {
    const shared = folder();
    expect(['made', undefined]).toContain(await use(shared, shAfter()));
    expect(existsSync(shared.dir)).toBe(true);
  });

  it('that is a file', async () => {
    const shared = folder();
    writeFileSync(shared.dir, '');
    expect(await use(shared, shAfter())).toMatch(/^adm:\S+ is not a folder/);
  });

  it('whose place is gone', async () => {
    expect(await use({ host: 'adm', dir: '/proc/gone/faultline' }, shAfter())).toMatch(
      /^adm:\S+ is not there and can't be made \(mkdir: /,
    );
  });

  it.skipIf(!isRoot)('on a full disk, on one that is read-only', async () => {
    const shared = folder();
    mkdirSync(join(shared.dir, 'locks'), { recursive: true });
    const full = `mount -t tmpfs -o size=64k none ${shared.dir} && mkdir ${shared.dir}/locks && head -c 100000 /dev/zero >${shared.dir}/fill 2>/dev/null`;
    expect(await use(shared, shAfter(full))).toMatch(
      /^adm:\S+ is on a full file system \(.*No space left on device\)/,
    );
    const readOnly = `mount -t tmpfs none ${shared.dir} && mkdir ${shared.dir}/locks && mount -o remount,ro ${shared.dir}`;
    expect(await use(shared, shAfter(readOnly))).toMatch(/^adm:\S+ is on a read-only file system/);
  });
});

describe('reading a real folder', () => {
  it('that was deleted says so; one that holds nothing yet is well', async () => {
    const shared = { host: 'adm', dir: join(emptyFolder('trouble'), 'shared') };
    const sh = transportsOf(shAfter());
    const gone = await createFolder(shared, sh).read();
    expect(gone).toMatchObject({ ok: false, missing: true, hangs: false });
    expect('reason' in gone && gone.reason).toMatch(/is not there .*was it deleted/);
    const store = createSharedStore(shared, sh, () => 'id');
    expect(await store.look('x')).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('is not there'),
    });
    expect(await store.remove('x', 't')).toContain('is not there');
    mkdirSync(shared.dir);
    expect(await createFolder(shared, sh).read()).toMatchObject({ ok: true });
    expect(await store.look('x')).toEqual({ state: 'none' });
    expect(await store.remove('x', 't')).toBe('it is gone');
    expect(await createSharedPast(shared, sh, realTime).read()).toEqual({ past: [] });
    rmSync(shared.dir, { recursive: true });
  });
});
