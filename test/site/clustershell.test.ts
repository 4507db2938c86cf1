import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askNodeset } from '../../src/site/clustershell.ts';
import { loadSite } from '../../src/site/load.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { knowledge } from './knowledge.ts';

/** A folder with a `nodeset` that does this; `$*` are its words. */
const nodeset = (script: string): { PATH: string } => {
  const folder = emptyFolder('nodeset');
  writeFileSync(join(folder, 'nodeset'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'nodeset'), 0o755);
  return { PATH: `${folder}:/usr/bin:/bin` };
};

/** As ClusterShell 1.9.1 answers: nothing and exit 0 for a group that is not there. */
const ordinary = `case "$*" in
"-f @gpu") echo "node[5-6]" ;;
"-f @rack:r1") echo "node[1-2]" ;;
"-f @bad:x") echo 'nodeset: Unknown group source: "bad"' >&2; exit 1 ;;
"-l") printf '@gpu\\n@compute\\n' ;;
"-l -s rack") printf '@rack:r1\\n' ;;
*) echo ;;
esac`;

describe('groups of ClusterShell', () => {
  it('are asked of nodeset; none, or an empty one, is an unknown one', async () => {
    const told = await askNodeset(['gpu', 'rack:r1', 'gup', 'rack:r9', 'bad:x'], nodeset(ordinary));
    expect(told.get('gpu')).toEqual(['node5', 'node6']);
    expect(told.get('rack:r1')).toEqual(['node1', 'node2']);
    const why = 'ClusterShell has none of that name, or it is empty';
    expect(told.get('gup')).toEqual({ why, known: ['gpu', 'compute'] });
    expect(told.get('rack:r9')).toEqual({ why, known: ['rack:r1'] });
    expect(told.get('bad:x')).toEqual({ why: 'nodeset failed (Unknown group source: "bad")', known: [] });
  });

  it.each([
    ['hangs with what it began', 'sleep 600 & sleep 600', /did not answer for 5 s/],
    ['prints for ever', 'yes node1,', /printed more than 4000000 bytes|did not answer/],
    ['is killed', 'kill -9 $$', /nodeset failed/],
    ['exits 127', 'echo "no python" >&2; exit 127', /nodeset failed \(no python\)/],
    [
      'prints escapes',
      String.raw`printf 'nodeset: \033[2Jboo\n' >&2; exit 1`,
      /nodeset failed \([^\x1b]*boo\)/,
    ],
    ['prints no node set', 'echo "node[1-"', /answer was not understood: brackets do not match/],
    ['names too many', 'echo "node[1-200000]"', /stands for more than 100000 names/],
  ])('one that %s is a line that says so', async (_, script, said) => {
    const began = performance.now();
    const told = await askNodeset(['gpu'], nodeset(script), 2000);
    expect(told.get('gpu')).toMatchObject({ why: expect.stringMatching(said) as string });
    expect(performance.now() - began).toBeLessThan(30_000);
  });

  it('are told to be unknown where ClusterShell is not installed', async () => {
    expect((await askNodeset(['gpu'], { PATH: emptyFolder('none') })).get('gpu')).toEqual({
      why: 'ClusterShell is not installed here (no nodeset)',
      known: [],
    });
  });

  it('stand in a site file; what a system tells later is known where it selects, and not which hosts there are', async () => {
    const file = join(emptyFolder('site'), 'site.yaml');
    const write = (names: string): void => {
      writeFileSync(file, `site: x\nhosts:\n  - {names: "${names}", roles: [compute]}\n`, { mode: 0o600 });
    };
    const load = () => loadSite(file, knowledge, undefined, nodeset(ordinary));
    write('@gpu,@rack:r1!node1');
    expect((await load()).site.hosts.map(({ name }) => name)).toEqual(['node5', 'node6', 'node2']);
    write('@gpv');
    await expect(load()).rejects.toThrow(`${file}:3:13: there is no group "@gpv"; did you mean "@gpu"?`);
    write('@slurm:batch');
    await expect(load()).rejects.toThrow(
      `${file}:3:13: "@slurm:batch" is known only once Slurm was read, and this must be known before; name the hosts`,
    );
    const text = [
      'site: x',
      'groups: {new: "@slurm:batch!node1"}',
      'hosts: [{names: "@gpu", roles: [compute]}]',
      'windows: [{from: 2026-12-01T08:00Z, to: 2026-12-01T16:00Z, subjects: ["@new", "@slurm:gpu,node9", node5, "@gpu"], text: w}]',
    ];
    writeFileSync(file, text.join('\n'), { mode: 0o600 });
    const { site } = await load();
    expect(site.windows[0]).toMatchObject({
      subjects: ['node5', 'node5', 'node6'],
      later: ['@new', '@slurm:gpu,node9'],
    });
    expect(() => site.expand('@new')).toThrow('"@slurm:batch" is known only once Slurm was read');
    expect(
      site.expand('@new,@gpu', (name) => (name === 'slurm:batch' ? ['node1', 'node2'] : undefined)),
    ).toEqual(['node2', 'node5', 'node6']);
    // What is wrong for good is told, whatever else is known later.
    writeFileSync(file, [...text, 'runbooks: []', ''].join('\n').replace('!node1', '!@gpv'), { mode: 0o600 });
    await expect(load()).rejects.toThrow('there is no group "@gpv"');
    writeFileSync(
      file,
      'site: x\nhosts: [{names: g1, roles: [gluster]}]\ntraffic: [{probe: gluster.flood, between: "02:00-05:00", every: 6h, hosts: "@slurm:a"}]',
      { mode: 0o600 },
    );
    await expect(load()).rejects.toThrow('this must be known before; name the hosts');
  });
});
