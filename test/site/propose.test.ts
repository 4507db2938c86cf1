import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Draft, DraftHost } from '../../src/site/draft.ts';
import { proposeLines, unifiedDiff } from '../../src/site/propose.ts';
import { saveNew } from '../../src/commands/init/save.ts';
import { knowledge } from '../../src/commands/open-site.ts';
import { parseSite } from '../../src/site/parse.ts';
import { viewOf } from '../../src/site/view.ts';
import { emptyFolder } from '../helpers/folder.ts';

const host = (name: string, ...roles: string[]): DraftHost => ({
  name,
  roles,
  from: roles.map((role) => `${role}: said so`),
  order: 0,
});

const draftOf = (...hosts: DraftHost[]): Draft => ({
  head: [],
  name: { value: 'x', from: 'y' },
  hosts,
  afterHosts: [],
  sections: [{ system: 'gluster', settings: [{ key: 'sudo', value: true, from: 'tried' }] }],
  notes: [],
});

const propose = (text: string, draft: Draft) => {
  const { site } = parseSite(text, 'site.yaml', knowledge);
  const proposal = proposeLines(text, viewOf(site), draft);
  return { ...proposal, diff: unifiedDiff('site.yaml', text, proposal.insertions) };
};

const files: readonly (readonly [what: string, text: string])[] = [
  ['entries on one line', 'site: a\nhosts:\n  - {names: ctl1, roles: [slurm-controller]}\n'],
  ['entries not indented', 'hosts:\n- names: ctl1\n  roles: [slurm-controller]\n\n# the end\nsite: a\n'],
  ['comments behind the last entry', 'site: a\nhosts:\n  - names: ctl1 # one\n  # two\n\nreadOnly: true\n'],
  ['no line feed at the end', 'site: a\nhosts:\n  - {names: ctl1}'],
  ['a list of blocks', 'site: a\nhosts:\n  - names: ctl1\n    roles:\n      - slurm-controller\nzone: UTC\n'],
];

describe('what a file lacks', () => {
  it.each(files)('is added by patch: %s', (_, text) => {
    const { diff } = propose(text, draftOf(host('gl1', 'gluster'), host('gl2', 'gluster')));
    expect(diff.slice(2).filter((line) => line.startsWith('-'))).toEqual([]);
    const folder = emptyFolder('init-patch');
    const whole = text.endsWith('\n') ? text : `${text}\n`;
    writeFileSync(join(folder, 'site.yaml'), whole);
    execFileSync('git', ['apply', '-p0'], { cwd: folder, input: `${diff.join('\n')}\n` });
    const patched = readFileSync(join(folder, 'site.yaml'), 'utf8');
    const { site } = parseSite(patched, 'site.yaml', knowledge);
    expect(site.hosts.map(({ name }) => name)).toEqual(['ctl1', 'gl1', 'gl2']);
    expect(site.settings['gluster']).toMatchObject({ sudo: true });
    // Every line of the person is there still, in its order.
    let at = 0;
    for (const line of whole.split('\n')) {
      at = patched.split('\n').indexOf(line, at);
      expect(at).toBeGreaterThanOrEqual(0);
    }
  });

  it('is told in words where the hosts stand on one line', () => {
    const { diff, remarks } = propose(
      'site: a\nhosts: [{names: ctl1}]\ngluster: {}\n',
      draftOf(host('gl1', 'gluster')),
    );
    expect(diff).toEqual([]);
    expect(remarks.join('\n')).toContain('- { names: gl1, roles: [ gluster ] }');
  });

  it('roles of hosts that are there are told, never put into a line of a person', () => {
    const text = 'site: a\nhosts:\n  - {names: "gl[1-3]", roles: [nic]}\ngluster: {}\n';
    const { diff, remarks } = propose(text, draftOf(host('gl1', 'gluster'), host('gl2', 'gluster', 'nic')));
    expect(diff).toEqual([]);
    expect(remarks).toEqual(['gl[1-2]: add the role gluster, by what was found']);
  });

  it('is nothing where the file has it all, under whatever spelling', () => {
    const text =
      'site: a\nhosts:\n  - {names: GL1.example.org, roles: [gluster, nic]}\ngluster: {sudo: false}\n';
    expect(propose(text, draftOf(host('gl1', 'gluster')))).toEqual({ insertions: [], remarks: [], diff: [] });
  });
});

describe('a new file', () => {
  it('is its owner`s alone, and nothing is left beside it', () => {
    const folder = join(emptyFolder('init-save'), 'a', 'b');
    const file = join(folder, 'site.yaml');
    expect(saveNew(file, 'site: a\n')).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder)).toEqual(['site.yaml']);
  });

  it('never takes the place of one that somebody wrote', () => {
    const folder = emptyFolder('init-save');
    const file = join(folder, 'site.yaml');
    writeFileSync(file, 'mine');
    expect(saveNew(file, 'site: a\n')).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(readdirSync(folder)).toEqual(['site.yaml']);
  });
});
