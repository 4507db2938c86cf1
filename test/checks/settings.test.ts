import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checksOf } from '../../probes/checks/definitions.ts';
import { knowledge } from '../../src/commands/open-site.ts';
import { loadSite } from '../../src/site/load.ts';
import { parseSite } from '../../src/site/parse.ts';
import { SiteError } from '../../src/site/problem.ts';
import { viewOf } from '../../src/site/view.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { siteWith } from './make.ts';

const faultOf = (...lines: readonly string[]): string => {
  try {
    siteWith(...lines);
  } catch (error) {
    if (error instanceof SiteError) return error.message;
    throw error;
  }
  return '';
};

const action = (more: string): string =>
  `x: {run: "true", on: ctl1, actions: {restart: {run: "systemctl restart x", users: nothing, ${more}}}}`;

describe('checks in the site file', () => {
  it('one line switches one of the library on, where its hosts have the roles', () => {
    const check = checksOf(siteWith('munge: {use: munge}')).get('munge');
    expect([...(check?.places.hosts ?? [])]).toEqual([
      'ctl1',
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((at) => `node${at}`),
    ]);
    expect(check).toMatchObject({ probe: 'checks.munge', everyMs: 60_000, timeoutMs: 10_000 });
    expect(check?.scriptFor('ctl1')).toContain('unmunge');
  });

  it('roles and node sets say where', () => {
    const site = siteWith('x: {run: "true", on: [here, "node[2-3]", slurm-controller]}');
    expect([...(checksOf(site).get('x')?.places.hosts ?? [])]).toEqual(['console', 'node2', 'node3', 'ctl1']);
  });

  it('groups of the site file say where, too', () => {
    const text = 'site: x\ngroups: {gpu: "node[1-2]"}\nhosts: [{names: "node[1-4]", roles: [compute]}]\n';
    const read = (on: string) =>
      checksOf(
        viewOf(parseSite(`${text}checks: {a: {run: "true", on: "${on}"}}\n`, 'x', knowledge).site),
      ).get('a');
    expect([...(read('node[1-4]!@gpu')?.places.hosts ?? [])]).toEqual(['node3', 'node4']);
    expect(() => read('@gpus')).toThrow(/checks|gpus/);
  });

  it('a host is a word of its own, never part of a text', () => {
    const site = siteWith(
      'a: {run: "check_x -H $1", on: ctl1}',
      'b: {run: [check_x, -H, "{host}", "x {host}"], on: ctl1}',
    );
    expect(checksOf(site).get('a')?.scriptFor(`o'x; rm`)).toBe(`sh -c 'check_x -H $1' check 'o'\\''x; rm'`);
    expect(checksOf(site).get('b')?.scriptFor(`o'x; rm`)).toBe(`check_x -H 'o'\\''x; rm' 'x {host}'`);
  });

  it('what a check of the library is told is quoted', () => {
    const site = siteWith('c: {use: certificates, with: {certificates: "$(id)", warn_days: 30}}');
    const script = checksOf(site).get('c')?.scriptFor('console') ?? '';
    expect(script.split('\n').slice(0, 3)).toEqual(["certificates='$(id)'", 'warn_days=30', 'crit_days=7']);
  });

  it.each([
    ['neither command nor library', 'x: {on: ctl1}', '7:6: checks.x.run is missing; name a command'],
    ['both', 'x: {run: "true", use: munge}', 'checks.x.run stands beside "use"; keep one of them'],
    ['an unknown check of the library', 'x: {use: mungee}', 'did you mean "munge"?'],
    ['nowhere', 'x: {run: "true"}', 'checks.x is asked on no host; say where with "on"'],
    [
      'a role that no host has',
      'x: {run: "true", on: gluster}',
      'no host is called "gluster", and none has that role',
    ],
    ['a host that is not there', 'x: {run: "true", on: "node[7-9]"}', 'no host is called "node9"'],
    ['no node set', 'x: {run: "true", on: "node["}', 'is not a node set'],
    ['a name with a dot', 'x.y: {run: "true", on: ctl1}', 'is not a good name'],
    [
      'load of the network',
      'x: {run: "true", on: ctl1, touches: traffic}',
      'checks.x.touches "traffic" is not known',
    ],
    ['too often', 'x: {run: "true", on: ctl1, every: 1s}', 'is not a duration of 5 s to 1 d'],
    [
      'a range that is none',
      'x: {run: "true", on: ctl1, thresholds: {a: {warning: ten}}}',
      'is not a range of Nagios plug-ins',
    ],
    [
      'an expression of another engine',
      `x: {run: "true", on: ctl1, format: text, match: '(?=x)'}`,
      'not a regular expression of RE2',
    ],
    ['an expression without its format', 'x: {run: "true", on: ctl1, match: x}', 'is only for format: text'],
    [
      'parameters that there are not',
      'x: {use: dns, with: {nams: a}}',
      'check dns takes no "nams"; known: names, servers',
    ],
    [
      'a check of the library that is told nothing',
      'x: {use: dns}',
      'does not say which; add with: {names: ...}',
    ],
    ['escapes', 'x: {run: "true", on: ctl1, summary: "\\e[31m"}', 'holds control or invisible characters'],
  ])('%s is told with its place', (_, line, says) => {
    const fault = faultOf(line);
    expect(fault).toMatch(/^site\.yaml:7:\d+: /);
    expect(fault).toContain(says);
  });

  it.each([
    ['no verification', 'guards: [], undo: none', 'verify is missing'],
    ['no word on the undo', 'guards: [], verify: x', 'undo must say what undoes it; write none'],
    ['no word on guards', 'verify: x, undo: none', 'guards is missing'],
    ['a verification that is no check', 'guards: [], verify: y, undo: none', 'there is no check "y"'],
    [
      'reversible without an undo',
      'class: reversible, guards: [], verify: x, undo: none',
      'is reversible without an undo',
    ],
    ['two lines', 'guards: [], verify: x, undo: {run: "a\\nb"}', 'would not be shown as it is sent'],
    ['a class that there is not', 'class: harmless, guards: [], verify: x, undo: none', 'is not known'],
  ])('an action with %s is refused', (_, more, says) => expect(faultOf(action(more))).toContain(says));

  it('a check that is not read everywhere can not guard', () =>
    expect(
      faultOf(
        'x: {run: "true", on: [ctl1, node1], actions: {go: {run: "true", users: nothing, guards: [y], verify: x, undo: none}}}',
        'y: {run: "true", on: ctl1}',
      ),
    ).toContain('y is not asked on node1, where x is'));
});

describe('checks.d', () => {
  const folderWith = (
    files: Readonly<Record<string, string>>,
    site = 'checks: {a: {run: "true", on: ctl1}}\n',
  ) => {
    const folder = emptyFolder('checks-d');
    chmodSync(folder, 0o755);
    const file = join(folder, 'site.yaml');
    writeFileSync(file, `site: x\nhosts: [{names: ctl1, roles: [slurm-controller]}]\n${site}`, {
      mode: 0o600,
    });
    mkdirSync(join(folder, 'checks.d'), { mode: 0o755 });
    for (const [name, text] of Object.entries(files))
      writeFileSync(join(folder, 'checks.d', name), text, { mode: 0o600 });
    return { folder, file };
  };
  const faultOfFile = async (file: string): Promise<string> => {
    const error: unknown = await loadSite(file, knowledge).catch((reason: unknown) => reason);
    if (!(error instanceof SiteError)) throw new Error('expected a SiteError', { cause: error });
    return error.message;
  };

  it('brings checks, beside those of the site file or without any there', async () => {
    for (const site of [undefined, '']) {
      const { file } = folderWith({ 'b.yaml': 'b: {use: munge}\n', 'c.yml': '', 'notes.txt': '{' }, site);
      const { settings } = (await loadSite(file, knowledge)).site;
      expect(Object.keys(settings['checks'] ?? {})).toEqual(site === undefined ? ['a', 'b'] : ['b']);
    }
  });

  it('mistakes are told with the file, line and column they are in', async () => {
    const { file, folder } = folderWith({
      'b.yaml': 'b:\n  use: munge\n  every: often\n',
      'c.yaml': '# one\na: {use: munge}\n',
      'd.yaml': '- munge\n',
      'e.yaml': 'e: [\n',
    });
    const at = (name: string): string => join(folder, 'checks.d', name);
    expect(await faultOfFile(file)).toContain(`${at('c.yaml')}:2:1: "a" is there already in the site file`);
    expect(await faultOfFile(file)).toContain(`${at('d.yaml')}:1:1: is no map of names`);
    expect(await faultOfFile(file)).toContain(`${at('e.yaml')}:2:1: not valid YAML`);
    const other = folderWith({ 'b.yaml': 'b:\n  use: munge\n  every: often\n' });
    expect(await faultOfFile(other.file)).toBe(
      `${join(other.folder, 'checks.d/b.yaml')}:3:10: checks.b.every is not a duration of 5 s to 1 d; write it as 1min`,
    );
  });

  it('a file or folder that others may write to is refused, also by its group', async () => {
    const { file, folder } = folderWith({ 'b.yaml': 'b: {use: munge}\n' });
    chmodSync(join(folder, 'checks.d/b.yaml'), 0o664);
    expect(await faultOfFile(file)).toMatch(/b\.yaml: can be written by its group/);
    chmodSync(join(folder, 'checks.d/b.yaml'), 0o600);
    chmodSync(join(folder, 'checks.d'), 0o775);
    expect(await faultOfFile(file)).toMatch(/its folder .*checks\.d can be written by its group/);
    chmodSync(join(folder, 'checks.d'), 0o755);
    expect((await loadSite(file, knowledge)).warnings).toEqual([]);
  });

  it.runIf(process.getuid?.() === 0)(
    'a site file that brings commands is not for the group of root either',
    async () => {
      const { file } = folderWith({});
      chmodSync(file, 0o664);
      expect(await faultOfFile(file)).toMatch(
        /:3:9: checks brings commands, but this file can be written by its group/,
      );
      writeFileSync(file, 'site: x\nhosts: [{names: ctl1}]\n');
      expect((await loadSite(file, knowledge)).site.name).toBe('x');
    },
  );
});
