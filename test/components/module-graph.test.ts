import { build } from 'esbuild';
import { expect, test } from 'vitest';

/** Every module of our own that a program can load, however lazily. */
const graph = async (...entries: string[]): Promise<string[]> => {
  const result = await build({
    entryPoints: entries,
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    outdir: 'dist',
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
    loader: { '.sh': 'text', '.py': 'text' },
  });
  return Object.keys(result.metafile.inputs);
};

test('the wall can load neither remedies nor dialogs nor keys', async () => {
  const modules = await graph('src/commands/wall.ts', 'src/threads/worker-readonly.ts');
  expect(modules).toContain('components/wall-lines.ts');
  const forbidden =
    /^src\/remedy\/|\/actions?[-.]|^src\/actions|^src\/worker\.ts|^components\/(dialogs\/|keys|tokens|console)/;
  expect(modules.filter((name) => forbidden.test(name))).toEqual([]);
});

test('the console itself loads no remedy: only its worker does', async () => {
  const modules = await graph('src/commands/console-on-sites.ts');
  expect(modules).toContain('components/dialogs/confirm/confirm.ts');
  expect(modules.filter((name) => /^src\/remedy\/|^src\/actions/.test(name))).toEqual([]);
});
