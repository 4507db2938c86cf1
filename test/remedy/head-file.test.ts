import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { link, open, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EMPTY_HEAD, encodeHead } from '../../src/audit/audit-head.ts';
import { beginHead, syncFolder, writeHead } from '../../src/remedy/head-file.ts';
import { emptyFolder } from '../helpers/folder.ts';

vi.mock('node:fs/promises', async (original) => {
  const all = await original<typeof import('node:fs/promises')>();
  return { ...all, link: vi.fn(all.link) };
});

/** What was made sure to be on the disk: `folder`, or the text of a file. */
let synced: string[];
beforeEach(async () => {
  synced = [];
  await using any = await open(process.execPath);
  const sync = async function (this: FileHandle): Promise<void> {
    const isFile = (await this.stat()).isFile();
    synced.push(isFile ? readFileSync(`/proc/self/fd/${this.fd}`, 'latin1') : 'folder');
  };
  vi.spyOn(Object.getPrototypeOf(any), 'sync').mockImplementation(sync as never);
});
afterEach(() => vi.restoreAllMocks());

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('the head of an audit log', () => {
  it('comes first where nothing was begun, for its owner alone, and leaves no draft', async () => {
    const folder = emptyFolder('head');
    await beginHead(join(folder, 'audit.jsonl'));
    expect(readdirSync(folder)).toEqual(['audit.jsonl.head']);
    expect(readFileSync(join(folder, 'audit.jsonl.head'), 'latin1')).toBe(encodeHead(EMPTY_HEAD));
    expect(modeOf(join(folder, 'audit.jsonl.head'))).toBe(0o600);
  });

  it('is on the disk before it has its name, and when it is written over', async () => {
    const file = join(emptyFolder('head'), 'audit.jsonl');
    const before: string[] = [];
    vi.mocked(link).mockImplementationOnce(async () => void before.push(...synced));
    await beginHead(file);
    expect(before).toEqual([encodeHead(EMPTY_HEAD)]);
    await writeHead(file, 'another\n');
    expect(synced.at(-1)).toBe('another\n');
    await syncFolder(file);
    expect(synced.at(-1)).toBe('folder');
  });

  it('that a folder does not take is told, and leaves no draft', async () => {
    const file = join(emptyFolder('head'), 'audit.jsonl');
    vi.mocked(link).mockRejectedValueOnce(
      Object.assign(new Error('EPERM: no links here'), { code: 'EPERM' }),
    );
    await expect(beginHead(file)).rejects.toThrow('EPERM');
    expect(readdirSync(dirname(file))).toEqual([]);
    // Somebody who cleared the folder up meanwhile is no problem.
    vi.mocked(link).mockImplementationOnce((draft) => rm(String(draft)));
    await expect(beginHead(file)).resolves.toBeUndefined();
  });

  it('of two that begin at once one makes it, and the other goes by that', async () => {
    const folder = emptyFolder('head');
    const file = join(folder, 'audit.jsonl');
    await Promise.all([beginHead(file), beginHead(file), beginHead(file)]);
    expect(readdirSync(folder)).toEqual(['audit.jsonl.head']);
  });

  it('is not made anew beside a log that has lost it: that would make the log look begun now', async () => {
    const folder = emptyFolder('head');
    const file = join(folder, 'audit.jsonl');
    writeFileSync(file, 'a line\n');
    await beginHead(file);
    expect(readdirSync(folder)).toEqual(['audit.jsonl']);
  });

  it('is written over in place, whole, be the new one shorter', async () => {
    const file = join(emptyFolder('head'), 'audit.jsonl');
    await writeHead(file, 'a long head that stood here before\n');
    expect(modeOf(`${file}.head`)).toBe(0o600);
    await writeHead(file, 'short\n');
    expect(readFileSync(`${file}.head`, 'latin1')).toBe('short\n');
    await writeHead(file, EMPTY_HEAD);
    expect(readFileSync(`${file}.head`, 'latin1')).toBe(encodeHead(EMPTY_HEAD));
  });
});
