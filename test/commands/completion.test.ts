import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli } from '../../src/commands/cli.ts';
import { parts } from '../../src/commands/parts.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { fakeIo } from './fake-io.ts';

const SITE = `site: x
hosts:
  - {names: ctl1, roles: [slurm-controller]}
  - {names: "node[1-3]", roles: [compute]}
  - {names: core1, roles: [switch], platform: cisco_nxos}
`;

const home = emptyFolder('completion');
const site = join(home, 'site.yaml');
writeFileSync(site, SITE, { mode: 0o600 });
const other = join(home, 'other.yaml');
writeFileSync(other, 'site: y\nhosts: [{names: far1, roles: [compute]}]\n', { mode: 0o600 });

mkdirSync(join(home, 'config/faultline/sites'), { recursive: true });
writeFileSync(join(home, 'config/faultline/sites/north.yaml'), SITE, { mode: 0o600 });

/** What is offered for the last word, without its texts. */
const offered = async (...words: readonly string[]): Promise<string[]> => {
  const fake = fakeIo('', { FAULTLINE_SITE: site, HOME: home, XDG_CONFIG_HOME: join(home, 'config') });
  expect(await cli(['complete', '--', ...words], fake.io, parts)).toBe(0);
  return fake
    .out()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t')[0] ?? '');
};

describe('what the last word can become', () => {
  it.each<[words: string[], first: string[]]>([
    [['stat'], ['status']],
    [
      ['act', 'slurm.re'],
      ['slurm.resume', 'slurm.reboot'],
    ],
    [
      ['act', 'slurm.drain', 'node'],
      ['node1', 'node2', 'node3'],
    ],
    [
      ['act', 'slurm.drain', 'node1', 'node'],
      ['node1', 'node2', 'node3'],
    ],
    [['act', '--dry-run', 'slurm.drain', 'ctl'], ['ctl1']],
    [['act', 'switch.shut', 'co'], ['core1']],
    [['act', '--site', other, 'slurm.drain', ''], ['far1']],
    [['act', 'slurm.drain', '--set', 're'], ['reason=']],
    [['status', '--system', 'lu'], ['lustre']],
    [['status', '--incident', 'hdfs'], ['hdfs-lost']],
    [['status', '--incident=hdfs'], ['--incident=hdfs-lost']],
    [['status', '--qui'], ['--quick']],
    [['status', '--site', 'x'], [':files']],
    [
      ['status', '--site', 'no'],
      [':files', 'north'],
    ],
    [['--theme', 'li'], ['light']],
    [['parse', 'slurm.pin'], ['slurm.ping']],
    [['parse', 'slurm.ping', ''], [':files']],
    [['audit', 'ver'], ['verify']],
    [['help', 'exit'], ['exit-codes']],
    [['completion', 'f'], ['fish']],
    [['act', 'undo:r-1', 'node'], []],
    [['nonsense', 'x'], []],
  ])('%j', async (words, first) => expect(await offered(...words)).toEqual(first));

  it('is nothing where the site file is wrong: a shell can show no error', async () => {
    writeFileSync(site, 'hosts: 7\n');
    expect(await offered('act', 'slurm.drain', '')).toEqual([]);
    writeFileSync(site, SITE);
  });

  it('never offers the command that shells ask', async () =>
    expect(await offered('comp')).toEqual(['completion']));
});

/** A program of that name that prints what it was asked, as `faultline complete` would answer. */
const stub = join(home, 'faultline');
writeFileSync(
  stub,
  '#!/bin/sh\ncase $5 in --site) echo :files ;; *) printf "%s\\ttext\\n" "node[1-2]" "core1:te1/1" "word-$#" ;; esac\n',
);
chmodSync(stub, 0o755);

const inShell = async (shell: 'bash' | 'zsh' | 'fish', rest: string, before = ''): Promise<string[]> => {
  const fake = fakeIo();
  expect(await cli(['completion', shell], fake.io, parts)).toBe(0);
  const script = join(home, `script.${shell}`);
  writeFileSync(script, fake.out());
  const flags = { bash: ['--noprofile', '--norc'], zsh: ['-f'], fish: ['--no-config'] }[shell];
  const { status, stdout, stderr } = spawnSync(shell, [...flags, '-c', `${before}\n. ${script}\n${rest}`], {
    encoding: 'utf8',
    env: { PATH: `${home}:${process.env['PATH'] ?? ''}`, HOME: home },
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.trim().split('\n');
};

const isInstalled = (shell: string): boolean =>
  existsSync(`/usr/bin/${shell}`) || existsSync(`/bin/${shell}`);

describe('the scripts in their shells', () => {
  it('bash passes each word as it stands, an empty last one too', async () => {
    const rest =
      "COMP_WORDS=(faultline act slurm.drain '') COMP_CWORD=3\n_faultline\nprintf '%s\\n' \"${COMPREPLY[@]}\"";
    expect(await inShell('bash', rest)).toEqual(['node[1-2]', 'core1:te1/1', 'word-5']);
  });

  it('bash runs nothing that stands in the line', async () => {
    const ran = join(home, 'ran');
    await inShell('bash', `COMP_WORDS=(faultline act '$(touch ${ran})' '') COMP_CWORD=3\n_faultline\necho`);
    expect(existsSync(ran)).toBe(false);
  });

  it.skipIf(!isInstalled('zsh'))('zsh gives names with their texts, colons escaped', async () => {
    const rest =
      "_files() { print files; }\n_describe() { print -rl -- ${(P)2}; }\nwords=(faultline act slurm.drain '') CURRENT=4\n_faultline";
    expect(await inShell('zsh', rest, 'compdef() { :; }')).toEqual([
      'node[1-2]:text',
      'core1\\:te1/1:text',
      'word-5:text',
    ]);
  });

  it.skipIf(!isInstalled('fish'))('fish asks the program itself', async () =>
    expect(await inShell('fish', "complete -C 'faultline act slurm.drain '")).toEqual([
      'core1:te1/1\ttext',
      'node[1-2]\ttext',
      'word-5\ttext',
    ]),
  );
});
