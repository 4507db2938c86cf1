import { execFile, execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createFolder } from '../../../src/collect/shared/folder.ts';
import { localFile, localMemory } from '../../../src/collect/shared/local.ts';
import { createShared, type Shared } from '../../../src/collect/shared/shared.ts';
import type { RawAnswer, Transport, Transports } from '../../../src/model/answer.ts';
import { createFakeClock } from '../helpers/fake-clock.ts';
import { answerOf, broken } from '../helpers/fake-site.ts';
import { emptyFolder } from '../../helpers/folder.ts';

let base: string;
let dir: string;
let trouble: 'down' | 'hung' | 'full' | 'readOnly' | undefined;
let sent: string[];

beforeEach(() => {
  base = emptyFolder('shared');
  dir = join(base, 'shared');
  trouble = undefined;
  sent = [];
});

/** The machine with the shared folder: a real sh. */
const run = (script: string): Promise<RawAnswer> => {
  sent.push(script);
  if (trouble === 'down')
    return Promise.resolve(
      broken({ notConnected: { kind: 'unreachable', message: 'adm: connection refused' } }),
    );
  if (trouble === 'hung') return Promise.resolve(broken({ timedOut: true }));
  if (trouble === 'readOnly' && /mkdir|>/.test(script.replaceAll(/2?>\/dev\/null|>&2/g, '')))
    return Promise.resolve(
      answerOf('', {
        stderr: Buffer.from(`sh: 1: cannot create ${dir}/events.jsonl: Read-only file system\n`),
        exitCode: 2,
      }),
    );
  // /dev/full takes nothing, as a full disk does.
  const body = trouble === 'full' ? script.replaceAll('"$@" >&3', '"$@" >/dev/full') : script;
  if (trouble === 'full' && script.includes('events.jsonl') && script.includes('append'))
    expect(body, 'the script writes in another way now').toContain('/dev/full');
  return new Promise((resolve) =>
    execFile(
      'sh',
      ['-c', body],
      { encoding: 'buffer', env: { PATH: process.env['PATH'], LC_ALL: 'C' } },
      (error, stdout, stderr) =>
        resolve(answerOf(stdout, { stderr, exitCode: typeof error?.code === 'number' ? error.code : 0 })),
    ),
  );
};

const transports = (): Transports => {
  const to = (host: string): Transport => ({
    kind: 'ssh2',
    run: ({ script }) => run(script),
    connection: () => ({ host, kind: 'ssh2', state: 'up', since: 0, badges: [] }),
    close: async () => {},
  });
  return { transportTo: to, connections: () => new Map(), close: async () => {} };
};

let ids = 0;
const consoleOf = (
  name: string,
  more: {
    local?: string;
    readOnly?: boolean;
    clock?: ReturnType<typeof createFakeClock>;
    alone?: boolean;
    log?: string[];
  } = {},
): Shared =>
  createShared({
    ...(more.alone !== true && { folder: createFolder({ host: 'adm', dir }, transports()) }),
    local: more.local === undefined ? localMemory() : localFile(join(base, more.local), () => {}),
    writer: { who: name, from: `host-${name} 1 x` },
    readOnly: more.readOnly ?? false,
    clock: more.clock ?? createFakeClock(),
    log: (line) => void more.log?.push(line),
    makeId: () => `id${(ids += 1)}`,
  });

const node12 = { kind: 'node', id: 'node12' } as const;
const note = (text: string) => ({ kind: 'note', subject: node12, text }) as const;
const texts = (shared: Shared): string[] => shared.notes.notesOf(node12).map(({ text }) => text);

describe('two consoles with a shared folder', () => {
  test('see each other’s notes and acknowledgements with the next read, and read on from there', async () => {
    const [one, two] = [consoleOf('alice'), consoleOf('bob')];
    await two.readNow();
    expect(await one.add(note("bad DIMM, it's the 2nd; $(reboot) `id` \\n"))).toEqual({ where: 'shared' });
    await two.readNow();
    expect(texts(two)).toEqual(["bad DIMM, it's the 2nd; $(reboot) `id` \\n"]);
    await two.add(note('swapped'));
    await one.readNow();
    expect(texts(one)).toEqual([...texts(two)]);
    sent = [];
    await one.readNow();
    expect(sent[0]).toMatch(/^set -- .* \+\d{3,}\n/);
    expect(one.badges()).toEqual([]);
  });

  test('see who is on, until he leaves', async () => {
    const clock = createFakeClock();
    const [one, two] = [consoleOf('alice', { clock }), consoleOf('bob', { clock })];
    one.start();
    two.start();
    await expect
      .poll(async () => {
        await clock.advance(11_000);
        return [one.listOthers(clock.now()), two.listOthers(clock.now())];
      })
      .toEqual([['bob on host-bob'], ['alice on host-alice']]);
    await Promise.all([two.close(), clock.advance(600)]);
    await expect
      .poll(async () => {
        await clock.advance(11_000);
        return one.listOthers(clock.now());
      })
      .toEqual([]);
    await Promise.all([one.close(), clock.advance(600)]);
  });

  test('a half-written line harms only itself', async () => {
    const [one, two] = [consoleOf('alice'), consoleOf('bob')];
    await one.add(note('first'));
    appendFileSync(join(dir, 'events.jsonl'), '{"v":1,"kind":"note","te');
    await one.add(note('second'));
    appendFileSync(join(dir, 'events.jsonl'), `{"v":9,"kind":"note"}\n\u001B[2J\n`);
    await two.readNow();
    expect(texts(two)).toEqual(['first', 'second']);
    expect(two.badges()).toEqual([
      'shared folder: 2 lines not understood',
      'shared folder: 1 line of a newer console',
    ]);
    expect(two.problems()).toEqual(two.badges());
  });

  test('a line without its end is read when it has one', async () => {
    const one = consoleOf('alice');
    await one.add(note('first'));
    const two = consoleOf('bob');
    const line = readFileSync(join(dir, 'events.jsonl'), 'utf8')
      .trim()
      .replace('first', 'later')
      .replace('"id":"', '"id":"x');
    appendFileSync(join(dir, 'events.jsonl'), line.slice(0, 40));
    await two.readNow();
    expect(texts(two)).toEqual(['first']);
    appendFileSync(join(dir, 'events.jsonl'), `${line.slice(40)}\n`);
    await two.readNow();
    expect(texts(two)).toEqual(['first', 'later']);
  });

  test('a file that was begun anew is read anew; what was known stays', async () => {
    const [one, two] = [consoleOf('alice'), consoleOf('bob')];
    await one.add(note('first, rather long so that the file is longer than what follows'));
    await two.readNow();
    writeFileSync(join(dir, 'events.jsonl'), '');
    await two.readNow();
    await one.add(note('second'));
    await two.readNow();
    expect(texts(two)).toHaveLength(2);
  });
});

describe('locks of colleagues', () => {
  const lock = (host: string, more: object = {}): string =>
    JSON.stringify({
      owner: 'bob',
      host,
      pid: 1,
      stamp: 's',
      at: new Date(createFakeClock().now()).toISOString(),
      holdMs: 60_000,
      purpose: 'Drain 4 nodes \u001B[2J',
      token: 't',
      ...more,
    });

  test('are seen while they stand; one’s own is not told', async () => {
    const one = consoleOf('alice');
    const locks = join(dir, 'locks');
    mkdirSync(locks, { recursive: true });
    writeFileSync(join(locks, 'partition%20batch.lock'), `${lock('host-bob')}\n`);
    writeFileSync(join(locks, 'volume%20home0.lock'), `${lock('host-alice')}\n`);
    writeFileSync(join(locks, 'odd.lock'), '{"owner"');
    writeFileSync(join(locks, 'partition%20batch.draft1'), lock('host-bob'));
    await one.readNow();
    expect(one.badges()).toEqual([
      'somebody is at work on odd: the lock cannot be read',
      expect.stringMatching(
        /^bob on host-bob is at work on partition batch since \S+: Drain 4 nodes \^\[\[2J$/,
      ),
    ]);
    // Somebody at work is no trouble of the folder.
    expect(one.problems()).toEqual([]);
    rmSync(locks, { recursive: true });
    await one.readNow();
    expect(one.badges()).toEqual([]);
  });

  test('are not told from memory when the folder is down', async () => {
    const one = consoleOf('alice');
    mkdirSync(join(dir, 'locks'), { recursive: true });
    writeFileSync(join(dir, 'locks', 'x.lock'), `${lock('host-bob')}\n`);
    await one.readNow();
    expect(one.locks()).toHaveLength(1);
    trouble = 'down';
    await one.readNow();
    expect(one.locks()).toEqual([]);
  });
});

describe('a shared folder in trouble', () => {
  test.each(['down', 'hung', 'full', 'readOnly'] as const)(
    'that is %s: kept here, told later, nothing lost',
    async (what) => {
      const [one, two] = [consoleOf('alice'), consoleOf('bob')];
      await one.add(note('before'));
      trouble = what;
      const kept = await one.add(note('during'));
      expect(kept).toMatchObject({ where: 'here', problem: expect.stringMatching(/adm/) });
      expect(texts(one)).toEqual(['before', 'during']);
      expect(one.badges().join()).toMatch(
        /shared folder (down|cannot be written) since \d\d:\d\d, notes stay here: adm/,
      );
      trouble = undefined;
      await one.readNow();
      await two.readNow();
      expect(texts(two)).toEqual(['before', 'during']);
      expect(one.badges()).toEqual([]);
      await one.readNow();
      await one.readNow();
      expect(readFileSync(join(dir, 'events.jsonl'), 'utf8').match(/during/g)).toHaveLength(1);
    },
  );

  test('that can be read but not written keeps saying so, and goes on reading', async () => {
    const log: string[] = [];
    const clock = createFakeClock();
    const [one, two] = [consoleOf('alice', { clock, log }), consoleOf('bob')];
    await two.add(note('before'));
    trouble = 'readOnly';
    await one.add(note('during'));
    for (let poll = 0; poll < 5; poll += 1) await one.readNow();
    expect(texts(one).toSorted()).toEqual(['before', 'during']);
    expect(one.badges()).toEqual([
      expect.stringMatching(
        /^shared folder cannot be written since .*: adm:\S+ is on a read-only file system \(.*\); dmesg there says why/,
      ),
    ]);
    expect(log).toHaveLength(1);
  });

  test('what was kept in a file is told by the next console', async () => {
    trouble = 'down';
    await consoleOf('alice', { local: 'kept.jsonl' }).add(note('at night'));
    trouble = undefined;
    await consoleOf('alice', { local: 'kept.jsonl' }).readNow();
    const two = consoleOf('bob');
    await two.readNow();
    expect(texts(two)).toEqual(['at night']);
  });

  test('after one command that hangs, no second one is sent for a note', async () => {
    const one = consoleOf('alice');
    trouble = 'hung';
    await one.readNow();
    sent = [];
    expect(await one.add(note('x'))).toMatchObject({ where: 'here' });
    expect(sent).toEqual([]);
  });

  test('on a hung mount: asked ever less often, and again every few seconds once it answers', async () => {
    const clock = createFakeClock();
    const one = consoleOf('alice', { clock });
    trouble = 'hung';
    one.start();
    for (let minute = 0; minute < 240; minute += 1) await clock.advance(60_000);
    expect(sent.length).toBeLessThan(14);
    expect(one.badges().join()).toMatch(/shared folder down since .*did not answer within 8 s/);
    trouble = undefined;
    await expect
      .poll(
        async () => {
          await clock.advance(60_000);
          return one.badges();
        },
        { timeout: 10_000 },
      )
      .toEqual([]);
    await one.close();
  });

  test('no folder and no disk: refused, with the reason', async () => {
    const file = join(base, 'nowhere');
    const one = createShared({
      local: localFile(join(file, 'x.jsonl'), () => {}),
      writer: { who: 'alice', from: 'h 1 x' },
      readOnly: false,
      clock: createFakeClock(),
      log: () => {},
      makeId: () => 'a',
    });
    expect(await one.add(note('x'))).toMatchObject({
      where: 'nowhere',
      problem: expect.stringMatching(/ENOENT/),
    });
    expect(one.badges().join()).toMatch(/shared folder: none.*cannot be kept here/);
  });

  test('a disk that hangs is waited for once: what hangs keeps a thread that all files share', async () => {
    // Without a writer a named pipe's opening hangs as a file on a dead disk does.
    const pipe = join(base, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const log: string[] = [];
    const local = localFile(pipe, (line) => log.push(line), 50);
    expect(await local.read()).toEqual([]);
    expect(log.join()).toContain('no answer within 0.05 s');
    for (const _ of Array.from({ length: 8 }))
      expect(await local.append('note')).toBe('the disk still does not answer');
    // Other files can still be read: only one thread waits.
    writeFileSync(join(base, 'other'), 'x');
    expect(await readFile(join(base, 'other'), 'utf8')).toBe('x');
    writeFileSync(pipe, 'kept\n');
    rmSync(pipe);
    await expect.poll(() => local.append('note')).toBeUndefined();
    expect(readFileSync(pipe, 'utf8')).toBe('\nnote\n');
  });

  test('a file that cannot be read is told', async () => {
    writeFileSync(join(base, 'file'), '');
    dir = join(base, 'file');
    const one = consoleOf('alice');
    await one.readNow();
    expect(one.badges().join()).toMatch(/Not a directory/);
    chmodSync(base, 0o755);
  });
});

test('a read-only console writes nothing', async () => {
  await consoleOf('alice').add(note('first'));
  sent = [];
  const wall = consoleOf('wall', { readOnly: true });
  await wall.readNow();
  expect(await wall.add(note('x'))).toMatchObject({ where: 'nowhere' });
  expect(texts(wall)).toEqual(['first']);
  expect(sent.join('\n')).not.toMatch(/>>|mkdir/);
});

test('what ends before it starts is refused', async () => {
  const one = consoleOf('alice', { alone: true });
  const ack = {
    kind: 'ack',
    finding: 'a:b:c',
    severity: 'warning',
    names: 'n',
    until: 5,
    text: 'x',
  } as const;
  expect(await one.add(ack)).toMatchObject({
    where: 'nowhere',
    problem: expect.stringMatching(/ends before it starts/),
  });
});
