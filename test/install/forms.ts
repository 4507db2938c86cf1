import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openTerminal } from '../smoke/terminal.ts';

/** Where the forms lie, a folder for what they are unpacked to, and the version that they bear. */
export interface Forms {
  release: string;
  work: string;
  version: string;
}

/** A program to its end, in an empty environment but for what is named. */
const runBare = (argv: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = '/') => {
  const [program = '', ...args] = argv;
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    env,
    cwd,
    timeout: 300_000,
  });
  if (error) throw error;
  return { code: status, stdout, stderr };
};

/** The same, which has to end well. */
const mustRun = (argv: readonly string[], env?: NodeJS.ProcessEnv, cwd?: string): string => {
  const { code, stdout, stderr } = runBare(argv, env, cwd);
  assert.equal(code, 0, `${argv.join(' ')}: exit ${code}\n${stdout.slice(-2000)}${stderr.slice(-2000)}`);
  return stdout;
};

const packageEnv = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive' };

/** What must go from nothing but the program: its version, a site asked through its threads, doctor, the console and the wall. `before`: what enters a root. */
const tryProgram = async (
  before: readonly string[],
  program: string,
  version: string,
  env: NodeJS.ProcessEnv = {},
): Promise<string> => {
  const start = [...before, program];
  assert.equal(mustRun([...start, '--version'], env), `${version}\n`);
  assert.match(mustRun([...start, 'help', 'exit-codes'], env), /^Exit codes/);
  const status = runBare([...start, 'status', '--demo', '--incident', 'quiet', '--json'], env);
  assert.equal(status.code, 0, status.stderr);
  assert.equal((JSON.parse(status.stdout) as { site: string }).site, 'demo');
  const doctor = runBare([...start, 'doctor', '--demo', '--incident', 'quiet'], env);
  assert.ok(doctor.code === 0 || doctor.code === 1, doctor.stderr);
  assert.match(doctor.stdout, /login/);
  const console = openTerminal([...start.slice(1), 'demo', '--incident', 'hdfs-lost'], env, '/', start[0]);
  await console.until(/drained by the health check/, 120_000);
  console.type('q');
  await console.until(/Leave faultline\?/);
  console.type('y');
  assert.equal(await console.ended, 0);
  const wall = openTerminal([...start.slice(1), 'wall', '--demo'], env, '/', start[0]);
  await wall.until(/SLURM/, 120_000);
  wall.type('\u0003');
  assert.equal(await wall.ended, 130);
  return 'version, help, status, doctor, console, wall';
};

/** The last word of a form's file: `faultline-0.1.0-linux-x64.tar.gz`. */
const fileOf = ({ release }: Forms, end: string): string => {
  const found = readdirSync(release).filter((name) => name.endsWith(end));
  assert.equal(
    found.length,
    1,
    `${release} holds ${found.length} files that end in ${end}; make them by "npm run dist"`,
  );
  return join(release, found[0] ?? '');
};

const unpack = (forms: Forms, archive: string, name: string): string => {
  const folder = join(forms.work, name);
  mkdirSync(folder, { recursive: true });
  mustRun(['/usr/bin/tar', '-xf', archive, '-C', folder], packageEnv);
  return folder;
};

/** What each form must do, by its name. */
export const forms: Readonly<Record<string, (forms: Forms) => Promise<string>>> = {
  'the executable needs nothing but its file': async (all) =>
    tryProgram([], fileOf(all, '-linux-x64'), all.version),

  'the image runs in its own root': async (all) => {
    const layout = unpack(all, fileOf(all, '-oci-amd64.tar'), 'image');
    const blob = (digest: string): string => join(layout, 'blobs', digest.replace(':', '/'));
    const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as never;
    const index: { manifests: { digest: string }[] } = read(join(layout, 'index.json'));
    const manifest: { layers: { digest: string }[] } = read(blob(index.manifests[0]?.digest ?? ''));
    const root = unpack(all, blob(manifest.layers[0]?.digest ?? ''), 'image-root');
    // Whoever runs an image brings these along.
    for (const [name, minor] of Object.entries({ null: '3', urandom: '9' }))
      mustRun(['/usr/bin/mknod', '-m', '666', join(root, 'dev', name), 'c', '1', minor]);
    return tryProgram(['/usr/sbin/chroot', root], '/usr/bin/faultline', all.version, {
      PATH: '/usr/bin:/bin',
    });
  },

  'the .deb is installed in a clean Debian, runs, and leaves nothing behind': async (all) => {
    const root = join(all.work, 'debian');
    const needed = '--include=openssh-client,libstdc++6';
    mustRun(['/usr/bin/mmdebstrap', '--quiet', '--variant=essential', needed, 'bookworm', root], packageEnv);
    cpSync(fileOf(all, '_amd64.deb'), join(root, 'faultline.deb'));
    const inside = ['/usr/sbin/chroot', root];
    mustRun([...inside, 'dpkg', '-i', '/faultline.deb'], packageEnv);
    const did = await tryProgram(inside, '/usr/bin/faultline', all.version, { PATH: '/usr/bin:/bin' });
    const held = mustRun([...inside, 'dpkg', '-L', 'faultline'], packageEnv);
    for (const path of [
      'man/man1/faultline.1.gz',
      'man/man5/faultline-site.5.gz',
      'bash-completion/completions/faultline',
    ])
      assert.ok(
        held.includes(`/usr/share/${path}
`),
        path,
      );
    mustRun([...inside, 'dpkg', '--purge', 'faultline'], packageEnv);
    assert.ok(!existsSync(join(root, 'usr/bin/faultline')));
    return did;
  },

  'the .rpm says what it needs, no newer glibc than 2.28, and holds the same executable': async (all) => {
    const file = fileOf(all, '.x86_64.rpm');
    const requires = mustRun(['/usr/bin/rpm', '-qp', '--requires', file], packageEnv);
    assert.match(requires, /^openssh-clients$/m);
    const versions = [...requires.matchAll(/GLIBC_2\.(\d+)\)/g)].map((match) => Number(match[1]));
    assert.ok(versions.length > 0 && Math.max(...versions) <= 28, requires);
    const folders = mustRun(
      ['/usr/bin/rpm', '-qp', '--qf', '[%{FILENAMES} %{FILEMODES:perms}\\n]', file],
      packageEnv,
    );
    assert.doesNotMatch(folders, / d/);
    const root = join(all.work, 'rpm');
    mkdirSync(root);
    mustRun(['/bin/sh', '-c', 'rpm2cpio "$1" | cpio -idm --quiet', 'sh', file], packageEnv, root);
    mustRun(['/usr/bin/cmp', join(root, 'usr/bin/faultline'), fileOf(all, '-linux-x64')]);
    return `glibc 2.${Math.max(...versions)}`;
  },

  'the tarball runs where it is unpacked': async (all) => {
    const folder = join(
      unpack(all, fileOf(all, '-linux-x64.tar.gz'), 'tarball'),
      `faultline-${all.version}-linux-x64`,
    );
    assert.equal(mustRun([join(folder, 'bin/faultline'), '--version']), `${all.version}\n`);
    const page = mustRun(
      ['/bin/sh', '-c', `gzip -dc ${join(folder, 'share/man/man1/faultline.1.gz')}`],
      packageEnv,
    );
    assert.match(page, /^\.TH FAULTLINE 1/);
    return 'version, manual page';
  },

  'the npm package runs without one dependency': async (all) => {
    const folder = join(all.work, 'npm');
    mkdirSync(folder);
    mustRun(
      ['npm', 'install', '--silent', '--offline', '--prefix', folder, fileOf(all, '.tgz')],
      process.env,
      folder,
    );
    assert.deepEqual(
      readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')),
      ['faultline'],
    );
    const program = join(folder, 'node_modules/faultline/dist/faultline.mjs');
    assert.equal(mustRun([process.execPath, program, '--version'], { HOME: folder }), `${all.version}\n`);
    return 'one package';
  },

  'the executable for arm64 runs under qemu': async (all) => {
    const start = ['/usr/bin/qemu-aarch64', '-L', '/usr/aarch64-linux-gnu', fileOf(all, '-linux-arm64')];
    assert.equal(mustRun([...start, '--version']), `${all.version}\n`);
    const actions = JSON.parse(mustRun([...start, 'actions', '--json'])) as { actions: unknown[] };
    assert.ok(actions.actions.length > 10);
    return `version, ${actions.actions.length} actions`;
  },
};
