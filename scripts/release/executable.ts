import { chmodSync, copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { run } from './run.ts';

/** What Node calls an architecture, and what Debian and RPM call it. */
export const architectures = {
  x64: { deb: 'amd64', rpm: 'x86_64' },
  arm64: { deb: 'arm64', rpm: 'aarch64' },
} as const;
export type Architecture = keyof typeof architectures;

/** The mark in Node's own binary that says whether something is packed into it (nodejs.org/api/single-executable-applications.html). */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/**
 * Node of another architecture, in the version that runs here, from the registry that this project is installed from; npm holds what it
 * gets against the registry's checksum.
 */
const nodeFor = (architecture: Architecture, work: string): string => {
  if (architecture === process.arch) return process.execPath;
  const folder = join(work, `node-${architecture}`);
  mkdirSync(folder);
  const name = `node-linux-${architecture}@${process.versions.node}`;
  const [archive = ''] = run('npm', ['pack', '--silent', '--pack-destination', folder, name])
    .trim()
    .split('\n');
  run('tar', ['-xzf', join(folder, archive), '-C', folder, 'package/bin/node']);
  return join(folder, 'package/bin/node');
};

/** The files of the bundle, and how a thread begins, as they lie in the executable: name to path. */
const packedFiles = (bundle: string, work: string): Record<string, string> => ({
  ...Object.fromEntries(
    readdirSync(bundle)
      .filter((name) => name.endsWith('.mjs'))
      .map((name) => [name, join(bundle, name)]),
  ),
  'packed-thread.mjs': join(work, 'packed-thread.mjs'),
});

/** The file that is put into each executable; the same for all architectures, since it holds no compiled code. */
export const packBundle = async (bundle: string, work: string): Promise<string> => {
  const common = { bundle: true, platform: 'node', target: 'node24', minify: true } as const;
  await build({
    ...common,
    entryPoints: ['src/packed/start.ts'],
    format: 'cjs',
    outfile: join(work, 'packed-start.cjs'),
  });
  await build({
    ...common,
    entryPoints: ['src/packed/start.ts'],
    format: 'esm',
    outfile: join(work, 'packed-thread.mjs'),
  });
  const packed = join(work, 'packed.blob');
  writeFileSync(
    join(work, 'packed.json'),
    JSON.stringify({
      main: join(work, 'packed-start.cjs'),
      output: packed,
      disableExperimentalSEAWarning: true,
      assets: packedFiles(bundle, work),
    }),
  );
  run(process.execPath, ['--experimental-sea-config', join(work, 'packed.json')]);
  return packed;
};

/** One file that needs no Node on the machine. */
export const makeExecutable = (
  architecture: Architecture,
  packed: string,
  file: string,
  work: string,
): void => {
  copyFileSync(nodeFor(architecture, work), file);
  chmodSync(file, 0o755);
  const postject = fileURLToPath(new URL('cli.js', import.meta.resolve('postject')));
  run(process.execPath, [postject, file, 'NODE_SEA_BLOB', packed, '--sentinel-fuse', FUSE]);
};
