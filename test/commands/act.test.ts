import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { carryOut, type Done } from '../../src/commands/act/carry-out.ts';
import { run } from '../../src/commands/act.ts';
import { targetsOf } from '../../src/commands/act/targets.ts';
import { doneLines } from '../../src/commands/act/text.ts';
import { run as audit } from '../../src/commands/audit.ts';
import { UsageError, type Io } from '../../src/commands/io.ts';
import type { ActOptions } from '../../src/commands/options.ts';
import { expand } from '../../src/text/nodeset.ts';
import type { Groups } from '../../src/text/set-arithmetic.ts';
import { exitCodeOf } from '../../src/remedy/result-text.ts';
import { emptyFolder } from '../helpers/folder.ts';
import { answer, createWorld, fakeAction, lostAnswer, node, type World } from '../remedy/world.ts';

const noGroups: Groups = {
  members: (name) => {
    throw new RangeError(`there is no group "@${name}"`);
  },
};

const caught = (): Writable & { text: string; isTTY?: boolean } => {
  const stream = new Writable({
    write(chunk, _, done) {
      stream.text += String(chunk);
      done();
    },
  }) as Writable & { text: string };
  stream.text = '';
  return stream;
};

const ioOf = (env: Record<string, string> = {}) => {
  const stdin: PassThrough & { isTTY?: boolean } = new PassThrough();
  return { stdin, stdout: caught(), stderr: caught(), env } satisfies Io;
};

const defaults: ActOptions = {
  action: 'fake.resume',
  targets: ['n1'],
  set: {},
  dryRun: false,
  keepIfVerified: false,
  json: false,
  demo: false,
};

describe('carryOut', () => {
  let world: World;
  beforeEach(() => {
    world = createWorld(3);
  });

  const act = async (
    over: Partial<ActOptions> & { danger?: 'service' | 'access' } = {},
    io = ioOf(),
  ): Promise<{ done: Done; out: string; lines: string }> => {
    const { danger, ...rest } = over;
    const options = { ...defaults, ...rest };
    const engine = danger
      ? world.engine({ actionSets: [{ system: 'fake', actions: [fakeAction({ danger })] }] })
      : world.engine();
    const subjects = options.targets.flatMap(expand).map(node);
    const done = await carryOut({
      engine,
      options,
      subjects,
      set: options.set,
      io,
      clock: world.clock,
    });
    return { done, out: io.stdout.text, lines: doneLines(done).join('\n') };
  };

  it('without --confirm shows the plan and what to confirm it with, and changes nothing: 4', async () => {
    const { done, out, lines } = await act();
    expect(exitCodeOf(done.outcome)).toBe(4);
    expect(out).toContain('ctl1: scontrol update n1 resume');
    expect(lines).toContain('add --confirm y to do it');
    expect(world.sent).toEqual([]);
  });

  it('names the text of higher classes, quoted for a shell', async () => {
    expect((await act({ danger: 'access' })).lines).toContain("--confirm 'resume n1'");
    expect((await act({ danger: 'service', targets: ['n1', 'n2'] })).lines).toContain("--confirm '2 nodes'");
  });

  it('of a set --confirm wants the number and a hash of its names: another expansion is refused', async () => {
    const set = { targets: ['n[1-2]'] };
    const wanted =
      /--confirm '(y 2 nodes [0-9a-f]{8})'/.exec((await act({ ...set, dryRun: true })).lines)?.[1] ?? '';
    expect(wanted).not.toBe('');
    const larger = { targets: ['n[1-3]'] };
    for (const [over, confirm] of [
      [set, 'y'],
      [set, wanted.replace('2 nodes', '3 nodes')],
      [larger, wanted],
      [{ targets: ['n1,n3'] }, wanted],
    ] as const) {
      const { done, lines } = await act({ ...over, confirm });
      expect(exitCodeOf(done.outcome), confirm).toBe(4);
      expect(lines).toContain(
        `"${confirm}" is not the confirmation text of these targets; add --confirm 'y `,
      );
    }
    expect(world.sent).toEqual([]);
    expect((await act({ targets: ['n2,n1'], confirm: wanted })).done.outcome).toBe('done');
    expect(world.sent).toHaveLength(2);
  });

  it('of a set of a higher class, too, and who types at a terminal sees what it stands for', async () => {
    const service = await act({ danger: 'service', targets: ['n[1-2]'] });
    expect(service.lines).toMatch(/--confirm '2 nodes [0-9a-f]{8}'/);
    const io = ioOf();
    io.stdin.isTTY = io.stdout.isTTY = true;
    io.stdin.end('y\n');
    expect((await act({ targets: ['n[1-2]'] }, io)).done.outcome).toBe('done');
  });

  it('--dry-run changes nothing and exits 0, or 4 when a target would be left out', async () => {
    expect((await act({ dryRun: true, confirm: 'y' })).done).toMatchObject({
      outcome: 'nothing',
      shown: true,
    });
    world.nodes['n2'] = { drained: true, reason: 'RMA' };
    world.clock.advance(10_000);
    expect((await act({ dryRun: true, targets: ['n1', 'n2'] })).done.outcome).toBe('refused');
    expect(world.sent).toEqual([]);
  });

  it('a wrong text is refused: 4', async () => {
    const { done } = await act({ confirm: 'yes' });
    expect(done).toMatchObject({ outcome: 'refused', refused: { guard: '8 confirmation' } });
    expect(world.sent).toEqual([]);
  });

  it('done is 0, with a line per target', async () => {
    const { done, out, lines } = await act({ confirm: 'y', targets: ['n1', 'n2'] });
    expect(exitCodeOf(done.outcome)).toBe(0);
    expect(out).toMatch(/n1 {2}verified \d\.\d s {2}n1 is up\nn2 {2}verified/);
    expect(lines).toBe('resume 2: 2 of 2 done and verified');
  });

  it('already so is 0', async () => {
    world.nodes['n1'] = { drained: false, reason: '' };
    const { done, lines } = await act({ confirm: 'y' });
    expect(exitCodeOf(done.outcome)).toBe(0);
    expect(lines).toContain('nothing to do');
  });

  it('access waits for its arming by itself', async () => {
    const { done } = await act({ confirm: 'resume n1', danger: 'access' });
    expect(done.outcome).toBe('done');
  });

  it('failed is 5, unknown is 6, the worst of several counts', async () => {
    world.act = () => answer({ exitCode: 1, stderr: 'slurm_update error: Invalid user id' });
    expect(exitCodeOf((await act({ confirm: 'y' })).done.outcome)).toBe(5);
    world.act = () => lostAnswer();
    expect(exitCodeOf((await act({ confirm: 'y', targets: ['n2'] })).done.outcome)).toBe(6);
  });

  it('a target that is left out makes it 4, although the rest is done', async () => {
    world.nodes['n2'] = { drained: true, reason: 'RMA' };
    const { done, lines } = await act({ confirm: 'y', targets: ['n1', 'n2'] });
    expect(exitCodeOf(done.outcome)).toBe(4);
    expect(world.nodes['n1']?.drained).toBe(false);
    expect(lines).toBe(
      'n2  refused  n2 was drained for "RMA"\nresume 1: done and verified: n1 is up; 1 left out',
    );
  });

  it('--json prints nothing but the document', async () => {
    expect((await act({ json: true, confirm: 'y' })).out).toBe('');
  });

  it('asks on a terminal for a reversible action, and takes only y', async () => {
    for (const [typed, outcome] of [
      ['n\n', 'refused'],
      ['y\n', 'done'],
    ] as const) {
      const io = ioOf();
      Object.assign(io.stdin, { isTTY: true });
      Object.assign(io.stdout, { isTTY: true });
      io.stdin.end(typed);
      expect((await act({}, io)).done.outcome).toBe(outcome);
    }
  });
});

describe('targetsOf', () => {
  const site = {
    file: 'site.yaml',
    hosts: [{ name: 'node12', roles: [], platform: 'linux', location: {}, legacy: false }],
    resolve: (_: string, id: string) => (id === 'node12' ? node('node12') : undefined),
  };

  it.each(['node*', 'node[1-2]*', 'ALL', 'all', 'a b', 'node12, node13'])('refuses %s', (typed) => {
    expect(() => targetsOf([typed], 'node', site, noGroups)).toThrow(/is a pattern; name each target/);
  });

  it('expands sets of nodes and hosts, each name once, in the order typed', () => {
    const all = { ...site, resolve: (_: string, id: string) => (/^n\d+$/.test(id) ? node(id) : undefined) };
    expect(targetsOf(['n[12-14]', 'n13,n2'], 'node', all, noGroups)).toEqual(
      ['n12', 'n13', 'n14', 'n2'].map(node),
    );
    expect(() => targetsOf(['n[12-14],x9'], 'node', all, noGroups)).toThrow('unknown node "x9"');
  });

  it.each([
    ['n[1-999999999]', /stands for more than 100000 names/],
    ['n[1-9', /brackets do not match/],
    ['n[a-b]', /not a number or range/],
    ['node12,', /an empty name/],
    ['[1-3]', /unknown node "1"/],
  ])('says what is wrong with %s', (typed, said) => {
    expect(() => targetsOf([typed], 'node', site, noGroups)).toThrow(said);
  });

  it('other kinds do not come in sets', () => {
    for (const kind of ['port', 'ost', 'volume', 'pair'] as const)
      expect(() => targetsOf(['core[1-2]:te3/46'], kind, site, noGroups)).toThrow(
        /only nodes and hosts come in sets/,
      );
  });

  it.each([
    ['port', 'node12', 'unknown port "node12"; a port is written as core3:te3/46'],
    ['port', 'node12:?', /is a pattern/],
    ['port', 'nod12:te3/46', 'unknown port "nod12:te3/46"; there is no host nod12, did you mean node12?'],
    ['port', 'sw9:te3/46', 'unknown port "sw9:te3/46"; site.yaml has no host sw9'],
    ['pair', 'node12', 'unknown pair "node12"; a pair is written as hostA:hostB'],
    ['pair', 'node12:nod12', 'unknown pair "node12:nod12"; there is no host nod12, did you mean node12?'],
    ['ost', 'OST1', 'unknown ost "OST1"; an ost is written as scratch-OST001e'],
    ['node', 'xyz', 'unknown node "xyz"; site.yaml has no host xyz'],
  ] as const)('says of a %s that is written as %s what would be right', (kind, typed, said) => {
    const of = (wanted: string, id: string) =>
      wanted === 'host' && id === 'node12' ? node('node12') : undefined;
    expect(() => targetsOf([typed], kind, { ...site, resolve: of }, noGroups)).toThrow(said);
  });

  it('calculates with groups, and refuses what stands for nothing', () => {
    const all = { ...site, resolve: (_: string, id: string) => (/^n\d+$/.test(id) ? node(id) : undefined) };
    const groups: Groups = {
      members: (name) => {
        if (name !== 'gpu') throw new RangeError(`there is no group "@${name}"; did you mean "@gpu"?`);
        return ['n1', 'n2', 'n3'];
      },
    };
    expect(targetsOf(['@gpu!n2', 'n9'], 'node', all, groups)).toEqual(['n1', 'n3', 'n9'].map(node));
    expect(() => targetsOf(['n[1-9]!@gup'], 'node', all, groups)).toThrow('did you mean "@gpu"?');
    expect(() => targetsOf(['@gpu&n9'], 'node', all, groups)).toThrow('"@gpu&n9" stands for no name at all');
    expect(() => targetsOf(['@gpu'], 'volume', all, groups)).toThrow(/only nodes and hosts come in sets/);
    expect(() => targetsOf(['@*'], 'node', all, groups)).toThrow(/is a pattern/);
  });

  it('names the nearest known', () => {
    expect(() => targetsOf(['nod12'], 'node', site, noGroups)).toThrow(
      new UsageError('unknown node "nod12"; did you mean "node12"?'),
    );
    expect(targetsOf(['node12'], 'node', site, noGroups)).toEqual([node('node12')]);
  });
});

describe('faultline act on the demo site', () => {
  let state: string;
  beforeEach(() => {
    state = emptyFolder('act');
  });

  it('resumes what passes, refuses what a person drained, and the log proves it until a byte is changed', async () => {
    const env = { ...process.env, XDG_STATE_HOME: state } as Record<string, string>;
    const resume = async () => {
      const io = ioOf(env);
      const code = await run(
        {
          ...defaults,
          action: 'slurm.resume',
          targets: ['node12', 'node140'],
          confirm: 'y',
          json: true,
          demo: true,
          incident: 'hdfs-lost',
        },
        io,
      );
      return { code, text: io.stdout.text };
    };
    let ran = await resume();
    // With two hundred servers and their client in this process the log can't be written while other work has the machine: it says so, and nothing was sent.
    for (let tries = 0; tries < 5 && ran.text.includes('this machine is too busy'); tries += 1)
      ran = await resume();
    const { code } = ran;
    const document = JSON.parse(ran.text);
    expect(document).toMatchObject({
      site: 'demo',
      outcome: 'refused',
      plan: {
        commands: [{ host: 'ctl1', line: 'scontrol update nodename=node12 state=resume' }],
        leftOut: [{ id: 'node140', reason: expect.stringContaining('alice') }],
      },
      run: { state: 'done', targets: [{ id: 'node12', state: 'verified' }] },
    });
    expect(code).toBe(4);
    const verify = async () => {
      const streams = ioOf(env);
      return { code: await audit({ verb: 'verify', json: false }, streams), out: streams.stdout.text };
    };
    expect(await verify()).toMatchObject({ code: 0, out: expect.stringContaining('whole, 3 records') });
    const file = join(state, 'faultline', 'simulated-demo', 'audit.jsonl');
    const bytes = readFileSync(file);
    bytes[bytes.length - 200] = (bytes[bytes.length - 200] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    expect(await verify()).toMatchObject({
      code: 1,
      out: expect.stringMatching(/damaged.*\n.*audit\.jsonl:3: /),
    });
  }, 300_000);
});

describe('faultline act before any site', () => {
  it('a mistyped parameter or reason given twice is a usage error', async () => {
    const io = ioOf();
    const options = { ...defaults, action: 'slurm.drain', targets: ['node1'], site: '/nonexistent' };
    await expect(run({ ...options, set: { resaon: 'x' } }, io)).rejects.toThrow(/is reason meant/);
    await expect(run({ ...options, set: { reason: 'x' }, reason: 'y' }, io)).rejects.toThrow(
      /give one of them/,
    );
    await expect(run({ ...options, action: 'slurm.dran' }, io)).rejects.toThrow(/did you mean "slurm.drain"/);
    await expect(run(options, io)).rejects.toThrow(/needs a reason; add --reason TEXT/);
  });

  it('a read-only site is refused: 4', async () => {
    const folder = emptyFolder('ro');
    const file = join(folder, 'site.yaml');
    writeFileSync(file, 'site: s\nreadOnly: true\nhosts: [{names: n1, roles: [compute]}]\n', { mode: 0o600 });
    const io = ioOf();
    const code = await run(
      { ...defaults, action: 'slurm.resume', targets: ['n1'], site: file, confirm: 'y' },
      io,
    );
    expect(code).toBe(4);
    expect(io.stdout.text).toContain('refused (1 read-only)');
  });
});
