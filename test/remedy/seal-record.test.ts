import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sha256 } from '../../src/audit/audit-line.ts';
import { readAuditFile } from '../../src/audit/audit-read.ts';
import { createAuditLog, type AuditEntry } from '../../src/remedy/audit-log.ts';
import { sealAuditLog, type SealParts } from '../../src/remedy/audit-seal.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { intentEntry, resultEntry } from '../../src/remedy/records.ts';
import { preparedPlan, preparedTarget } from './prepared.ts';
import { node, operator, realTime, self } from './world.ts';

vi.mock('node:fs/promises', async (original) => {
  const all = await original<typeof import('node:fs/promises')>();
  return { ...all, mkdir: vi.fn(all.mkdir) };
});
afterEach(() => vi.restoreAllMocks());

const DAY = 24 * 3_600_000;
const T0 = Date.parse('2026-11-22T02:00:00.000Z');
const at = (now: number) => ({ ...realTime, now: () => now });

/** A folder with a log that was written at T0, or none; `seal` seals it so long after. */
const place = async (...entries: readonly AuditEntry[]) => {
  const folder = join(emptyFolder('seal'), 'state');
  mkdirSync(folder, { mode: 0o700 });
  const file = join(folder, 'audit.jsonl');
  const parts = { file, site: 'test', operator, console: self };
  const log = createAuditLog({ ...parts, clock: at(T0) });
  for (const entry of entries) await log.append(entry);
  const seal = async (afterMs = 1000, over: Partial<SealParts> = {}) => {
    const sealed = await sealAuditLog({
      ...parts,
      clock: at(T0 + afterMs),
      reason: 'why',
      whole: true,
      ...over,
    });
    if ('whole' in sealed) throw new Error(`${sealed.whole} records are whole`);
    return sealed;
  };
  return {
    folder,
    file,
    parts,
    seal,
    first: async () => (await readAuditFile(file)).records[0]?.detail ?? {},
  };
};

const target = (id: string) => preparedTarget({ subject: node(id) });
const begun = (run: string, id = 'n1'): AuditEntry => intentEntry(run, preparedPlan(), target(id), 'y', []);
const ended = (run: string, id = 'n1'): AuditEntry =>
  resultEntry(run, preparedPlan(), target(id), 'done', { text: 'done' });
const note: AuditEntry = { kind: 'note', detail: {} };
const refused: AuditEntry = { kind: 'refused', run: 'r-1', target: 'n1', action: 'a', detail: {} };

describe('what a seal takes along', () => {
  const carriedBy = async (afterMs: number, ...entries: readonly AuditEntry[]) => {
    const { seal, first } = await place(...entries);
    const { open } = await seal(afterMs);
    const carried = (await first())['carried'] as { kind: string; run?: string; target?: string }[];
    return { open, carried: carried.map(({ kind, run, target: id }) => `${kind} ${run} ${id}`) };
  };

  it('is what was begun in the last 24 hours, with all that was written of it', async () => {
    const all = [note, begun('r-1'), ended('r-1'), refused];
    expect(await carriedBy(DAY - 1, ...all)).toEqual({
      open: [],
      carried: ['intent r-1 n1', 'result r-1 n1'],
    });
    expect(await carriedBy(DAY, ...all)).toEqual({ open: [], carried: [] });
  });

  it('is what is open, however old, and of that only its own records', async () => {
    const all = [begun('r-1', 'n1'), begun('r-1', 'n2'), ended('r-1', 'n2'), begun('r-2', 'n3'), note];
    expect(await carriedBy(9 * DAY, ...all)).toEqual({
      open: ['fake.resume on n1', 'fake.resume on n3'],
      carried: ['intent r-1 n1', 'intent r-2 n3'],
    });
  });

  it('goes along from seal to seal, once each', async () => {
    const { seal, first } = await place(begun('r-1'));
    await seal();
    await seal();
    expect((await seal()).open).toEqual(['fake.resume on n1']);
    expect((await first())['carried']).toMatchObject([{ kind: 'intent', run: 'r-1' }]);
  });
});

describe('what a seal says of what it put away', () => {
  it('is the reason, and that there was no log where there was none', async () => {
    const { seal, first, folder } = await place();
    const sealed = await seal();
    expect(sealed).toMatchObject({ problems: [], open: [] });
    expect(sealed.folder).toBeUndefined();
    expect(await first()).toMatchObject({
      text: 'no log was sealed: why',
      reason: 'why',
      file: null,
      sha256: null,
      bytes: 0,
      records: 0,
      head: null,
      wrongCount: 0,
      carried: [],
    });
    expect(readdirSync(folder).some((name) => name.startsWith('sealed-'))).toBe(false);
  });

  it('is nothing where nothing was begun, and no file is made for it', async () => {
    const { parts, folder } = await place();
    expect(await sealAuditLog({ ...parts, clock: realTime, reason: 'why', whole: false })).toEqual({
      whole: 0,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is every fault up to twenty, and how many there are; of a head 400 characters', async () => {
    const { seal, first, file } = await place(...Array.from({ length: 30 }, () => note));
    writeFileSync(file, readFileSync(file, 'latin1').replaceAll('"note"', '"nite"'));
    writeFileSync(`${file}.head`, 'h'.repeat(500));
    const { problems } = await seal();
    expect(problems.length).toBeGreaterThanOrEqual(30);
    const detail = await first();
    expect(detail['wrong']).toEqual(problems.slice(0, 20));
    expect(detail).toMatchObject({
      wrongCount: problems.length,
      head: 'h'.repeat(400),
      file: 'sealed-1/audit.jsonl',
    });
  });

  it('is that the log is gone, where its head was left', async () => {
    const { seal, first, file, folder } = await place(note);
    rmSync(file);
    expect(await seal()).toMatchObject({ folder: join(folder, 'sealed-1') });
    expect(await first()).toMatchObject({ sha256: null, records: 0, file: 'sealed-1/audit.jsonl' });
    expect(readdirSync(join(folder, 'sealed-1'))).toEqual(['audit.jsonl.head']);
  });

  it('is why it could not be read: whatever stands in its place is put away', async () => {
    const { seal, first, file, folder } = await place(note);
    rmSync(file);
    mkdirSync(file);
    const { problems } = await seal();
    expect(problems).toEqual([
      { line: 0, text: expect.stringMatching(/^it could not be read: .*is a folder/) },
    ]);
    expect(await first()).toMatchObject({ sha256: null, bytes: 0, head: null, records: 0 });
    expect(statSync(join(folder, 'sealed-1', 'audit.jsonl')).isDirectory()).toBe(true);
    rmSync(file);
    symlinkSync('/nowhere', file);
    expect(await seal()).toMatchObject({ folder: join(folder, 'sealed-2') });
  });

  it('is that others could write it', async () => {
    const { parts, file } = await place(note);
    chmodSync(file, 0o666);
    const hash = sha256(readFileSync(file));
    const sealed = await sealAuditLog({ ...parts, clock: at(T0), reason: 'why', whole: false });
    expect(sealed).toMatchObject({
      record: { detail: { sha256: hash } },
      problems: [{ line: 0, text: expect.stringContaining('can be written by others') }],
    });
  });
});

describe('a seal', () => {
  it('is not made in a folder that others can write', async () => {
    const { seal, folder, file } = await place(note);
    chmodSync(folder, 0o777);
    await expect(seal()).rejects.toThrow('can be written by others (mode 777): chmod 700');
    expect(existsSync(file)).toBe(true);
  });

  it('makes folder and log for their owner alone, takes the next number, and is on the disk at each step', async () => {
    const synced: string[] = [];
    await using any = await open(process.execPath);
    const sync = async function (this: typeof any): Promise<void> {
      synced.push((await this.stat()).isDirectory() ? 'folder' : 'file');
    };
    const { seal, folder, file } = await place(note);
    mkdirSync(join(folder, 'sealed-4'));
    writeFileSync(join(folder, 'sealed-5'), '');
    vi.spyOn(Object.getPrototypeOf(any), 'sync').mockImplementation(sync as never);
    expect(await seal()).toMatchObject({ folder: join(folder, 'sealed-6') });
    expect(statSync(join(folder, 'sealed-6')).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    // The copy of what was begun; both folders of the move; the log, its name, its head, its name.
    expect(synced).toEqual(['file', 'folder', 'folder', 'file', 'folder', 'file', 'folder']);
  });

  it('leaves a folder to whoever made it a moment before; that none can be made is told', async () => {
    const { seal, folder, file } = await place(note);
    const fails = (code: string) => Object.assign(new Error(`${code}: mkdir`), { code });
    vi.mocked(mkdir).mockRejectedValueOnce(fails('EEXIST'));
    expect(await seal()).toMatchObject({ folder: join(folder, 'sealed-2') });
    vi.mocked(mkdir).mockRejectedValueOnce(fails('EACCES'));
    await expect(seal()).rejects.toThrow('EACCES: mkdir');
    expect(existsSync(file)).toBe(true);
  });

  it('of a whole log is made only when asked for', async () => {
    const { parts, file } = await place(note, note);
    const before = readFileSync(file);
    expect(await sealAuditLog({ ...parts, clock: realTime, reason: 'why', whole: false })).toEqual({
      whole: 2,
    });
    expect(readFileSync(file)).toEqual(before);
  });
});
