import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { run } from '../../../src/commands/init.ts';
import { knowledge } from '../../../src/commands/open-site.ts';
import { startDemo, type Demo } from '../../../src/demo/start.ts';
import type { Site } from '../../../src/model/site.ts';
import { parseSite } from '../../../src/site/parse.ts';
import { emptyFolder } from '../../helpers/folder.ts';
import { fakeIo } from '../fake-io.ts';

/** The demo with fewer nodes, all well: what is found does not hang on how many they are. */
let demo: Demo;
let folder: string;

beforeAll(async () => {
  demo = await startDemo({ incident: 'quiet', nodes: 40, log: () => {} });
  folder = emptyFolder('init-demo');
}, 60_000);

afterAll(() => demo.close());

/** Pointed at hosts by which all others are found; Lustre's servers and iperf's hosts are named by nobody in the demo. */
const pointed = ['ctl1', 'core3', 'gl1', 'login1', 'mds1', 'mds2', 'oss1', 'oss2', 'oss3', 'oss4'];

const initDemo = async (file: string, hosts: readonly string[] = pointed, yes = true) => {
  const fake = fakeIo('', process.env);
  const sshConfig = join(demo.folder, 'ssh_config');
  const code = await run({ hosts, yes, output: file, sshConfig }, fake.io);
  return { code, out: fake.out(), err: fake.err() };
};

const read = (file: string): Site => parseSite(readFileSync(file, 'utf8'), file, knowledge).site;

const byName = (site: Site) => new Map(site.hosts.map((host) => [host.name, host]));

/** Roles that no machine tells of: what a person decides. */
const decided = new Set(['login', 'switch-helper']);

describe('init pointed at the demo', () => {
  it('finds its systems, hosts and roles over SSH, and changes nothing', async () => {
    const file = join(folder, 'site.yaml');
    const { code, out, err } = await initDemo(file);
    expect(err).toContain('scontrol show config');
    expect(err).toContain('core3 is typed: show version');
    expect(out).toContain(`written: ${file}`);
    expect(out).toMatch(/nothing to mend\n\nNext: faultline --site /);
    expect(code).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await demo.calls()).filter(({ mutated }) => mutated)).toEqual([]);

    const own = byName(read(demo.siteFile));
    const found = byName(read(file));
    // Of the demo's hosts only these are not found: nobody names a host of iperf or of disks, nor the one that undo timers are armed on.
    const missing = [...own.keys()].filter((name) => !found.has(name));
    expect(missing.filter((name) => !name.startsWith('wn-d-'))).toEqual(['admin1', 'array1', 'array2']);
    expect([...found.keys()].filter((name) => !own.has(name))).toEqual([]);
    for (const [name, host] of found) {
      const wanted = own.get(name)?.roles.filter((role) => !decided.has(role)) ?? [];
      expect([name, ...host.roles.toSorted()]).toEqual([name, ...wanted.toSorted()]);
      expect([name, host.platform]).toEqual([name, own.get(name)?.platform]);
      // Racks and breakers are in no machine of the demo: no topology in its Slurm, no rack in its names.
      expect(host.location).toEqual({});
    }
  }, 120_000);

  it('finds the settings that machines tell of', () => {
    const { settings, name, sshConfig } = read(join(folder, 'site.yaml'));
    const own = read(demo.siteFile);
    expect(name).toBe(own.name);
    expect(sshConfig).toBe(own.sshConfig);
    expect(settings['slurm']).toEqual(own.settings['slurm']);
    expect(settings['nfs']).toEqual(own.settings['nfs']);
    // Second addresses of the servers, which nobody mounts by, are known to people only.
    expect(settings['switch']).toMatchObject({
      matrix: {
        servers: [
          { name: 'nfs1', address: '10.98.0.1' },
          { name: 'nfs2', address: '10.98.0.3' },
        ],
      },
    });
  });

  it('says in comments what no machine tells', () => {
    const text = readFileSync(join(folder, 'site.yaml'), 'utf8');
    expect(text).toMatch(/^# undoHost: no machine says/m);
    expect(text).toMatch(/^# login1: by the name, users work there/m);
    expect(text).toMatch(
      /^# in .*ssh_config, but no machine that was asked says what they are for: admin1,array\[1-2\],wn-d-\[01-16\]/m,
    );
    expect(text).toMatch(
      /# - \{ names: filer1 \} \(LLDP on \S+\) could not be asked: filer1: connection refused/,
    );
  });

  it('finds nothing to add the second time', async () => {
    const file = join(folder, 'site.yaml');
    const before = readFileSync(file, 'utf8');
    const { code, out, err } = await initDemo(file);
    expect([code, out]).toEqual([0, '']);
    expect(err).toContain('lacks nothing of what was found');
    expect(readFileSync(file, 'utf8')).toBe(before);
  }, 120_000);

  it('gives what a file of a person lacks as a diff, and leaves the file alone', async () => {
    const file = join(folder, 'mine.yaml');
    const mine = [
      'site: mine # by hand',
      `sshConfig: ${join(demo.folder, 'ssh_config')}`,
      'hosts:',
      '    # the old controller',
      '    - names: ctl1',
      '      roles: [slurm-controller]',
      '    - {names: gl1, roles: []}',
      'slurm: {limits: {partitionOut: 30%}}',
      '',
    ].join('\n');
    writeFileSync(file, mine, { mode: 0o600 });
    const { code, out, err } = await initDemo(file, ['gl1']);
    expect(code).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe(mine);
    expect(err).toContain('gl1: add the role gluster, by what was found');
    expect(out.split('\n')).toEqual([
      `--- ${file}`,
      `+++ ${file}`,
      '@@ -5,4 +5,6 @@',
      '     - names: ctl1',
      '       roles: [slurm-controller]',
      '     - {names: gl1, roles: []}',
      '+    # gluster: gluster pool list there',
      '+    - { names: "gl[2-3]", roles: [ gluster ] }',
      ' slurm: {limits: {partitionOut: 30%}}',
      '',
    ]);
  }, 60_000);

  it('a signal ends it also while its hosts are looked at, and says that the file is written', async () => {
    const file = join(folder, 'ended.yaml');
    const others = new Set(process.listeners('SIGTERM'));
    const fake = fakeIo('', process.env);
    const sshConfig = join(demo.folder, 'ssh_config');
    const ended = run({ hosts: ['gl1'], yes: true, output: file, sshConfig }, fake.io);
    await vi.waitFor(() => expect(fake.out()).toContain(`written: ${file}`), {
      timeout: 30_000,
      interval: 1,
    });
    // As from the signal, but to nobody else in this process.
    for (const listener of process.listeners('SIGTERM')) if (!others.has(listener)) listener('SIGTERM');
    expect(await ended).toBe(143);
    expect(fake.err()).toContain(
      `interrupted: ${file} is written, and not all of its hosts were looked at; faultline doctor does that\n`,
    );
    expect(fake.out()).not.toContain('Next:');
    expect(process.listeners('SIGTERM').filter((listener) => !others.has(listener))).toEqual([]);
  }, 60_000);

  it('refuses to ask others where nobody can say yes, with what to type', async () => {
    const file = join(folder, 'never.yaml');
    await expect(initDemo(file, ['ctl1'], false)).rejects.toThrow(
      `init asks other hosts only after a yes, and there is no terminal to give it on; type: faultline init ctl1 --output ${file} --ssh-config ${join(demo.folder, 'ssh_config')} --yes`,
    );
    expect(() => statSync(file)).toThrow('ENOENT');
  });

  it('writes nothing where nothing is found', async () => {
    const file = join(folder, 'nothing.yaml');
    const { code, err } = await initDemo(file, ['admin1']);
    expect(code).toBe(1);
    expect(err).toContain('nothing was written');
    expect(() => statSync(file)).toThrow('ENOENT');
  });
});
