import { mkdirSync, readFileSync, rmSync, statSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { architectures, makeExecutable, packBundle, type Architecture } from './executable.ts';
import { makeImage } from './image.ts';
import { makeDeb, makeNpm, makeRpm, makeTarball, type Release } from './packages.ts';
import { run } from './run.ts';

/**
 * Everything that is installed, from one build, in `release/`: `npm run dist`. An executable that needs no Node for each architecture,
 * and of it `.deb`, `.rpm` and a tarball; an image for the architecture that it is built on; a package for npm.
 */
const out = resolve('release');
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
for (const architecture of Object.keys(architectures) as Architecture[]) {
  const executable = join(out, `faultline-${release.version}-linux-${architecture}`);
  makeExecutable(architecture, packed, executable, work);
  makeTarball(release, architecture, executable);
  makeDeb(release, architecture, executable);
  makeRpm(release, architecture, executable);
  if (architecture === process.arch) makeImage(release, architecture, executable);
}
makeNpm(release, manifest);
rmSync(work, { recursive: true, force: true });
for (const name of readdirSync(out).toSorted())
  process.stdout.write(`${(statSync(join(out, name)).size / 1e6).toFixed(1).padStart(7)} MB  ${name}\n`);
