import { describe, expect, it } from 'vitest';
import { cli } from '../../src/commands/cli.ts';
import { UsageError, type Io } from '../../src/commands/io.ts';
import type { Parts } from '../../src/commands/command-line.ts';
import { NoSiteFile, SiteError } from '../../src/site/problem.ts';
import { fakeIo } from './fake-io.ts';
import { commandHelp } from '../../src/registries/help.ts';

type Name = keyof Parts['commands'];

/** Runs a command line on commands that only note their options; `result` is what they give or throw. */
const type = async (words: string, result: number | Error = 0) => {
  const calls: { name: Name; options: unknown }[] = [];
  const loader = (name: Name) => async () => ({
    run: async (options: unknown, _io: Io) => {
      calls.push({ name, options });
      if (result instanceof Error) throw result;
      return result;
    },
  });
  const parts: Parts = {
    version: '1.2.3',
    commands: {
      console: loader('console'),
      demo: loader('demo'),
      wall: loader('wall'),
      status: loader('status'),
      act: loader('act'),
      actions: loader('actions'),
      parse: loader('parse'),
      doctor: loader('doctor'),
      init: loader('init'),
      audit: loader('audit'),
      help: loader('help'),
      completion: loader('completion'),
      complete: loader('complete'),
    },
    help: commandHelp,
    names: {
      systems: async () => ['slurm', 'gluster'],
      actions: async () => ['slurm.resume', 'slurm.drain'],
      systemsOfSites: async () => ['checks'],
      incidents: async () => ['hdfs-lost', 'breaker', 'night', 'quiet'],
    },
  };
  const fake = fakeIo();
  const code = await cli(
    words === '' ? [] : words.split(' ').map((word) => word.replaceAll('_', ' ')),
    fake.io,
    parts,
  );
  return { code, call: calls[0], calls: calls.length, out: fake.out(), err: fake.err() };
};

describe('what is handed over', () => {
  it.each<[string, Name, object]>([
    ['', 'console', { readOnly: false, mouse: true }],
    ['--site s.yaml --read-only', 'console', { site: 's.yaml', readOnly: true, mouse: true }],
    ['demo', 'demo', { list: false, mouse: true }],
    ['demo --incident breaker', 'demo', { incident: 'breaker', list: false, mouse: true }],
    ['demo --list', 'demo', { list: true, mouse: true }],
    ['demo --theme light --no-mouse', 'demo', { list: false, theme: 'light', mouse: false }],
    ['--theme contrast wall', 'wall', { demo: false, sites: [], theme: 'contrast' }],
    ['wall', 'wall', { demo: false, sites: [] }],
    ['wall --site s.yaml', 'wall', { sites: ['s.yaml'], demo: false }],
    ['wall --site s.yaml --site t.yaml', 'wall', { sites: ['s.yaml', 't.yaml'], demo: false }],
    ['--site s.yaml wall', 'wall', { sites: ['s.yaml'], demo: false }],
    ['wall --demo', 'wall', { demo: true, sites: [] }],
    ['status', 'status', { demo: false, json: false }],
    ['status --json --system slurm', 'status', { demo: false, json: true, system: 'slurm' }],
    ['status --incident quiet', 'status', { demo: true, incident: 'quiet', json: false }],
    ['status --with our.yaml', 'status', { demo: true, with: 'our.yaml', json: false }],
    ['demo --with our.yaml', 'demo', { with: 'our.yaml', list: false, mouse: true }],
    ['doctor --demo --json', 'doctor', { demo: true, json: true }],
    [
      'act slurm.resume node1',
      'act',
      {
        demo: false,
        action: 'slurm.resume',
        targets: ['node1'],
        set: {},
        dryRun: false,
        keepIfVerified: false,
        json: false,
      },
    ],
    [
      'act slurm.drain node1 node2 --demo --set a=b --set c=d=e --reason bad_DIMM --dry-run --confirm y --keep-if-verified --json',
      'act',
      {
        demo: true,
        action: 'slurm.drain',
        targets: ['node1', 'node2'],
        set: { a: 'b', c: 'd=e' },
        reason: 'bad DIMM',
        dryRun: true,
        confirm: 'y',
        keepIfVerified: true,
        json: true,
      },
    ],
    ['parse slurm.nodes', 'parse', { format: 'slurm.nodes' }],
    [
      'parse f x.txt --platform p --stderr e.txt --exit 1 --tz UTC',
      'parse',
      { format: 'f', file: 'x.txt', platform: 'p', stderr: 'e.txt', exit: 1, tz: 'UTC' },
    ],
    ['audit', 'audit', { verb: 'show', json: false }],
    [
      'audit report --since 20:00 --site s --file f --json',
      'audit',
      { verb: 'report', since: '20:00', site: 's', file: 'f', json: true },
    ],
  ])('%s', async (words, name, options) => {
    const { code, call, err } = await type(words);
    expect(err).toBe('');
    expect(call).toEqual({ name, options });
    expect(code).toBe(0);
  });

  it('and the code is the one of the command', async () => {
    expect((await type('status', 2)).code).toBe(2);
  });
});

describe('a wrong command line exits 64, says what is near and runs nothing', () => {
  it.each([
    ['statsu', 'unknown command "statsu"; did you mean "status"?'],
    [
      'frobnicate',
      'unknown command "frobnicate"; known: demo, wall, status, act, actions, parse, doctor, init, audit, help, completion',
    ],
    ['--verson', "unknown option '--verson'"],
    ['status --jsn', 'Did you mean --json?'],
    ['status extra', 'too many arguments'],
    ['status --system slrum', 'unknown system "slrum"; did you mean "slurm"?'],
    ['status --site', "option '--site <file>' argument missing"],
    ['status --demo --site s', 'two different sites'],
    ['status --with f --site s', '--site and --with mean two different sites'],
    ['demo --incident brekaer', 'unknown incident "brekaer"; did you mean "breaker"?'],
    ['wall --incident nothing-like-it', 'known: hdfs-lost, breaker, night, quiet'],
    ['act slurm.resum node1', 'unknown action "slurm.resum"; did you mean "slurm.resume"?'],
    ['act slurm.resume', "missing required argument 'target'"],
    ['act slurm.resume n1 --set a', 'Write it as name=value.'],
    ['act slurm.resume n1 --set a=1 --set a=2', 'a is given twice.'],
    ['--read-only act slurm.resume n1', 'act changes machines; leave out --read-only'],
    ['parse', "missing required argument 'format'"],
    ['parse f --exit x', 'whole number from 0 to 255'],
    ['parse f --exit 256', 'whole number from 0 to 255'],
    ['audit verfiy', 'unknown audit verb "verfiy"; did you mean "verify"?'],
  ])('%s', async (words, message) => {
    const { code, calls, out, err } = await type(words);
    expect(err).toContain(message);
    expect(err).toMatch(/^faultline: /);
    expect(out).toBe('');
    expect(code).toBe(64);
    expect(calls).toBe(0);
  });

  it('shows hostile words visibly', async () => {
    const { err } = await type('\u001b]0;x\u0007');
    expect(err).toContain('^[]0;x^G');
    expect((await type('--\u001b[31m')).err).toContain('--^[[31m');
  });
});

describe('what goes wrong in a command', () => {
  it('is 64 for a usage error', async () => {
    expect(await type('status', new UsageError('no such thing; try another'))).toMatchObject({
      code: 64,
      err: 'faultline: no such thing; try another\n',
    });
  });

  it('is 78 for the site file, every fault on its line', async () => {
    expect(await type('status', new SiteError(['s:1:1: a', 's:2:1: b']))).toMatchObject({
      code: 78,
      err: 's:1:1: a\ns:2:1: b\n',
    });
    expect(await type('status', new NoSiteFile(['none']))).toMatchObject({
      code: 78,
      err: 'none\n',
      out: '',
    });
  });

  it('is no fault for the console when there is no site file yet: it says how to make one', async () => {
    expect(await type('', new NoSiteFile(['make one']))).toMatchObject({
      code: 0,
      out: 'make one\n',
      err: '',
    });
  });

  it('is 70 for a defect, without a stack on the screen', async () => {
    const { code, err } = await type('status', new Error('bad\u001b[2J'));
    expect(code).toBe(70);
    expect(err).toContain('a defect in the program: bad^[[2J');
    expect(err).not.toContain('at ');
  });
});

describe('help', () => {
  it('prints the version', async () => {
    expect(await type('--version')).toMatchObject({ code: 0, out: '1.2.3\n' });
  });

  it('names every command, and no hidden one', async () => {
    const { code, out } = await type('--help');
    expect(code).toBe(0);
    for (const name of ['demo', 'wall', 'status', 'act', 'parse', 'doctor', 'audit'])
      expect(out).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(out).not.toMatch(/^  console/m);
  });

  it.each(['demo', 'wall', 'status', 'act', 'parse', 'doctor', 'audit'])(
    'of %s fits a narrow terminal',
    async (name) => {
      const { code, out } = await type(`${name} --help`);
      expect(code).toBe(0);
      expect(out).toContain(`Usage: faultline ${name}`);
      for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
    },
  );
});
