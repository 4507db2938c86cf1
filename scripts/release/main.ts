import { mkdirSync, readFileSync, rmSync, statSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeExecutable, packBundle, type Architecture } from './executable.ts';
import { makeImage } from './image.ts';
import { makeDeb, makeNpm, makeRpm, makeTarball, type Release } from './packages.ts';
import { run } from './run.ts';

/**
 * Everything that is installed, from one build: `npm run dist [FOLDER]`, by default `release/`. An executable that needs no Node for
 * each architecture, and of it `.deb`, `.rpm` and a tarball; an image; a package for npm.
 */
const out = resolve(process.argv[2] ?? 'release');
const work = join(out, 'work');
rmSync(out, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string;
  description: string;
  license: string;
  engines: object;
};
const bundle = join(work, 'bundle');
run(process.execPath, ['scripts/build.ts', bundle]);
const release: Release = { version: manifest.version, bundle, work, out };
const packed = await packBundle(bundle, work);
for (const architecture of ['x64', 'arm64'] satisfies Architecture[]) {
  const executable = join(out, `faultline-${release.version}-linux-${architecture}`);
  makeExecutable(architecture, packed, executable, work);
  makeTarball(release, architecture, executable);
  makeDeb(release, architecture, executable);
  makeRpm(release, architecture, executable);
  if (architecture === 'x64') makeImage(release, executable);
}
makeNpm(release, manifest);
rmSync(work, { recursive: true, force: true });
for (const name of readdirSync(out).toSorted())
  process.stdout.write(`${(statSync(join(out, name)).size / 1e6).toFixed(1).padStart(7)} MB  ${name}\n`);
