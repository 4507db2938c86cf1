import { execFile } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { FIRST_PREV, sha256 } from '../../src/audit/audit-line.ts';
import { createAuditLog, type AuditLog } from '../../src/remedy/audit-log.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { fullDisk } from './full-disk.ts';
import { operator, realTime, self } from './world.ts';

let folder: string;
let file: string;
let log: AuditLog;
beforeEach(() => {
  folder = emptyFolder('audit');
  file = join(folder, 'site', 'audit.jsonl');
  log = createAuditLog({ file, site: 'test', operator, console: self, clock: realTime });
});

const note = (text: unknown) => log.append({ kind: 'note', detail: { text } });
const read = () => readFileSync(file, 'utf8');

describe('the audit log on disk', () => {
  it('chains, numbers and verifies its records, in a file for its owner alone', async () => {
    for (const text of ['a', 'b', 'c']) expect(await note(text)).toMatchObject({ ok: true });
    const { records, problems } = await log.read();
    expect(problems).toEqual([]);
    expect(records.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(records[0]?.prev).toBe(FIRST_PREV);
    expect(records[1]?.prev).toBe(sha256(read().split('\n')[0] ?? ''));
    expect(records[2]).toMatchObject({
      operator: 'alice',
      uid: 1000,
      site: 'test',
      console: { pid: process.pid },
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'site')).mode & 0o777).toBe(0o700);
  });

  it('an empty or missing log verifies', async () => {
    expect((await log.read()).problems).toEqual([]);
  });

  it('is harmless to `cat` whatever it holds', async () => {
    const hostile = '\u001b]0;x\u0007 \u009b31m \u202e\u200b\u2028 \u{e0041} \udc80 \r\n \u007f é "\\';
    await note(hostile);
    expect(read()).toMatch(/^[\x20-\x7e]+\n$/);
    expect((await log.read()).records[0]?.detail['text']).toBe(hostile);
  });

  it('appends at once from several writers make one chain', async () => {
    const other = createAuditLog({ file, site: 'test', operator, console: self, clock: realTime });
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, at) => (at % 2 ? log : other).append({ kind: 'note', detail: { at } })),
    );
    expect(all.filter(({ ok }) => !ok)).toEqual([]);
    const { records, problems } = await log.read();
    expect(problems).toEqual([]);
    expect(new Set(records.map(({ detail }) => detail['at'])).size).toBe(40);
  });

  it('appends from two processes make one chain', async () => {
    const script = new URL('./audit-child.ts', import.meta.url).pathname;
    const run = () => promisify(execFile)(process.execPath, [script, file, '25']);
    await Promise.all([run(), run()]);
    const { records, problems } = await log.read();
    expect(problems).toEqual([]);
    expect(records).toHaveLength(50);
    expect(new Set(records.map(({ console }) => console.pid)).size).toBe(2);
  });

  it('says why it cannot be written, and leaves no half line', async () => {
    await note('a');
    const before = read();
    const mended = await fullDisk();
    expect(await note('b')).toMatchObject({ ok: false, reason: expect.stringContaining('ENOSPC') });
    expect(log.problem()).toContain('ENOSPC');
    mended();
    expect(read()).toBe(before);
    expect(await note('c')).toMatchObject({ ok: true, record: { seq: 2 } });
    expect((await log.read()).problems).toEqual([]);
  });

  it('gives up on a disk that does not answer', async () => {
    const slow = createAuditLog({ file, site: 't', operator, console: self, clock: realTime, deadlineMs: 0 });
    expect(await slow.append({ kind: 'note', detail: {} })).toMatchObject({
      ok: false,
      reason: expect.stringContaining('did not answer'),
    });
    // What was begun goes on and keeps its thread: nothing is put on top of it.
    expect(await slow.append({ kind: 'note', detail: {} })).toMatchObject({
      ok: false,
      reason: expect.stringContaining('the disk still does not answer'),
    });
    await expect.poll(() => existsSync(file) && read().endsWith('\n')).toBe(true);
    expect((await log.read()).records).toHaveLength(1);
  });

  it('a line cut short by a crash is kept, told of, and goes on', async () => {
    await note('a');
    appendFileSync(file, '{"seq":2,"at":"20');
    expect((await log.read()).problems[0]).toMatchObject({
      line: 2,
      text: expect.stringContaining('cut short'),
    });
    expect(await note('b')).toMatchObject({ ok: true, record: { seq: 4 } });
    const { problems, notes, records } = await log.read();
    expect(problems).toEqual([]);
    expect(notes).toMatchObject([{ line: 2 }]);
    expect(records.map(({ seq }) => seq)).toEqual([1, 3, 4]);
  });

  it('the head may be one record behind: killed between the two writes', async () => {
    await note('a');
    const head = readFileSync(`${file}.head`);
    await note('b');
    writeFileSync(`${file}.head`, head);
    expect((await log.read()).problems).toEqual([]);
    expect(await note('c')).toMatchObject({ ok: true });
    expect((await log.read()).problems).toEqual([]);
  });

  it('lines cut off at the end are found by the head, and a missing head is said', async () => {
    for (const text of ['a', 'b', 'c', 'd']) await note(text);
    const lines = read().split('\n');
    writeFileSync(file, `${lines.slice(0, 2).join('\n')}\n`);
    expect((await log.read()).problems).toMatchObject([
      { line: 2, text: expect.stringContaining('2 records are missing') },
    ]);
    rmSync(`${file}.head`);
    expect((await log.read()).problems).toMatchObject([{ text: expect.stringContaining('head file') }]);
  });
});

describe('reading on', () => {
  it('finds what others appended, and damage to the part that was read before when read in full', async () => {
    await note('a');
    await note('b');
    expect((await log.read()).records).toHaveLength(2);
    const other = createAuditLog({ file, site: 'test', operator, console: self, clock: realTime });
    await other.append({ kind: 'note', detail: { text: 'c' } });
    expect((await log.read()).records.map(({ detail }) => detail['text'])).toEqual(['a', 'b', 'c']);
    expect((await log.read()).problems).toEqual([]);
    writeFileSync(file, read().replace('"text":"a"', '"text":"x"'));
    expect((await log.read(true)).problems).toMatchObject([{ line: 1 }, { line: 2 }]);
  });

  it('nothing is written after a removed log: it would look like a new one', async () => {
    for (const text of ['a', 'b', 'c']) await note(text);
    rmSync(file);
    expect(await note('d')).toMatchObject({ ok: false, reason: expect.stringContaining('the log is gone') });
    expect(existsSync(file)).toBe(false);
    expect((await log.read()).problems).toEqual([
      { line: 0, text: 'the log is gone: its head names record 3' },
    ]);
  });

  it('finds a log that was cut off or replaced', async () => {
    for (const text of ['a', 'b', 'c']) await note(text);
    await log.read();
    writeFileSync(file, `${read().split('\n').slice(0, 2).join('\n')}\n`);
    expect((await log.read()).problems.length).toBeGreaterThan(0);
    rmSync(file);
    expect((await log.read()).problems.length).toBeGreaterThan(0);
  });
});
