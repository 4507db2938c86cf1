import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { architectures, type Architecture } from './executable.ts';
import type { Release } from './packages.ts';
import { run } from './run.ts';

/** What `ldd` says a program needs, itself among it. */
const withLibraries = (program: string): string[] => [
  program,
  ...[...listLibraries(program).matchAll(/(?:=> |^\s+)(\/\S+) \(0x/gm)].map((match) => match[1] ?? ''),
];

/** A static program has none, which `ldd` calls a failure. */
const listLibraries = (program: string): string => run('/bin/sh', ['-c', 'ldd "$1" || true', 'sh', program]);

/** Looked up by name at run time, so that `ldd` doesn't see them: names of users and hosts (nsswitch.conf(5)). */
const nameServices = ['libnss_files.so.2', 'libnss_dns.so.2', 'libresolv.so.2'];

/** Fills an empty folder with the executable and what it needs beside it: libraries, OpenSSH's client, and a shell with the small tools. */
const fillImageRoot = (root: string, executable: string): void => {
  const put = (from: string, to: string): void => {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    copyFileSync(realpathSync(from), join(root, to));
    chmodSync(join(root, to), statSync(realpathSync(from)).mode & 0o777);
  };
  put(executable, '/usr/bin/faultline');
  const [, ...libraries] = withLibraries(executable);
  const folder = dirname(libraries.find((file) => file.includes('libc.so')) ?? '/lib/libc.so.6');
  const services = nameServices.map((name) => join(folder, name)).filter((file) => existsSync(file));
  for (const file of [
    ...libraries,
    ...['/usr/bin/ssh', '/usr/bin/ssh-keygen', '/bin/busybox'].flatMap(withLibraries),
    ...services,
  ])
    put(file, file);
  for (const tool of ['sh', 'ls', 'cat', 'stat', 'env']) symlinkSync('/bin/busybox', join(root, 'bin', tool));
  for (const name of ['tmp', 'root', 'etc', 'var/tmp', 'dev', 'proc'])
    mkdirSync(join(root, name), { recursive: true });
  for (const name of ['tmp', 'var/tmp']) chmodSync(join(root, name), 0o1777);
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\n');
  writeFileSync(join(root, 'etc/nsswitch.conf'), 'passwd: files\ngroup: files\nhosts: files dns\n');
};

/** An image of one layer in the OCI layout (opencontainers/image-spec, image-layout.md), as an archive that podman and skopeo load. */
export const makeImage = (release: Release, architecture: Architecture, executable: string): void => {
  const { deb: goName } = architectures[architecture];
  const root = join(release.work, 'image-root');
  mkdirSync(root);
  fillImageRoot(root, executable);
  const layout = join(release.work, 'image');
  const blobs = join(layout, 'blobs/sha256');
  mkdirSync(blobs, { recursive: true });
  const putBlob = (
    mediaType: string,
    content: Buffer,
  ): { mediaType: string; digest: string; size: number } => {
    const digest = createHash('sha256').update(content).digest('hex');
    writeFileSync(join(blobs, digest), content);
    return { mediaType, digest: `sha256:${digest}`, size: content.length };
  };
  const type = (name: string): string => `application/vnd.oci.image.${name}`;
  const layerFile = join(release.work, 'layer.tar');
  run('tar', ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '-C', root, '-cf', layerFile, '.']);
  const layer = putBlob(type('layer.v1.tar'), readFileSync(layerFile));
  const config = putBlob(
    type('config.v1+json'),
    Buffer.from(
      JSON.stringify({
        architecture: goName,
        os: 'linux',
        config: { Entrypoint: ['/usr/bin/faultline'], Env: ['PATH=/usr/bin:/bin', 'HOME=/root'] },
        rootfs: { type: 'layers', diff_ids: [layer.digest] },
      }),
    ),
  );
  const manifest = putBlob(
    type('manifest.v1+json'),
    Buffer.from(
      JSON.stringify({ schemaVersion: 2, mediaType: type('manifest.v1+json'), config, layers: [layer] }),
    ),
  );
  writeFileSync(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  const annotations = { 'org.opencontainers.image.ref.name': `faultline:${release.version}` };
  writeFileSync(
    join(layout, 'index.json'),
    JSON.stringify({ schemaVersion: 2, manifests: [{ ...manifest, annotations }] }),
  );
  run('tar', [
    '--sort=name',
    '-C',
    layout,
    '-cf',
    join(release.out, `faultline-${release.version}-oci-${goName}.tar`),
    '.',
  ]);
};
