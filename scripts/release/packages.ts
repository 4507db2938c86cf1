import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { architectures, type Architecture } from './executable.ts';
import { run } from './run.ts';
import { fillTree } from './tree.ts';

/** The parts of a release that packages are made of. */
export interface Release {
  version: string;
  bundle: string;
  work: string;
  out: string;
}

const SUMMARY = 'Console for the people on call for HPC clusters';
const ABOUT =
  'Names the cause of what is wrong with Slurm, Lustre, Gluster, NFS, switches and links, with proof, and mends it one guarded step at a time.';

/** Node's own binaries are built against this (its BUILDING.md, "Platform list"). */
const LEAST_GLIBC = '2.28';

/** Fills a folder that is packed: the executable in `bin`, everything else below `share`; `prefix` is `usr`, or nothing in a tarball. */
const installTree = (release: Release, executable: string, name: string, prefix = 'usr'): string => {
  const root = join(release.work, name);
  const bin = join(root, prefix, 'bin');
  mkdirSync(bin, { recursive: true });
  copyFileSync(executable, join(bin, 'faultline'));
  chmodSync(join(bin, 'faultline'), 0o755);
  fillTree(root, join(prefix, 'share'), release.bundle, release.version);
  return root;
};

/** deb-control(5). Packed by gzip, as all others: half again as large as with xz, made in seconds instead of minutes. */
export const makeDeb = (release: Release, architecture: Architecture, executable: string): void => {
  const root = installTree(release, executable, `deb-${architecture}`);
  mkdirSync(join(root, 'DEBIAN'));
  writeFileSync(
    join(root, 'DEBIAN/control'),
    [
      'Package: faultline',
      `Version: ${release.version}`,
      `Architecture: ${architectures[architecture].deb}`,
      'Maintainer: Faultline <faultline@localhost>',
      `Depends: libc6 (>= ${LEAST_GLIBC}), libstdc++6, libgcc-s1 | libgcc1, openssh-client`,
      'Section: admin',
      'Priority: optional',
      `Description: ${SUMMARY}`,
      ` ${ABOUT}`,
      '',
    ].join('\n'),
  );
  const file = `faultline_${release.version}_${architectures[architecture].deb}.deb`;
  run('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', root, join(release.out, file)]);
};

/** rpmbuild(8). What its libraries are it finds out itself. */
export const makeRpm = (release: Release, architecture: Architecture, executable: string): void => {
  const root = installTree(release, executable, `rpm-${architecture}`);
  const spec = join(release.work, `faultline-${architecture}.spec`);
  writeFileSync(
    spec,
    [
      'Name: faultline',
      `Version: ${release.version}`,
      'Release: 1',
      `Summary: ${SUMMARY}`,
      'License: Apache-2.0',
      'Requires: openssh-clients',
      // What is packed behind the end of an ELF file would be cut off.
      '%global __os_install_post %{nil}',
      '%global debug_package %{nil}',
      '%global _build_id_links none',
      '%global _binary_payload w6.gzdio',
      '%description',
      ABOUT,
      '%install',
      `cp -a ${root}/. %{buildroot}/`,
      // RPM's zsh looks elsewhere than Debian's.
      'mkdir -p %{buildroot}/usr/share/zsh/site-functions',
      'mv %{buildroot}/usr/share/zsh/vendor-completions/_faultline %{buildroot}/usr/share/zsh/site-functions/',
      'rmdir %{buildroot}/usr/share/zsh/vendor-completions',
      // Files alone: the folders are other packages'.
      '(cd %{buildroot} && find usr -type f -printf "/%%p\\n") > %{_builddir}/files',
      '%files -f %{_builddir}/files',
      '%defattr(-,root,root)',
      '',
    ].join('\n'),
  );
  const { rpm } = architectures[architecture];
  const built = join(release.work, `rpmbuild-${architecture}`);
  run('rpmbuild', ['-bb', '--target', `${rpm}-linux`, '--define', `_topdir ${built}`, spec]);
  const file = `faultline-${release.version}-1.${rpm}.rpm`;
  copyFileSync(join(built, 'RPMS', rpm, file), join(release.out, file));
};

/** For sites without a way to the network: unpack it anywhere. */
export const makeTarball = (release: Release, architecture: Architecture, executable: string): void => {
  const name = `faultline-${release.version}-linux-${architecture}`;
  installTree(release, executable, join('tarball', name), '');
  run('tar', [
    '--sort=name',
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '-C',
    join(release.work, 'tarball'),
    '-czf',
    join(release.out, `${name}.tar.gz`),
    name,
  ]);
};

/** For a machine that has Node: what runs, and no dependency, since all of them are in the bundle. */
export const makeNpm = (
  release: Release,
  manifest: { description: string; license: string; engines: object },
): void => {
  const folder = join(release.work, 'npm');
  mkdirSync(folder);
  run('cp', ['-r', release.bundle, join(folder, 'dist')]);
  run('rm', ['-f', join(folder, 'dist/meta.json')]);
  for (const name of ['README.md', 'LICENSE', 'CHANGELOG.md']) copyFileSync(name, join(folder, name));
  const { description, license, engines } = manifest;
  const bin = { faultline: 'dist/faultline.mjs' };
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ name: 'faultline', version: release.version, description, license, type: 'module', bin, engines, files: ['dist'] }, null, 2)}\n`,
  );
  run('npm', ['pack', '--silent', '--pack-destination', release.out, folder]);
};
