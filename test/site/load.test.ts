import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { probePath } from '../../src/site/file.ts';
import { findSiteFile } from '../../src/site/find.ts';
import { loadSite } from '../../src/site/load.ts';
import { SiteError } from '../../src/site/problem.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { knowledge } from './knowledge.ts';

let folder: string;
beforeEach(() => {
  folder = emptyFolder('site');
});

const good = 'site: x\nhosts:\n  - {names: ctl1, roles: [slurm-controller]}\n';

const write = (name: string, text: string | Uint8Array, mode = 0o600): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
};

const fault = async (path: string): Promise<string> => {
  const error: unknown = await loadSite(path, knowledge).catch((reason: unknown) => reason);
  if (!(error instanceof SiteError)) throw new Error('expected a SiteError', { cause: error });
  return error.message;
};

describe('loadSite', () => {
  it('gives a view of the site and where it came from', async () => {
    const file = write('site.yaml', good);
    const { site, warnings } = await loadSite(file, knowledge);
    expect(warnings).toEqual([]);
    expect(site.file).toBe(file);
    expect(site.host('ctl1')?.roles).toEqual(['slurm-controller']);
  });

  it('reads through a link, a byte order mark and Windows line ends', async () => {
    write('real.yaml', `\ufeff${good.replaceAll('\n', '\r\n')}`);
    symlinkSync('real.yaml', join(folder, 'site.yaml'));
    expect((await loadSite(join(folder, 'site.yaml'), knowledge)).site.name).toBe('x');
  });

  it.each([0o602, 0o646, 0o666])('refuses a file of mode %o', async (mode) => {
    const file = write('site.yaml', good, mode);
    expect(await fault(file)).toMatch(
      /site\.yaml: can be written by everybody, who could then make this console act elsewhere; chmod g?o-w .*site\.yaml$/,
    );
  });

  it('refuses an ssh configuration that others may write to, and what it includes', async () => {
    const file = write('site.yaml', `${good}sshConfig: ssh_config\n`);
    const config = write('ssh_config', 'Host *\n', 0o664);
    expect(await fault(file)).toBe(
      `${file}:4:12: sshConfig: ${config} can be written by its group, who could then make this console act elsewhere; chmod go-w ${config}`,
    );
    const inner = write('inner', 'Match exec "true"\n', 0o606);
    write('ssh_config', `Host *\n  include "${folder}/in*"\n`, 0o600);
    chmodSync(config, 0o600);
    expect(await fault(file)).toContain(`it includes ${inner}, and that can be written by everybody`);
    chmodSync(inner, 0o600);
    expect((await loadSite(file, knowledge)).site.sshConfig).toBe(config);
  });

  it('says what is wrong with a path', async () => {
    expect(await fault(join(folder, 'none.yaml'))).toContain('none.yaml: no such file; check the path');
    expect(await fault(join(write('file', good), 'site.yaml'))).toContain('no such file');
    expect(await fault(folder)).toBe(`${folder}: is a folder; name the file in it, ${folder}/site.yaml`);
    expect(await fault('/dev/null')).toBe('/dev/null: is not a regular file; name a YAML file');
  });

  it('does not wait for ever on a pipe that nobody writes to', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(await fault(join(folder, 'pipe'))).toContain('is not a regular file');
  });

  it.skipIf(process.getuid?.() === 0)('says when it may not be read', async () => {
    expect(await fault(write('site.yaml', good, 0o000))).toContain('may not be read by you');
  });

  it('refuses what is no text, too large or empty', async () => {
    expect(await fault(write('binary', new Uint8Array([0xff, 0xfe, 0x00, 0x01])))).toMatch(/:1:1: /);
    expect(await fault(write('large', 'x'.repeat(4_000_001)))).toContain('at most 4000000');
    expect(await fault(write('empty', ''))).toContain(':1:1: the file is empty');
  });

  it('finds the ssh configuration beside the site file, and says when it is not there', async () => {
    const file = write('site.yaml', `${good}sshConfig: conf/ssh_config\n`);
    expect(await fault(file)).toBe(
      `${file}:4:12: sshConfig: ${folder}/conf/ssh_config can't be read; name a file, relative to this one`,
    );
    mkdirSync(join(folder, 'conf'));
    write('conf/ssh_config', 'Host *\n');
    expect((await loadSite(file, knowledge)).site.sshConfig).toBe(join(folder, 'conf/ssh_config'));
  });

  it('expands ~ in it', async () => {
    const name = `no-such-folder-${process.pid}`;
    expect(await fault(write('site.yaml', `${good}sshConfig: ~/${name}/c\n`))).toContain(
      join(homedir(), name, 'c'),
    );
  });
});

describe('findSiteFile', () => {
  const machine = (): string => join(folder, 'etc.yaml');

  it('takes what was named, also when it is not there: loading says so', async () => {
    expect(await findSiteFile({ FAULTLINE_SITE: '/b' }, '/a', machine())).toMatchObject({ file: '/a' });
    expect(await findSiteFile({ FAULTLINE_SITE: '/b' }, undefined, machine())).toMatchObject({ file: '/b' });
  });

  it('takes a name for a site of the configuration folder, else for a file here', async () => {
    const env = { XDG_CONFIG_HOME: join(folder, 'config') };
    const sites = join(folder, 'config', 'faultline', 'sites');
    await expect(findSiteFile(env, 'north', machine())).rejects.toThrow(
      `there is no site "north" in ${sites}, and no such file here; there is none`,
    );
    mkdirSync(sites, { recursive: true });
    for (const name of ['north.yaml', 'south.yaml', '.hidden.yaml', 'notes.txt'])
      writeFileSync(join(sites, name), good);
    const north = join(sites, 'north.yaml');
    expect(await findSiteFile(env, 'north', machine())).toEqual({ file: north, looked: [north], hung: [] });
    expect(await findSiteFile({ ...env, FAULTLINE_SITE: 'south' })).toMatchObject({
      file: join(sites, 'south.yaml'),
    });
    await expect(findSiteFile(env, 'nroth')).rejects.toThrow('did you mean "north"?');
    await expect(findSiteFile(env, 'elsewhere')).rejects.toThrow('there are: north, south');
    for (const path of ['./north', 'north.yaml', '/etc/north', 'package-lock.json'])
      expect(await findSiteFile(env, path)).toMatchObject({ file: path });
  });

  it('looks in the configuration folder, then at the machine', async () => {
    const own = join(folder, 'config', 'faultline', 'site.yaml');
    const env = { XDG_CONFIG_HOME: join(folder, 'config'), FAULTLINE_SITE: '' };
    expect(await findSiteFile(env, undefined, machine())).toEqual({ looked: [own, machine()], hung: [] });
    write('etc.yaml', good);
    expect(await findSiteFile(env, undefined, machine())).toMatchObject({ file: machine() });
    mkdirSync(join(folder, 'config', 'faultline'), { recursive: true });
    writeFileSync(own, good);
    expect(await findSiteFile(env, undefined, machine())).toMatchObject({ file: own });
  });

  it('uses ~/.config when nothing else is said, and no home at all is no fault', async () => {
    const { looked } = await findSiteFile({ HOME: folder }, undefined, machine());
    expect(looked).toEqual([join(folder, '.config/faultline/site.yaml'), machine()]);
    expect(await findSiteFile({}, undefined, machine())).toEqual({ looked: [machine()], hung: [] });
  });
});

describe('answers', () => {
  it('tells there from absent', async () => {
    expect(await probePath(folder)).toBe('there');
    expect(await probePath(join(folder, 'none'))).toBe('absent');
    expect(await probePath('-rf')).toBe('absent');
  });

  it('gives up in time', async () => {
    // Several at once: on a busy machine one answer may be there before its timer is looked at.
    const all = await Promise.all(Array.from({ length: 8 }, () => probePath(folder, 0)));
    expect(all).toContain('hung');
  });
});
