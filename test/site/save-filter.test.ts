import { chmod, lstat, mkdtemp, mkdir, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { saveFilter, withFilter } from '../../src/site/save-filter.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'save-filter-'));
});

describe('the text of the settings with a filter more', () => {
  test.each([
    ['an empty file', '', 'filters:\n  gpu: "node7 !down"\n'],
    ['no filters', '# mine\ntheme: light', '# mine\ntheme: light\nfilters:\n  gpu: "node7 !down"\n'],
    [
      'no filters yet',
      'filters: # none\ntheme: light\n',
      'filters: # none\n  gpu: "node7 !down"\ntheme: light\n',
    ],
    [
      'others, with comments and a space of their own',
      'filters:\n    # alice\n    one: node7  # seven\n\n# colours\ntheme: light\n',
      'filters:\n    # alice\n    one: node7  # seven\n    gpu: "node7 !down"\n\n# colours\ntheme: light\n',
    ],
    [
      'one of that name',
      "filters:\n  gpu: 'old'  # of bob\n  two: x\n",
      'filters:\n  gpu: "node7 !down"  # of bob\n  two: x\n',
    ],
  ])('%s', (_, before, after) => {
    expect(withFilter(before, 'gpu', 'node7 !down')).toBe(after);
  });

  test.each([
    ['in brackets', 'filters: {one: node7}\n'],
    ['no map at all', '- a\n'],
    ['filters that are none', 'filters: 7\n'],
    ['broken', 'theme: "light\n'],
    ['an end that nothing follows', 'theme: light\n...\n'],
  ])('what is written otherwise is left alone: %s', (_, before) => {
    expect(() => withFilter(before, 'gpu', 'x')).toThrow(
      /not understood|form that this console does not edit/,
    );
  });

  test('a filter of any plain text is read back as it is', () => {
    const odd = 'a: b # "c" \\ \'d\' ü';
    expect(withFilter(withFilter('', 'x', odd), 'x', 'y')).toBe('filters:\n  x: "y"\n');
    expect(withFilter('', 'x', odd)).toContain(JSON.stringify(odd));
  });
});

describe('the file', () => {
  test('is made with its folder where there is none, for its owner alone', async () => {
    const file = join(folder, 'faultline', 'config.yaml');
    await saveFilter(file, 'gpu', 'node7');
    expect(await readFile(file, 'utf8')).toBe('filters:\n  gpu: "node7"\n');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('keeps its mode, and stays where a link leads', async () => {
    const real = join(folder, 'dotfiles.yaml');
    await writeFile(real, 'theme: light\n');
    await chmod(real, 0o644);
    const file = join(folder, 'config.yaml');
    await symlink(real, file);
    await saveFilter(file, 'gpu', 'node7');
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    expect(await readFile(real, 'utf8')).toBe('theme: light\nfilters:\n  gpu: "node7"\n');
    expect((await stat(real)).mode & 0o777).toBe(0o644);
    expect(await readdir(folder)).toEqual(['config.yaml', 'dotfiles.yaml']);
  });

  test('that can not be changed from here stays byte for byte, and what to write by hand is said', async () => {
    const file = join(folder, 'config.yaml');
    await writeFile(file, Buffer.from('theme: light # \xfc\n', 'latin1'));
    const before = await readFile(file);
    await expect(saveFilter(file, 'gpu', 'node7')).rejects.toThrow(
      `no UTF-8; write into ${file}, under "filters:": gpu: "node7"`,
    );
    expect(await readFile(file)).toEqual(before);
    await mkdir(join(folder, 'x.yaml'));
    await expect(saveFilter(join(folder, 'x.yaml'), 'gpu', 'node7')).rejects.toThrow('is a folder');
  });

  test('a name or a filter that the settings would refuse is not written', async () => {
    const file = join(folder, 'config.yaml');
    await expect(saveFilter(file, '7up', 'node7')).rejects.toThrow('"7up" is not a good name');
    await expect(saveFilter(file, 'gpu', '')).rejects.toThrow('is empty');
    expect(await readdir(folder)).toEqual([]);
  });
});
