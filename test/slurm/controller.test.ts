import { describe, expect, it } from 'vitest';
import type { Failure } from '../../src/model/reading.ts';
import { findings } from '../../probes/slurm/judge/findings.ts';
import { cluster, node } from './make.ts';
import { start } from '../helpers/judging.ts';

const command = (code: string): Failure => ({
  kind: 'command',
  code,
  message: `ctl1: sinfo --json: ${code}`,
});
const ping = (up: boolean, tookMs: number) => ({
  controllers: [{ host: 'ctl1', role: 'primary', up }],
  tookMs,
});
const later = start + 30_000;

describe('several controllers', () => {
  const summaryOf = (...up: boolean[]): string | undefined => {
    const world = cluster([], { total: 4 });
    world.readings.fail('slurm.nodes', 'ctl1', command('controllerDown'));
    const controllers = up.map((one, at) => ({ host: `ctl${at + 1}`, role: 'backup', up: one }));
    world.readings.good('slurm.ping', 'ctl1', { controllers, tookMs: 20 }, later);
    return findings(world.judgement())[0]?.summary;
  };
  it('are all named where all are down', () =>
    expect(summaryOf(false, false)).toMatch(/^slurmctld on ctl1, ctl2 down/));
  it('one alone is the one that was asked', () =>
    expect(summaryOf(false)).toMatch(/^slurmctld on ctl1 down/));
  it('one of two is no cluster that is down', () =>
    expect(summaryOf(false, true)).not.toContain('ctl2 down'));
});

describe('the ways in which a controller fails are told apart', () => {
  it.each<[string, Failure, ReturnType<typeof ping> | undefined, string, string]>([
    ['nothing listens', command('controllerDown'), ping(false, 20), 'controller-down', 'critical'],
    [
      'sinfo exits 0 with an error, the ping is quick',
      command('noAnswer'),
      ping(false, 20),
      'controller-down',
      'critical',
    ],
    [
      'the same, the ping takes 10 s',
      command('noAnswer'),
      ping(false, 10_000),
      'controller-hung',
      'critical',
    ],
    ['socket timed out', command('controllerHung'), ping(false, 10_000), 'controller-hung', 'critical'],
    [
      'our own deadline, the ping says up',
      { kind: 'timeout', message: 'ctl1: sinfo timed out' },
      ping(true, 30),
      'controller-hung',
      'critical',
    ],
    [
      'our own deadline, no ping',
      { kind: 'timeout', message: 'ctl1: sinfo timed out' },
      undefined,
      'controller-hung',
      'critical',
    ],
    [
      'our own deadline, the ping is refused at once',
      { kind: 'timeout', message: 'ctl1: sinfo timed out' },
      ping(false, 20),
      'controller-down',
      'critical',
    ],
    ['munge', command('munge'), ping(false, 20), 'controller-auth', 'critical'],
    ['another release', command('refused'), ping(true, 20), 'not-readable', 'warning'],
    [
      'it closes the connection, the ping says DOWN',
      command('refused'),
      ping(false, 20),
      'not-readable',
      'warning',
    ],
    ['no permission', command('noPermission'), ping(true, 20), 'not-permitted', 'warning'],
    ['no configuration', command('noConfig'), undefined, 'not-readable', 'warning'],
    [
      'not understood',
      { kind: 'parse', message: 'ctl1: broken JSON' },
      ping(true, 20),
      'not-readable',
      'warning',
    ],
    [
      'no connection',
      { kind: 'connect', connect: 'timeout', message: 'ctl1: connection timed out' },
      undefined,
      'controller-unreachable',
      'warning',
    ],
  ])('%s', (_name, failure, said, kind, severity) => {
    const world = cluster([]);
    world.readings.fail('slurm.nodes', 'ctl1', failure, later);
    if (said) world.readings.good('slurm.ping', 'ctl1', said, later);
    const [found] = findings(world.judgement());
    expect(found).toMatchObject({ kind, severity, id: `slurm:${kind}:ctl1`, since: later });
    expect(found?.summary.length).toBeLessThanOrEqual(100);
    expect(found?.evidence.some((one) => one.text.includes('rows shown are from 02:21:00'))).toBe(true);
  });

  describe('a question for the nodes that failed without a word, and munge by the others', () => {
    const after = (others: Readonly<Record<string, string>>, at = later, nodes = 'noAnswer', up = false) => {
      const world = cluster([]);
      world.readings.fail('slurm.nodes', 'ctl1', command(nodes), later);
      world.readings.good('slurm.ping', 'ctl1', ping(up, 20), later);
      for (const [probe, code] of Object.entries(others))
        world.readings.fail(probe, 'ctl1', command(code), at);
      return findings(world.judgement())[0]?.kind;
    };

    it.each<[string, string | undefined, string]>([
      [
        'credentials are refused',
        after({ 'slurm.jobs': 'munge', 'slurm.sdiag': 'other' }),
        'controller-auth',
      ],
      [
        'another release is refused',
        after({ 'slurm.jobs': 'refused', 'slurm.sdiag': 'other' }),
        'not-readable',
      ],
      [
        'an error that is not known here comes from a slurmctld that answers',
        after({ 'slurm.jobs': 'other' }, later, 'noAnswer', true),
        'not-readable',
      ],
      [
        'this account may ask nothing at all',
        after({ 'slurm.jobs': 'noPermission' }, later, 'noAnswer', true),
        'not-readable',
      ],
      ['the same, and the ping says DOWN', after({ 'slurm.jobs': 'other' }), 'controller-down'],
      ['the others have no connection either', after({ 'slurm.jobs': 'controllerDown' }), 'controller-down'],
      [
        'credentials were refused long before',
        after({ 'slurm.config': 'munge' }, later - 600_000),
        'controller-down',
      ],
      [
        'the nodes themselves say that nothing listens',
        after({ 'slurm.jobs': 'munge' }, later, 'controllerDown'),
        'controller-down',
      ],
    ])('%s', (_name, kind, expected) => {
      expect(kind).toBe(expected);
    });
  });

  it('the ping knows before the question for the nodes gives up', () => {
    const world = cluster([]);
    world.readings.good('slurm.ping', 'ctl1', ping(false, 20), later);
    expect(findings(world.judgement())[0]?.kind).toBe('controller-down');
    world.readings.good('slurm.nodes', 'ctl1', { form: 'text', nodes: world.nodes }, later + 1);
    expect(findings(world.judgement())).toEqual([]);
  });

  it('a backup that has taken over is a warning', () => {
    const world = cluster([]);
    const controllers = [
      { host: 'ctl1', role: 'primary', up: false },
      { host: 'ctl2', role: 'backup', up: true },
    ];
    world.readings.good('slurm.ping', 'ctl1', { controllers, tookMs: 20 });
    expect(findings(world.judgement())).toMatchObject([
      { id: 'slurm:controller-lost:ctl1', severity: 'warning' },
    ]);
  });
});

describe('slow', () => {
  const timed = (durations: readonly number[]) => {
    const world = cluster([]);
    const source = world.readings.source('slurm.nodes', 'ctl1');
    if (source) world.readings.put({ ...source, durations });
    return findings(world.judgement()).map((one) => one.kind);
  };

  it.each([
    [[2100, 2100, 2100, 20, 20], ['controller-slow']],
    [[9000, 9000, 20, 20, 20], []],
    [[1990, 1990, 1990, 1990, 1990], []],
    [[9000, 9000, 9000, 9000], []],
  ])('%j', (durations, kinds) => {
    expect(timed(durations)).toEqual(kinds);
  });

  it('waits for nodes that do not answer, not for those that power saving has switched off', () => {
    const waitsFor = (...flags: string[]): string | undefined => {
      const world = cluster(['n1', 'n2'].map((name) => node(name, { flags: ['NOT_RESPONDING', ...flags] })));
      const source = world.readings.source('slurm.nodes', 'ctl1');
      if (source) world.readings.put({ ...source, durations: [2100, 2100, 2100, 2100, 2100] });
      return findings(world.judgement()).find(({ kind }) => kind === 'controller-slow')?.summary;
    };
    expect(waitsFor()).toContain('waits for 2 silent nodes');
    for (const flag of ['POWERED_DOWN', 'POWERING_UP', 'POWERING_DOWN'])
      expect(waitsFor('CLOUD', flag)).toBe('slurmctld on ctl1 slow (median 2.1 s)');
  });

  it('in one look at everything, five answers of any kind will do', () => {
    const world = cluster([]);
    for (const probe of ['slurm.nodes', 'slurm.ping', 'slurm.jobs', 'slurm.sdiag', 'slurm.partitions']) {
      const source = world.readings.source(probe, 'ctl1');
      world.readings.put({
        probe,
        host: 'ctl1',
        state: 'fresh',
        before: [],
        everyMs: 1,
        ...source,
        durations: [3000],
      });
    }
    expect(findings(world.judgement()).map((one) => one.kind)).toEqual(['controller-slow']);
  });
});
