import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readInventory } from '../../src/commands/init/inventories.ts';
import { sshConfigNotes } from '../../src/commands/init/ssh-names.ts';
import { loadSite } from '../../src/site/load.ts';
import { readBounded } from '../../src/site/regular.ts';
import { readUserText } from '../../src/site/user-file.ts';
import { readIdentity } from '../../src/transport/identity.ts';
import { KnownHostsCache } from '../../src/transport/known-hosts-file.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { knowledge } from './knowledge.ts';

const good = 'site: mini\nhosts:\n  - {names: n1, roles: [compute]}\n';

let folder: string;
let pipe: string;
beforeEach(() => {
  folder = emptyFolder('regular');
  pipe = join(folder, 'pipe');
  execFileSync('mkfifo', ['-m', '600', pipe]);
});
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text, { mode: 0o600 });
  return join(folder, name);
};

describe('a file that is read whole', () => {
  it('gives its bytes, up to the very limit', async () => {
    const file = write('file', '12345');
    expect(String(await readBounded(file, 5))).toBe('12345');
    await expect(readBounded(file, 4)).rejects.toThrow('has 5 bytes, more than 4');
  });

  it('is no pipe, whether somebody writes to it or not, no device and no folder', async () => {
    for (const path of [pipe, '/dev/zero', '/dev/null'])
      await expect(readBounded(path, 10)).rejects.toThrow('is not a regular file');
    await expect(readBounded(folder, 10)).rejects.toThrow('is a folder');
    await expect(readBounded(join(folder, 'none'), 10)).rejects.toThrow('ENOENT');
  });

  it('of the kernel is taken at its word that it holds nothing: some never end', async () => {
    expect(String(await readBounded('/proc/self/status', 1e6))).toBe('');
  });
});

describe('what is no regular file in the place of', () => {
  const fault = async (file: string): Promise<string> =>
    loadSite(file, knowledge).then(
      () => 'taken',
      (error: Error) => error.message,
    );

  it('a site file, one that it includes, a file of checks: refused', async () => {
    expect(await fault(pipe)).toBe(`${pipe}: is not a regular file; name a YAML file`);
    expect(await fault('/proc/self/status')).toContain('the file is empty');
    expect(await fault(write('site.yaml', `${good}include: [pipe]\n`))).toContain(
      `site.yaml:4:11: include: ${pipe}: is not a regular file`,
    );
    expect(await fault(write('site.yaml', `${good}include: [/dev/zero]\n`))).toContain(
      'include: /dev/zero: is not a regular file',
    );
  });

  it('an ssh configuration, or a file that it includes: refused before ssh waits for it', async () => {
    const site = write('site.yaml', `${good}sshConfig: pipe\n`);
    expect(await fault(site)).toContain(`sshConfig: ${pipe} is not a regular file; name a file in the form`);
    const config = write('config', `Include ${pipe}\n`);
    expect(await fault(write('site.yaml', `${good}sshConfig: config\n`))).toContain(
      `sshConfig: ${config} it includes ${pipe}, and that is not a regular file`,
    );
    expect(await sshConfigNotes(pipe, () => false)).toEqual([]);
  });

  it("the operator's own settings: refused", async () => {
    await expect(readUserText(pipe)).rejects.toThrow(`${pipe}: is not a regular file; name a YAML file`);
  });

  it('an inventory: refused', async () => {
    const readAnsible = (file: string) => readInventory({ kind: 'ansible', file });
    await expect(readAnsible(pipe)).rejects.toThrow(
      `--from ansible ${pipe}: it is not a regular file; name an inventory in INI or YAML`,
    );
    await expect(readAnsible('/dev/zero')).rejects.toThrow('it is not a regular file');
    await expect(readAnsible(join(folder, 'none'))).rejects.toThrow("it can't be read");
    await expect(readAnsible(write('large', ' '.repeat(4_000_001)))).rejects.toThrow('4000001 bytes');
  });

  it('known_hosts: told, as what it revokes is not known; /dev/null holds nothing', async () => {
    const cache = new KnownHostsCache();
    await expect(cache.read([pipe])).rejects.toThrow(`cannot read ${pipe}`);
    expect(await cache.read(['/dev/null'])).toEqual([]);
    expect(await cache.read([write('known', '')])).toHaveLength(1);
  });

  it('a key, or its public half: there is none', async () => {
    expect(await readIdentity(pipe, () => Buffer.from('x'))).toBeUndefined();
    mkdirSync(join(folder, 'keys'));
    const key = write('keys/key', 'no key');
    execFileSync('mkfifo', [`${key}.pub`]);
    expect(await readIdentity(key, () => undefined)).toBeUndefined();
  });
});
