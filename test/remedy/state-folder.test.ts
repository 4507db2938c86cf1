import { chmodSync, statfsSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { folderProblem, logPlaceOf, sealCommand } from '../../src/remedy/state-folder.ts';
import { emptyFolder } from '../helpers/folder.ts';

vi.mock('node:fs/promises', async (original) => {
  const all = await original<typeof import('node:fs/promises')>();
  return { ...all, statfs: vi.fn(all.statfs) };
});
afterEach(() => vi.mocked(statfs).mockClear());

/** A folder of 0700 with these files of 0600 in it. */
const folderOf = (...names: readonly string[]): { folder: string; file: string } => {
  const folder = emptyFolder('state');
  chmodSync(folder, 0o700);
  for (const name of names) writeFileSync(join(folder, name), '', { mode: 0o600 });
  return { folder, file: join(folder, 'audit.jsonl') };
};

describe('which audit log this is', () => {
  it('is told by its place and by its head, whose file lasts as long as the log', async () => {
    const { file } = folderOf('audit.jsonl.head');
    const { ino, birthtimeNs } = statSync(`${file}.head`, { bigint: true });
    expect(await logPlaceOf(file)).toEqual({ file, id: `${ino}-${birthtimeNs}` });
    expect(String(birthtimeNs)).toMatch(/^\d{16,}$/);
  });

  it('is not told without a head, nor where there is no log at all', async () => {
    const { folder, file } = folderOf('.head');
    expect(await logPlaceOf(file)).toBeUndefined();
    const before = process.cwd();
    process.chdir(folder);
    try {
      expect(await logPlaceOf('')).toBeUndefined();
    } finally {
      process.chdir(before);
    }
  });
});

it('the command that seals a log names it as a word of the shell, and --whole only where it is whole', () => {
  expect(sealCommand("/it's/audit.jsonl")).toBe(
    `faultline audit seal --file '/it'\\''s/audit.jsonl' --reason "why"`,
  );
  expect(sealCommand('/a', true)).toMatch(/^faultline audit seal --file '?\/a'? --whole --reason "why"$/);
});

describe('records can be written', () => {
  it('into a folder and files of our own, be they there yet or not', async () => {
    const { file } = folderOf();
    expect(await folderProblem(file)).toBeUndefined();
    const all = folderOf('audit.jsonl', 'audit.jsonl.head', 'begun.jsonl');
    expect(await folderProblem(all.file)).toBeUndefined();
  });

  it('not into a file, nor where there is no folder', async () => {
    const { folder } = folderOf('plain');
    expect(await folderProblem(join(folder, 'plain', 'audit.jsonl'))).toBe(
      `${join(folder, 'plain')} is not a folder: move it away`,
    );
    await expect(folderProblem(join(folder, 'none', 'audit.jsonl'))).rejects.toThrow('ENOENT');
  });

  it.each(['audit.jsonl', 'audit.jsonl.head', 'begun.jsonl'])(
    'not where %s can be written by others, unless only the folder is asked about',
    async (name) => {
      const { folder, file } = folderOf(name);
      for (const mode of [0o620, 0o602]) {
        chmodSync(join(folder, name), mode);
        expect(await folderProblem(file)).toContain(
          `${join(folder, name)} can be written by others (mode ${mode.toString(8)}): chmod 600 `,
        );
        expect(await folderProblem(file, false)).toBeUndefined();
      }
      // Others may read it: that forges nothing.
      chmodSync(join(folder, name), 0o644);
      expect(await folderProblem(file)).toBeUndefined();
    },
  );

  it('what is no regular file is left to whoever reads it; what cannot be asked about is thrown', async () => {
    const { folder, file } = folderOf();
    const { symlink } = await import('node:fs/promises');
    await symlink(folder, file);
    expect(await folderProblem(file)).toBeUndefined();
    unlinkSync(file);
    await symlink(file, file);
    await expect(folderProblem(file)).rejects.toThrow('ELOOP');
  });

  it('only while the disk has room for the records of an act: 256 KiB', async () => {
    const { folder, file } = folderOf();
    const room = (bytes: number) => {
      const found = { ...statfsSync(folder), bavail: bytes / 1024, bsize: 1024 };
      vi.mocked(statfs).mockResolvedValueOnce(found as never);
      return folderProblem(file);
    };
    expect(await room(256 * 1024)).toBeUndefined();
    expect(await room(255 * 1024)).toBe(`the disk that holds ${folder} is full: free some room`);
  });
});
