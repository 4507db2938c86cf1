import { execFile, execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFolder } from '../../src/collect/shared/folder.ts';
import type { RawAnswer, RunRequest } from '../../src/model/answer.ts';
import { createHeadCopy } from '../../src/remedy/head-copy.ts';
import { createSharedStore } from '../../src/remedy/lock-shared.ts';
import { MOST_HOLD_MS, msUntilStale } from '../../src/remedy/lock-text.ts';
import { createSharedActions } from '../../src/remedy/shared-actions.ts';
import { shellText } from '../../scripts/shell-text.ts';
import { quote } from '../../src/text/shell.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { answer, realTime, transportsOf } from '../remedy/world.ts';
import { shellsHere } from './shells-here.ts';

let dir: string;
let victim: string;
beforeEach(() => {
  const base = emptyFolder('shared');
  dir = join(base, "it's shared");
  mkdirSync(join(dir, 'locks'), { recursive: true });
  victim = join(base, 'victim');
  writeFileSync(victim, 'mine\n');
});

/** What others may put in the place of a file. */
const stands: Readonly<Record<string, (at: string) => void>> = {
  'a link to a file': (at) => symlinkSync(victim, at),
  'a link to nothing': (at) => symlinkSync(`${victim}.new`, at),
  'a pipe': (at) => void execFileSync('mkfifo', [at]),
  'a folder': (at) => mkdirSync(at),
};

/** What writes a line of the consoles' journal of switches. */
const journalLine = (file: string): string =>
  `set -- ${quote(file)} note core:te1 '' alice text\n${shellText('probes/switch/act/journal-line.sh')}`;

describe.each(shellsHere)('the shared folder by %s', (shell, ...args) => {
  const run = ({ script }: RunRequest): Promise<RawAnswer> =>
    new Promise((resolve) => {
      execFile(shell, [...args, '-c', script], { timeout: 20_000 }, (error, stdout, stderr) => {
        if (error?.killed) throw new Error(`stands still: ${script}`);
        resolve(answer({ exitCode: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }));
      });
    });
  const transports = transportsOf(run);
  const folder = () => createFolder({ host: 'adm', dir }, transports);
  const store = () => createSharedStore({ host: 'adm', dir }, transports, () => 'd1');
  const untouched = (): void => {
    expect(readFileSync(victim, 'utf8')).toBe('mine\n');
    expect(existsSync(`${victim}.new`)).toBe(false);
  };
  const refused = { ok: false, reason: expect.stringContaining('is not a plain file: see who made it') };

  it('works where nothing is in its way', async () => {
    const shared = folder();
    expect(await shared.append('{"a":1}')).toEqual({ ok: true });
    expect(await shared.tellPresence('{"b":1}')).toEqual({ ok: true });
    expect(await store().put('partition batch', 'text')).toEqual({ state: 'made' });
    expect(await shared.read()).toMatchObject({
      ok: true,
      events: expect.arrayContaining(['{"a":1}']),
      consoles: ['{"b":1}'],
      locks: [{ group: 'partition batch' }],
    });
    expect(await store().look('partition batch')).toMatchObject({ state: 'held', text: 'text' });
    expect(await store().remove('partition batch', 'text')).toBeUndefined();
    expect(await store().look('partition batch')).toEqual({ state: 'none' });
    expect(await store().remove('partition batch', 'text')).toBe('it is gone');
  });

  it.each(Object.keys(stands))(
    '%s in the place of a file is not written, read or waited for',
    async (what) => {
      for (const name of ['events.jsonl', 'consoles.jsonl', 'actions.jsonl', 'locks/g.lock'])
        stands[what]?.(join(dir, name));
      expect(await folder().append('x')).toMatchObject(refused);
      expect(await folder().tellPresence('x')).toMatchObject(refused);
      expect(await folder().read()).toMatchObject(refused);
      const past = { run: 'r', verb: 'drain', subject: 'node n1', at: 1, by: 'alice' };
      const actions = createSharedActions({ host: 'adm', dir }, transports, realTime);
      expect(await actions.tell(past, 'key')).toContain('is not a plain file');
      expect(await store().put('g', 'x')).toMatchObject({ state: 'failed', reason: refused.reason });
      expect(await store().look('g')).toMatchObject({ state: 'failed', reason: refused.reason });
      expect(await store().remove('g', 'x')).toEqual(refused.reason);
      expect(readdirSync(join(dir, 'locks'))).toEqual(['g.lock']);
      untouched();
    },
  );

  it('a file that has another name, elsewhere, is not written', async () => {
    for (const name of ['events.jsonl', 'consoles.jsonl', 'actions.jsonl', 'switch-journal.jsonl'])
      linkSync(victim, join(dir, name));
    const named = { ok: false, reason: expect.stringContaining('is not a plain file of one name: see who') };
    expect(await folder().append('x')).toMatchObject(named);
    expect(await folder().tellPresence('x')).toMatchObject(named);
    const past = { run: 'r', verb: 'drain', subject: 'node n1', at: 1, by: 'alice' };
    const actions = createSharedActions({ host: 'adm', dir }, transports, realTime);
    expect(await actions.tell(past, 'key')).toContain('is not a plain file of one name');
    const noted = await run({ script: journalLine(join(dir, 'switch-journal.jsonl')) } as RunRequest);
    expect([noted.exitCode, Buffer.from(noted.stderr).toString()]).toEqual([
      1,
      expect.stringContaining('of one name'),
    ]);
    const owner = { host: 'adm1', uid: 1, site: 's', folder: '/f' };
    const copy = createHeadCopy({ host: 'adm', dir }, transports, realTime, owner);
    const mark = { seq: 1, hash: 'a'.repeat(64), at: 1_700_000_000_000 };
    await copy.write([mark]);
    const all = readdirSync(join(dir, 'audit-heads')).find((name) => name.endsWith('.jsonl')) ?? '';
    rmSync(join(dir, 'audit-heads', all));
    linkSync(victim, join(dir, 'audit-heads', all));
    await copy.write([mark]);
    expect(copy.warnings().join()).toContain('is not a plain file of one name');
    untouched();
  });

  it('what is put there between the look and the write is not written: a link', async () => {
    // Where the shell looks at what stands there, the place is free; then the link is made, as by somebody who waited for it.
    const file = join(dir, 'events.jsonl');
    const swap = `test() { if [ "$1" = -L ]; then ln -s ${quote(victim)} ${quote(file)}; return 1; fi; [ "$@" ]; }\n`;
    const swapping = transportsOf((request) =>
      run('script' in request ? { ...request, script: `${swap}${request.script}` } : request),
    );
    expect(await createFolder({ host: 'adm', dir }, swapping).append('x')).toMatchObject({
      ok: false,
      reason: expect.stringContaining('is not a plain file of one name'),
    });
    untouched();
  });

  it('a link in the place of the folder of locks, or of the heads, is not entered', async () => {
    const elsewhere = emptyFolder('elsewhere');
    const linked = join(dir, 'sub');
    mkdirSync(linked);
    for (const name of ['locks', 'audit-heads']) symlinkSync(elsewhere, join(linked, name));
    const place = { host: 'adm', dir: linked };
    const locks = createSharedStore(place, transports, () => 'd1');
    expect(await locks.put('g', 'x')).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('is not a folder: see who made it'),
    });
    const owner = { host: 'adm1', uid: 1, site: 's', folder: '/f' };
    const copy = createHeadCopy(place, transports, realTime, owner);
    await copy.write([{ seq: 1, hash: 'a'.repeat(64), at: 1_700_000_000_000 }]);
    expect(copy.warnings().join()).toContain('is not a folder: see who made it');
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('a link in the place of the draft of a head is not followed', async () => {
    const owner = { host: 'adm1', uid: 1, site: 's', folder: '/f' };
    const copy = createHeadCopy({ host: 'adm', dir }, transports, realTime, owner);
    const mark = { seq: 1, hash: 'a'.repeat(64), at: 1_700_000_000_000 };
    await copy.write([mark]);
    const [file = ''] = readdirSync(join(dir, 'audit-heads'));
    symlinkSync(victim, join(dir, 'audit-heads', `.${file}.${process.pid}`));
    await copy.write([{ ...mark, seq: 2 }]);
    expect(copy.warnings()).toEqual([]);
    expect(await copy.read()).toEqual({ ...mark, seq: 2 });
    untouched();
  });

  it('a lock that somebody else took stays', async () => {
    await store().put('g', 'his');
    expect(await store().put('g', 'mine')).toMatchObject({ state: 'held', text: 'his' });
    expect(await store().remove('g', 'mine')).toMatch(/somebody else/);
    expect(await store().look('g')).toMatchObject({ text: 'his' });
  });
});

describe('a forged lock', () => {
  const lock = (holdMs: string): string =>
    `{"owner":"mallory","host":"adm9","pid":1,"stamp":"s","at":"x","holdMs":${holdMs},"purpose":"p","token":"t"}`;

  it.each(['1e300', '1e999', '-1', '"for ever"', 'null', '9007199254740993'])(
    'that is to be held %s ms is stale after the longest that a run takes',
    (holdMs) => {
      for (const ageMs of [0, 60_000, MOST_HOLD_MS])
        expect(msUntilStale({ text: lock(holdMs), ageMs })).toBeLessThanOrEqual(MOST_HOLD_MS - ageMs);
      expect(msUntilStale({ text: lock(holdMs), ageMs: Infinity })).toBe(0);
    },
  );

  it('one that a console made is held as long as it says', () => {
    expect(msUntilStale({ text: lock('300000'), ageMs: 60_000 })).toBe(240_000);
    expect(msUntilStale({ text: lock(String(MOST_HOLD_MS)), ageMs: 0 })).toBe(MOST_HOLD_MS);
  });
});
