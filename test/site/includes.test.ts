import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadSite, type LoadedSite } from '../../src/site/load.ts';
import { SiteError } from '../../src/site/problem.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { knowledge } from './knowledge.ts';

let folder: string;
beforeEach(() => {
  folder = emptyFolder('site');
});

const write = (name: string, ...lines: string[]): string => {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, `${lines.join('\n')}\n`);
  chmodSync(path, 0o600);
  return path;
};

const load = (): Promise<LoadedSite> => loadSite(join(folder, 'site.yaml'), knowledge);

const faults = async (): Promise<readonly string[]> => {
  const error: unknown = await load().catch((reason: unknown) => reason);
  if (!(error instanceof SiteError)) throw new Error('expected a SiteError', { cause: error });
  return error.lines.map((line) => line.replaceAll(`${folder}/`, ''));
};

const root = [
  'site: x',
  'include: [more/racks.yaml, people.yaml]',
  'hosts: [{names: ctl1, roles: [slurm-controller]}]',
];
const racks = [
  'groups: {rack1: "node[1-2]"}',
  'include: [deeper.yaml]',
  'hosts:',
  '  - {names: "@rack1", roles: [compute]}',
];
const people = ['runbooks: [{finding: "slurm:*", contact: oncall}]', 'intervals: {slurm.nodes: 30s}'];

describe('include', () => {
  it('puts lists and maps together; paths are relative to the file that names them', async () => {
    write('site.yaml', ...root, 'intervals: {slurm.health: 1min}', 'groups: {all: "@rack1,ctl1"}');
    write('more/racks.yaml', ...racks, 'sshConfig: ssh_config');
    write('more/deeper.yaml', 'hosts: [{names: node9, roles: [compute]}]');
    const ssh = write('more/ssh_config', 'Host *');
    write('people.yaml', ...people);
    const { site, warnings, files } = await load();
    expect(warnings).toEqual([]);
    expect(site.hosts.map(({ name }) => name)).toEqual(['ctl1', 'node1', 'node2', 'node9']);
    expect(site.intervals).toEqual({ 'slurm.nodes': 30_000, 'slurm.health': 60_000 });
    expect(site.expand('@all')).toEqual(['node1', 'node2', 'ctl1']);
    expect(site.sshConfig).toBe(ssh);
    expect(files.map((one) => one.replace(`${folder}/`, ''))).toEqual([
      'site.yaml',
      'more/racks.yaml',
      'more/deeper.yaml',
      'people.yaml',
    ]);
  });

  it('tells what is wrong in the file and line where it stands', async () => {
    write('site.yaml', ...root, 'rulez: {}');
    write(
      'more/racks.yaml',
      'hosts:',
      '  - {names: node1, roles: [compute]}',
      '  - {names: node2, roles: [compte]}',
    );
    write('people.yaml', 'hosts:', '  - {names: ctl1}', 'intervals: {slurm.nodez: 30s}');
    expect(await faults()).toEqual([
      'site.yaml:4:1: unknown key "rulez", ignored; did you mean "rules"?',
      'more/racks.yaml:3:28: hosts[1].roles[0] "compte" is not known; did you mean "compute"?',
      'people.yaml:2:13: host "ctl1" is already on line 3 of site.yaml; give a host one entry with all its roles',
      'people.yaml:3:13: "slurm.nodez" is not a probe; did you mean "slurm.nodes"?',
    ]);
  });

  it('tells what two files set', async () => {
    write('site.yaml', ...root, 'groups: {a: n1}', 'slurm: {limits: {partitionOut: 10%}}');
    write('more/racks.yaml', 'site: y', 'groups: {a: n2, b: n3}', 'slurm: {limits: {partitionOut: 20%}}');
    write('people.yaml', 'hosts: none');
    expect(await faults()).toEqual([
      'more/racks.yaml:1:1: "site" is set already on line 1 of site.yaml; keep one of them',
      'more/racks.yaml:2:10: "groups.a" is set already on line 4 of site.yaml; keep one of them',
      'more/racks.yaml:3:9: "slurm.limits" is set already on line 5 of site.yaml; keep one of them',
      'people.yaml:1:1: "hosts" is set already on line 3 of site.yaml; keep one of them',
    ]);
  });

  it('tells files that are missing, empty, no YAML, or that others may write to', async () => {
    write(
      'site.yaml',
      'site: x',
      'include:',
      '  - none.yaml',
      '  - shared.yaml',
      '  - open/file.yaml',
      'hosts: [{names: a}]',
    );
    chmodSync(write('shared.yaml', 'groups: {}'), 0o666);
    write('open/file.yaml', 'groups: {}');
    chmodSync(join(folder, 'open'), 0o777);
    const [missing, shared, open, ...rest] = await faults();
    expect(rest).toEqual([]);
    expect(missing).toBe(
      'site.yaml:3:5: include: none.yaml: no such file; check the path, or try "faultline demo"',
    );
    expect(shared).toMatch(/^site\.yaml:4:5: include: shared\.yaml: can be written by everybody/);
    expect(open).toMatch(
      /^site\.yaml:5:5: include: open\/file\.yaml: its folder open can be written by everybody/,
    );
    write('site.yaml', 'site: x', 'include: [empty.yaml, broken.yaml]', 'hosts: [{names: a}]');
    write('empty.yaml', '# nothing');
    write('broken.yaml', 'groups: {', 'x');
    const lines = await faults();
    expect(lines[0]).toBe(
      'empty.yaml:1:1: the file is empty; write keys of a site file, as "hosts:" or "groups:"',
    );
    expect(lines[1]).toMatch(/^broken\.yaml:\d+:\d+: not valid YAML/);
  });

  it('ends at a file that includes itself, that is there twice, or too deep', async () => {
    write('site.yaml', 'site: x', 'include: [a.yaml, b.yaml]', 'hosts: [{names: a}]');
    write('a.yaml', 'include: [b.yaml]');
    write('b.yaml', 'include:', '  - a.yaml', '  - same.yaml');
    symlinkSync('site.yaml', join(folder, 'same.yaml'));
    const [cycle, link, twice] = await faults();
    expect(cycle).toBe(
      'b.yaml:2:5: include: a.yaml includes this file, so it would never end: site.yaml → a.yaml → b.yaml → a.yaml',
    );
    expect(link).toContain('b.yaml:3:5: include: same.yaml includes this file, so it would never end');
    expect(twice).toBe(
      'site.yaml:2:19: include: b.yaml is there already, named on line 1 of a.yaml; leave one of them out',
    );
    for (let at = 0; at < 20; at++) write(`f${at}.yaml`, `include: [f${at + 1}.yaml]`);
    write('f20.yaml', 'groups: {}');
    write('site.yaml', 'site: x', 'include: [f0.yaml]', 'hosts: [{names: a}]');
    expect(await faults()).toEqual([
      'f15.yaml:1:11: include: f16.yaml stands more than 16 files deep; include it further up',
    ]);
  });

  it('tells a list that is none in an included file, too, whose files would be missing', async () => {
    for (const named of ['deeper.yaml', '[7]', '[""]']) {
      write('site.yaml', 'site: x', 'include: [more.yaml]', 'hosts: [{names: a}]');
      write('more.yaml', 'hosts: [{names: b}]', `include: ${named}`);
      expect(await faults()).toEqual([
        'more.yaml:2:1: "include" is no list of files; write it as include: [racks.yaml]',
      ]);
    }
  });

  it('is nothing where it is not a list: the schema says so', async () => {
    write('site.yaml', 'site: x', 'include: racks.yaml', 'hosts: [{names: a}]');
    expect(await faults()).toEqual(['site.yaml:2:10: include is a text; write it as a list: [racks.yaml]']);
  });
});
