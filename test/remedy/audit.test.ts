import { execFile } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { asciiJson, decodeLine, encodeLine, FIRST, sha256 } from '../../src/audit/audit-line.ts';
import type { AuditHead } from '../../src/audit/audit-head.ts';
import { verifyLog } from '../../src/audit/audit-verify.ts';
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

/** A log of n records with its head, without a disk. */
const sample = (count: number): { text: string; head: AuditHead } => {
  let prev = FIRST;
  const lines = Array.from({ length: count }, (_, index) => {
    const line = encodeLine({
      seq: index + 1,
      at: '2026-11-20T02:00:00.000Z',
      monoMs: index,
      prev,
      kind: 'note',
      operator: 'alice',
      uid: 1,
      console: { host: 'h', pid: 1, version: '0' },
      site: 's',
      detail: { text: `record ${index + 1}` },
    });
    prev = sha256(line);
    return line;
  });
  return { text: lines.map((line) => `${line}\n`).join(''), head: { seq: count, lineHash: prev } };
};

describe('the audit log on disk', () => {
  it('chains, numbers and verifies its records, in a file for its owner alone', async () => {
    for (const text of ['a', 'b', 'c']) expect(await note(text)).toMatchObject({ ok: true });
    const { records, problems } = await log.read();
    expect(problems).toEqual([]);
    expect(records.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    expect(records[0]?.prev).toBe(FIRST);
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

describe('verifyLog', () => {
  const { text, head } = sample(6);
  const lines = text.trimEnd().split('\n');
  const join_ = (some: readonly string[]) => some.map((line) => `${line}\n`).join('');

  it('passes an untouched log', () => {
    expect(verifyLog(text, head).problems).toEqual([]);
    expect(verifyLog('', undefined).problems).toEqual([]);
  });

  it('property: one changed byte anywhere is found, in its line', () => {
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.integer({ min: 0x20, max: 0x7e }), (at, code) => {
        const byte = String.fromCharCode(code);
        if (text[at] === byte) return;
        const { problems } = verifyLog(text.slice(0, at) + byte + text.slice(at + 1), head);
        expect(problems.length).toBeGreaterThan(0);
        const line = text.slice(0, at).split('\n').length;
        expect(problems.some((one) => one.line === line || one.line === line + 1)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('property: deleted lines are found', () => {
    fc.assert(
      fc.property(fc.nat(5), fc.integer({ min: 1, max: 6 }), (from, count) => {
        const { problems } = verifyLog(join_(lines.toSpliced(from, count)), head);
        expect(problems.length).toBeGreaterThan(0);
      }),
    );
  });

  it('property: lines in another order, or there twice, are found', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(lines, { minLength: 6 }), (order) => {
        if (order.every((line, at) => line === lines[at])) return;
        expect(verifyLog(join_(order), head).problems.length).toBeGreaterThan(0);
      }),
    );
    expect(verifyLog(join_([...lines.slice(0, 3), ...lines.slice(2)]), head).problems[0]?.line).toBe(4);
  });

  it('names deletion, edit, reorder and truncation', () => {
    expect(verifyLog(join_(lines.toSpliced(2, 1)), head).problems[0]).toEqual({
      line: 3,
      text: 'record 3 is missing before it',
    });
    expect(verifyLog(join_(lines.toSpliced(1, 3)), head).problems[0]?.text).toBe(
      'records 2 to 4 are missing before it',
    );
    expect(verifyLog(text.replace('record 6', 'record 7'), head).problems[0]).toEqual({
      line: 6,
      text: 'was changed after it was written',
    });
    expect(verifyLog(text.slice(0, -30), head).problems[0]).toMatchObject({
      line: 6,
      text: expect.stringContaining('cut short'),
    });
  });

  it('a rewritten line with a right hash of its own breaks the chain', () => {
    const decoded = decodeLine(lines[2] ?? '');
    if (typeof decoded === 'string') throw new Error(decoded);
    const { hash: _, ...content } = decoded;
    const forged = encodeLine({ ...content, detail: { text: 'nothing happened' } });
    expect(verifyLog(join_(lines.with(2, forged)), head).problems).toEqual([
      { line: 4, text: 'does not follow from the line before it, which was changed or replaced' },
    ]);
  });
});

describe('asciiJson', () => {
  it('property: printable ASCII only, and the same value again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const text = asciiJson({ value });
        expect(text).toMatch(/^[\x20-\x7e]*$/);
        expect(JSON.parse(text)).toEqual({ value });
      }),
    );
  });

  it('writes 64-bit counters as text', () => {
    expect(asciiJson({ frames: 18446744073709551615n })).toBe('{"frames":"18446744073709551615"}');
  });
});
