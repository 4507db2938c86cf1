import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseHead } from '../../src/audit/audit-head.ts';
import { readAuditFile } from '../../src/audit/audit-read.ts';
import type { Mark } from '../../src/audit/audit-verify.ts';
import { createAuditLog, damageText, noAuditLog, type AuditParts } from '../../src/remedy/audit-log.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { operator, realTime, self } from './world.ts';

afterEach(() => vi.restoreAllMocks());

/** A log in a folder of its own; `waits`: the deadlines of what was waited for. */
const logOf = (over: Partial<AuditParts> = {}) => {
  const file = over.file ?? join(emptyFolder('audit'), 'audit.jsonl');
  const waits: number[] = [];
  const sleep: AuditParts['clock']['sleep'] = (ms, signal) => {
    waits.push(ms);
    return realTime.sleep(ms, signal);
  };
  const clock = { ...realTime, sleep };
  const log = createAuditLog({ file, site: 'test', operator, console: self, clock, ...over });
  return { file, log, waits, note: (text = 'x') => log.append({ kind: 'note', detail: { text } }) };
};

/** The copy of the head elsewhere: `lost` is why the log is not the one it is of. */
const copyOf = (lost?: string) => {
  const state = { lost, wrote: [] as (readonly Mark[])[] };
  const copy = {
    read: async () => undefined,
    findLost: async () => state.lost,
    write: async (marks: readonly Mark[]) => void state.wrote.push(marks),
    warnings: () => ['the copy was not read'],
  };
  return { state, copy };
};

it('a machine without a place for a log can do nothing, and says why at every question', async () => {
  const log = noAuditLog('no $HOME');
  const reason = 'audit log cannot be written: no $HOME';
  expect(await log.append({ kind: 'note', detail: {} })).toEqual({ ok: false, reason });
  expect((await log.read()).problems).toEqual([{ line: 0, text: reason }]);
  expect([await log.check(), log.problem(), log.warnings()]).toEqual([reason, reason, []]);
});

it('what is wrong is told by the first fault, how many more there are, and how to go on', () => {
  const then =
    '; look at it (faultline audit verify), then go on with a new one: faultline audit seal --file /a --reason "why"';
  const problem = (line: number) => ({ line, text: 'was changed' });
  expect(damageText('/a', [problem(3)])).toBe(`/a: line 3 was changed${then}`);
  expect(damageText('/a', [problem(3), problem(4)])).toBe(`/a: line 3 was changed (and 1 more)${then}`);
  expect(damageText('/a', [problem(3), problem(4), problem(5)])).toContain('(and 2 more)');
  expect(damageText('/a', [])).toBe(`/a: it is not whole${then}`);
});

describe('the disk', () => {
  it('is waited for two seconds, and ten when the log is read', async () => {
    const { log, waits, note } = logOf();
    await note();
    expect(waits).toEqual([10_000, 2_000]);
    await note();
    expect(waits).toEqual([10_000, 2_000, 2_000]);
    await log.read();
    expect(waits.at(-1)).toBe(10_000);
  });

  it('that gives no log is told as such, and what stands in its place', async () => {
    const { log, file } = logOf();
    mkdirSync(file);
    await expect(log.read()).rejects.toThrow('EISDIR');
    expect(log.problem()).toMatch(
      /^audit log cannot be read: \S+ is a folder .*\(EISDIR\); look at it .*audit seal/,
    );
    expect(await log.check()).toMatch(/^audit log cannot be written: .*audit seal --file/);
    rmSync(file, { recursive: true });
    const gone = logOf({ file: join(file, 'no-folder', 'audit.jsonl') });
    writeFileSync(file, '');
    expect(await gone.log.check()).toMatch(/^audit log cannot be written: ENOTDIR/);
    expect(gone.log.problem()).not.toContain('audit seal');
  });

  it('has the first record’s name in its folder before that record counts, and later records alone', async () => {
    const synced: boolean[] = [];
    await using any = await open(process.execPath);
    const sync = async function (this: typeof any): Promise<void> {
      synced.push((await this.stat()).isDirectory());
    };
    vi.spyOn(Object.getPrototypeOf(any), 'sync').mockImplementation(sync as never);
    const { note } = logOf();
    await note();
    expect(synced.filter(Boolean)).toHaveLength(1);
    await note();
    expect(synced.filter(Boolean)).toHaveLength(1);
    expect(synced.length).toBeGreaterThanOrEqual(4);
  });
});

describe('what is wrong with the log', () => {
  it('is known from the reading on, and gone when it is whole again', async () => {
    const { log, file, note } = logOf();
    await note('a');
    await note('b');
    const whole = readFileSync(file);
    truncateSync(file);
    await log.read();
    expect(log.problem()).toMatch(/^the audit log is damaged: .*the log is empty/);
    expect(await log.check()).toBe(log.problem());
    expect(await note()).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^the audit log is damaged: /),
    });
    writeFileSync(file, whole);
    expect(await log.check()).toBeUndefined();
    expect(log.problem()).toBeUndefined();
  });

  it('includes that a copy elsewhere knows of more: nothing is written then, nor copied over it', async () => {
    const { state, copy } = copyOf();
    const { log, file, note } = logOf({ copy });
    await note();
    state.lost = 'admin1 knows of its record 9';
    const said = `the audit log is damaged: ${file}: admin1 knows of its record 9; if that is right: faultline audit seal --file ${file} --whole --reason "why"`;
    await log.publish();
    expect(state.wrote).toEqual([]);
    expect(await note()).toEqual({ ok: false, reason: said });
    expect(await log.check()).toBe(said);
    expect(log.problem()).toBe(said);
    state.lost = undefined;
    expect(await log.check()).toBeUndefined();
    expect(await note()).toMatchObject({ ok: true });
    await log.publish();
    expect(state.wrote.at(-1)?.map(({ seq }) => seq)).toEqual([1, 2]);
  });
});

describe('copies of heads', () => {
  it('are made of what was begun while it goes on, and of nothing else before its end', async () => {
    const { state, copy } = copyOf();
    const { log, note } = logOf({ copy });
    await note();
    await new Promise(setImmediate);
    await log.append({ kind: 'intent', detail: {} });
    await vi.waitFor(() => expect(state.wrote).toHaveLength(1));
    expect(state.wrote[0]?.map(({ seq }) => seq)).toEqual([1, 2]);
  });

  it('are not made of what could not be written', async () => {
    const { state, copy } = copyOf();
    const { log, note } = logOf({ copy });
    await note();
    state.lost = 'gone';
    await log.check();
    expect(await log.append({ kind: 'intent', detail: {} })).toMatchObject({ ok: false });
    state.lost = undefined;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(state.wrote).toEqual([]);
  });

  it('that went wrong are told, of the folder and of the syslog', () => {
    const { copy } = copyOf();
    const syslog = { write: async () => undefined, warnings: () => ['the syslog did not take it'] };
    expect(logOf({ copy, syslog }).log.warnings()).toEqual([
      'the copy was not read',
      'the syslog did not take it',
    ]);
    expect(logOf().log.warnings()).toEqual([]);
  });
});

it('a log in another place begins with why it is there, once', async () => {
  const moved = vi.fn(async () => ({ movedFrom: '/home' }));
  const { log, note } = logOf({ describeMove: moved });
  await note('a');
  await note('b');
  expect((await log.read()).records.map(({ detail }) => detail)).toEqual([
    { movedFrom: '/home' },
    { text: 'a' },
    { text: 'b' },
  ]);
  expect(moved).toHaveBeenCalledTimes(1);
});

it('a log of the version before, whose head tells no bytes, is accepted once and begins what it lacks', async () => {
  const { file, note } = logOf();
  await note('a');
  const { seq, lineHash } = parseHead(readFileSync(`${file}.head`, 'latin1')) ?? { seq: 0, lineHash: '' };
  writeFileSync(`${file}.head`, `${String(seq).padStart(12, '0')} ${lineHash}\n`);
  const begun = join(file, '..', 'begun.jsonl');
  rmSync(begun);
  const later = logOf({ file });
  expect(await later.log.check()).toBeUndefined();
  expect(existsSync(begun)).toBe(true);
  expect(parseHead(readFileSync(`${file}.head`, 'latin1'))?.point?.bytes).toBe(readFileSync(file).length);
  expect(await later.note('b')).toMatchObject({ ok: true, record: { seq: 2 } });
});

describe('a record', () => {
  it('names the process with its namespaces and machine, where it has them, and is read back as written', async () => {
    const { spaces: _, machine: __, ...bare } = self;
    for (const console of [bare, { ...bare, spaces: 'pid:[1]' }, { ...bare, machine: 'm' }]) {
      const { log, note } = logOf({ console });
      await note();
      const { records, problems } = await log.read(true);
      expect(problems).toEqual([]);
      expect(records[0]?.console).toEqual(console);
    }
  });

  it('that could not be read back is not written', async () => {
    const { file, note } = logOf({ operator: { name: 'alice', uid: Number.NaN } });
    expect(await note()).toMatchObject({
      ok: false,
      reason: 'audit log cannot be written: an audit record that is not a record: uid is wrong',
    });
    expect(existsSync(file) && readFileSync(file, 'utf8') !== '').toBe(false);
  });

  it('after lines that a crash cut short tells of the last one only, which stays as it is', async () => {
    const { file, note } = logOf();
    await note('a');
    await note('b');
    appendFileSync(file, '{"seq":3,"at":"20');
    await note('c');
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(lines[2]).toBe('{"seq":3,"at":"20');
    const { records, problems, notes } = await readAuditFile(file);
    expect(problems).toEqual([]);
    expect(records.map(({ seq }) => seq)).toEqual([1, 2, 4, 5]);
    expect(records[2]?.detail).toEqual({ text: 'line 3 was cut short by a crash', tornLine: 3 });
    expect(notes.map(({ line }) => line)).toEqual([3]);
    await note('d');
    expect((await readAuditFile(file)).problems).toEqual([]);
  });
});
