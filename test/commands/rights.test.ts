import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { initCommands, rootCommands, sudoersOf } from '../../src/commands/manual/rights.ts';
import { actionSets } from '../../src/registries/actions.ts';
import { systems } from '../../src/registries/systems.ts';
import { emptyFolder } from '../helpers/folder.ts';

const all = rootCommands(systems);
const needed = (role: string) => all.find((one) => one.role === role) ?? { reads: [], acts: [] };

describe('what a login needs by sudo', () => {
  it('of probes is what they send: whole commands, or tool and verb where they differ', () => {
    expect(needed('lustre-mds').reads).toEqual([
      'dmesg',
      'journalctl -k -q --no-pager -o short-unix -n 4000',
      'lctl dl',
      'lctl get_param *',
      'lctl list_nids',
      'lnetctl net show -v 3',
    ]);
    expect(needed('gluster').reads).toEqual(['gluster volume info --xml', 'sh *']);
    expect(needed('switch').reads).toEqual(
      expect.arrayContaining(['clagctl -j', "grep -rH '' /proc/net/bonding", 'ibnetdiscover -p']),
    );
    expect(needed('*').reads).toEqual(['dmesg', 'true']);
  });

  it('of init is what it tries on machines of which nothing is known', () => {
    expect(initCommands().reads).toEqual(['gluster pool list', 'ibnetdiscover -p', 'lctl dl', 'true']);
    expect(sudoersOf(initCommands()).join('\n')).toContain('FAULTLINE_INIT_READ');
  });

  it('of roles that need no root is nothing', () => {
    expect(all.map(({ role }) => role)).not.toContain('slurm-controller');
    expect(all.map(({ role }) => role)).not.toContain('ping-client');
    expect(all.map(({ role }) => role)).not.toContain('nic');
  });

  it('reading Lustre is no right to change it', () => {
    expect(needed('lustre-oss').reads.join()).not.toContain('set_param');
    expect(needed('lustre-oss').acts).toEqual(['lctl set_param *']);
  });
});

/** First words of what the sources of a system's actions run by sudo. */
const toolsInSources = (system: string): Set<string> => {
  const folder = join('probes', system);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /(?:^act\/|\/(?:shut|read)\.ts$).*/.test(name) && name.endsWith('.ts'),
  );
  const texts = files.map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  const inWords = texts.flatMap(({ text }) => [
    ...text.matchAll(/argvAsRoot\([\w.]+,\s*\[?\s*'([\w.-]+)'/g),
    ...text.matchAll(/'sudo',\s*'-n',\s*'([\w.-]+)'/g),
    ...text.matchAll(/\.\.\.asRoot,\s*'([\w.-]+)'/g),
  ]);
  const inLines = texts
    .filter(({ name }) => name.endsWith('/shut.ts') || name.endsWith('/read.ts'))
    .flatMap(({ text }) => [...text.matchAll(/`sudo -n ([\w.-]+) /g)]);
  return new Set([...inWords, ...inLines].flatMap(([, tool]) => tool ?? []));
};

describe('what actions say that they run by sudo', () => {
  it.each(actionSets.map(({ system }) => system))('of %s holds what its sources run', (system) => {
    const said = actionSets.find((one) => one.system === system)?.asRoot ?? {};
    const tools = new Set(Object.values(said).flatMap((one) => one.map((text) => text.split(' ')[0])));
    expect([...toolsInSources(system)].filter((tool) => !tools.has(tool))).toEqual([]);
  });

  it('is for roles that there are', () => {
    const roles = new Set(systems.flatMap((one) => one.roles));
    expect(
      actionSets.flatMap(({ asRoot = {} }) => Object.keys(asRoot)).filter((one) => !roles.has(one)),
    ).toEqual([]);
  });

  it('the look at the sources finds something', () => {
    expect(toolsInSources('gluster')).toEqual(new Set(['sh', 'gluster', 'kill']));
    expect(toolsInSources('switch')).toContain('config');
  });
});

describe('lines for sudoers', () => {
  const lines = (role: string, reads: readonly string[], acts: readonly string[] = []): string[] =>
    sudoersOf({ role, reads, acts });

  it('escape what sudoers(5) takes for its own, and allow no arguments where there are none', () => {
    expect(lines('nfs-server', ['dmesg'], ['x -a b=c:d,e *'])).toEqual([
      'Cmnd_Alias FAULTLINE_NFS_SERVER_READ = /usr/bin/dmesg ""',
      '%faultline ALL = (root) NOPASSWD: FAULTLINE_NFS_SERVER_READ',
      String.raw`Cmnd_Alias FAULTLINE_NFS_SERVER_ACT = /usr/sbin/x -a b\=c\:d\,e *`,
      '%faultline ALL = (root) NOPASSWD: FAULTLINE_NFS_SERVER_ACT',
    ]);
  });

  it.skipIf(!existsSync('/usr/sbin/visudo'))('are taken by visudo, all together', () => {
    const file = join(emptyFolder('sudoers'), 'faultline');
    writeFileSync(file, `${[initCommands(), ...all].flatMap((one) => sudoersOf(one)).join('\n')}\n`, {
      mode: 0o440,
    });
    expect(execFileSync('/usr/sbin/visudo', ['-c', '-f', file], { encoding: 'utf8' })).toContain('parsed OK');
  });
});
