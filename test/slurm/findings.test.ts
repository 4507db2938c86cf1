import { describe, expect, it } from 'vitest';
import type { FindingDraft } from '../../src/model/finding.ts';
import { adviceFor } from '../../probes/slurm/judge/advice.ts';
import { findings } from '../../probes/slurm/judge/findings.ts';
import type { SlurmNode } from '../../probes/slurm/readings.ts';
import { cluster, drainedBy, node, sick, silent, withCheck } from './make.ts';
import { historyOf, judgementOf, start } from '../helpers/judging.ts';

const minute = 60_000;
const kind = (list: readonly FindingDraft[], wanted: string): FindingDraft | undefined =>
  list.find((one) => one.kind === wanted);
const of = (
  special: readonly SlurmNode[],
  options: Parameters<typeof cluster>[1] = {},
): readonly FindingDraft[] => findings(cluster(special, options).judgement());

describe('groups of nodes out of service', () => {
  it.each<[string, SlurmNode[], string, string, string]>([
    [
      'a person',
      [drainedBy('n5', 'alice', 'bad DIMM, RMA 1234')],
      'drained-group',
      'notice',
      'n5 drained by alice, "bad DIMM, RMA 1234"',
    ],
    [
      'root by hand',
      [drainedBy('n5', 'root', 'do not touch')],
      'drained-group',
      'notice',
      'n5 drained by root, "do not touch"',
    ],
    [
      'the right words of the wrong user',
      [drainedBy('n5', 'mallory', 'NHC: HDFS mount lost')],
      'drained-group',
      'notice',
      'n5 drained by mallory, "NHC: HDFS mount lost"',
    ],
    [
      'this program',
      [drainedBy('n5', 'root', 'faultline bob: fan noise')],
      'drained-group',
      'notice',
      'n5 drained by bob, "fan noise"',
    ],
    [
      'the health check',
      [sick('n5'), sick('n7')],
      'drained-group',
      'warning',
      'n[5,7] drained by the health check, "HDFS mount lost": not checked yet',
    ],
    [
      'Slurm',
      [drainedBy('n5', 'root', 'Kill task failed')],
      'drained-group',
      'warning',
      'n5 drained by Slurm, "Kill task failed"',
    ],
    [
      'fail',
      [node('n5', { flags: ['FAIL'], reason: 'PSU 2', reasonUser: 'alice' })],
      'failed-group',
      'notice',
      'n5 set to fail by alice, "PSU 2"',
    ],
    [
      'down by a person',
      [node('n5', { state: 'DOWN', reason: 'hung', reasonUser: 'bob' })],
      'down-group',
      'notice',
      'n5 set down by bob, "hung"',
    ],
    [
      'rebooted by itself',
      [node('n5', { state: 'DOWN', reason: 'Node unexpectedly rebooted', reasonUser: 'slurm' })],
      'down-group',
      'warning',
      'n5 is down: "Node unexpectedly rebooted"',
    ],
    [
      'down*',
      [silent('n5'), silent('n9', start - 600 * minute)],
      'not-responding',
      'warning',
      'n[5,9] not responding',
    ],
    [
      'rebooting',
      [node('n5', { state: 'DOWN', flags: ['DRAIN', 'REBOOT_ISSUED'], reason: 'glibc', reasonUser: 'root' })],
      'rebooting',
      'notice',
      'n5 rebooting, "glibc"',
    ],
    [
      'unknown* after a start',
      [node('n5', { state: 'UNKNOWN', flags: ['NOT_RESPONDING'] })],
      'unknown-state',
      'notice',
      'n5 is in the state unknown*, not registered yet',
    ],
    [
      'a state from the future',
      [node('n5', { state: 'SLEEPING', flags: ['DREAMING'] })],
      'unknown-state',
      'notice',
      'n5 is in the state sleeping+dreaming, unknown to this console',
    ],
    [
      'no reason at all',
      [node('n5', { flags: ['DRAIN'] })],
      'drained-group',
      'warning',
      'n5 drained by Slurm, no reason given',
    ],
  ])('%s', (_name, nodes, wanted, severity, text) => {
    expect(kind(of(nodes), wanted)).toMatchObject({ severity, summary: text });
    expect(of(nodes)).toHaveLength(1);
  });

  it.each<[string, SlurmNode]>([
    ['switched off to save power', node('n5', { flags: ['CLOUD', 'POWERED_DOWN'] })],
    ['powering up, not answering yet', node('n5', { flags: ['NOT_RESPONDING', 'POWERING_UP'] })],
    ['a placeholder', node('n5', { state: 'FUTURE' })],
    ['completing', node('n5', { flags: ['COMPLETING'] })],
    ['planned for a job', node('n5', { flags: ['PLANNED'] })],
    ['waiting for its reboot', node('n5', { state: 'MIXED', flags: ['REBOOT_REQUESTED'] })],
  ])('nothing is wrong with a node that is %s', (_name, one) => {
    expect(of([one])).toEqual([]);
  });

  it('folds reasons that differ in numbers only, and tells persons apart', () => {
    const list = of([
      drainedBy('n1', 'alice', 'RMA 1234'),
      drainedBy('n2', 'alice', 'RMA 77'),
      drainedBy('n3', 'bob', 'RMA 9'),
    ]);
    expect(list.map((one) => one.id).toSorted()).toEqual([
      'slurm:drained-group:rma # by alice',
      'slurm:drained-group:rma # by bob',
    ]);
  });

  it('is critical when a fifth of the site is gone at once', () => {
    const nodes = Array.from({ length: 20 }, (_, at) => sick(`n${at + 1}`));
    expect(kind(of(nodes), 'drained-group')?.severity).toBe('critical');
  });

  it('counts how many pass the check now, and offers to resume those', () => {
    const world = cluster([sick('n12'), sick('n13'), sick('n14')]);
    world.check('n12');
    world.check('n13', '/hdfs is empty');
    world.check('n14');
    const found = kind(findings(world.judgement()), 'drained-group');
    expect(found?.summary).toBe(
      'n[12-14] drained by the health check, "HDFS mount lost": 2 of 3 pass it now',
    );
    expect(found?.remedies[0]).toEqual({
      action: 'slurm.resume',
      subjects: [
        { kind: 'node', id: 'n12' },
        { kind: 'node', id: 'n14' },
      ],
    });
  });

  it('a check that is not fresh does not count', () => {
    const world = cluster([sick('n12')]);
    world.check('n12');
    world.readings.fail('slurm.check', 'n12', { kind: 'timeout', message: 'n12: nhc timed out after 20 s' });
    expect(findings(world.judgement())[0]?.summary).toContain('not checked yet');
  });

  it('without a check in the site file the line is the reason, whole, and the advice says what a check would do', () => {
    const reason = 'NHC: check_nvsmi_healthmon:  GPU has fallen off the bus';
    const [found] = of([sick('n12', { reason })], { slurm: {} });
    expect(found?.summary).toBe(
      'n12 drained by the health check, "check_nvsmi_healthmon: GPU has fallen off the bus"',
    );
    expect(found?.advice).toContain('slurm.check');
  });

  it('a reason of thousands of characters makes a summary of at most 100 columns', () => {
    const [found] = of([
      drainedBy('n5', 'alice', 'x'.repeat(4000)),
      ...Array.from({ length: 30 }, (_, at) => drainedBy(`n${at * 3 + 7}`, 'alice', 'x'.repeat(4000))),
    ]);
    expect(found?.summary.length).toBeLessThanOrEqual(100);
  });
});

describe('advice on reasons that Slurm writes', () => {
  it.each([
    ['Not responding', 'after check'],
    ['Kill task failed', 'no'],
    ['Low RealMemory (reported:1000 < 100.00% of configured:2000)', 'no'],
    ['gres/gpu count reported lower than configured (3 < 4)', 'no'],
    ['Node unexpectedly rebooted', 'after check'],
    ['Prolog error', 'no'],
    ['Epilog error', 'no'],
    ['batch job complete failure', 'no'],
    ['firmware : reboot issued : reboot timed out', 'after check'],
  ])('%s', (reason, resume) => {
    expect(adviceFor(reason)?.resume).toBe(resume);
    expect(adviceFor(reason)?.text.length).toBeGreaterThan(20);
  });

  it('does not offer to resume what it advises against', () => {
    expect(of([drainedBy('n5', 'slurm', 'Low RealMemory')])[0]?.remedies.map((one) => one.action)).toEqual([
      'slurm.check',
    ]);
    expect(of([drainedBy('n5', 'root', 'Kill task failed')])[0]?.remedies.map((one) => one.action)).toContain(
      'slurm.reboot',
    );
  });
});

describe('draining', () => {
  const busy = (name: string) => drainedBy(name, 'alice', 'kernel', { state: 'ALLOCATED' });

  it('names the job that holds the node and until when', () => {
    const jobs = [
      { jobId: '4711', userName: 'bob', jobState: 'RUNNING', nodes: 'n[5-6]', endTime: start + 111 * minute },
    ];
    const found = kind(of([busy('n5')], { jobs }), 'draining');
    expect(found).toMatchObject({
      severity: 'notice',
      summary: 'n5 draining, job 4711 (bob) holds it until 04:12',
      hurt: { nodes: 1, jobs: 1, users: ['bob'] },
    });
  });

  it('several jobs, one without a limit', () => {
    const jobs = [
      { jobId: '1', userName: 'a', jobState: 'RUNNING', nodes: 'n5', endTime: start + minute },
      { jobId: '2', userName: 'b', jobState: 'RUNNING', nodes: 'n6' },
    ];
    expect(kind(of([busy('n5'), busy('n6')], { jobs }), 'draining')?.summary).toBe(
      'n[5-6] draining: 2 jobs hold them, the last without a time limit',
    );
  });

  it('does not invent a job', () => {
    expect(kind(of([busy('n5')]), 'draining')?.summary).toBe('n5 draining, its jobs are not known');
  });
});

describe('partitions', () => {
  it('below the limit, whoever took the nodes out', () => {
    const nodes = ['n1', 'n2', 'n3'].map((name) => drainedBy(name, 'alice', 'x', { partitions: ['gpu'] }));
    const rest = ['n4', 'n5'].map((name) => node(name, { partitions: ['gpu'] }));
    const found = kind(of([...nodes, ...rest]), 'partition-below-limit');
    expect(found).toMatchObject({
      id: 'slurm:partition-below-limit:gpu',
      // A person did it, with a name.
      severity: 'warning',
      subject: { kind: 'partition', id: 'gpu' },
      summary: 'partition gpu: 3 of 5 nodes out of service (60 %, limit 20 %)',
    });
  });

  it('just over the limit it is not shown as the limit itself', () => {
    const nodes = Array.from({ length: 13 }, (_, at) =>
      drainedBy(`g${at + 1}`, 'alice', 'x', { partitions: ['gpu'] }),
    );
    const rest = Array.from({ length: 51 }, (_, at) => node(`f${at + 1}`, { partitions: ['gpu'] }));
    expect(kind(of([...nodes, ...rest]), 'partition-below-limit')?.summary).toBe(
      'partition gpu: 13 of 64 nodes out of service (20.3 %, limit 20 %)',
    );
  });

  it('the limit comes from the site file', () => {
    const nodes = Array.from({ length: 25 }, (_, at) => drainedBy(`n${at + 1}`, 'alice', 'x'));
    expect(kind(of(nodes), 'partition-below-limit')?.severity).toBe('warning');
    expect(
      kind(of(nodes, { slurm: { ...withCheck, limits: { partitionOut: '30%' } } }), 'partition-below-limit'),
    ).toBeUndefined();
  });

  it('a closed partition starts no jobs', () => {
    const world = cluster([]);
    world.readings.good('slurm.partitions', 'ctl1', {
      partitions: [{ partitionName: 'batch', state: 'DOWN' }],
    });
    expect(findings(world.judgement())).toMatchObject([{ kind: 'partition-closed', severity: 'warning' }]);
  });
});

describe('maintenance reservations', () => {
  it('say until when, for the nodes that are in one now', () => {
    const world = cluster([sick('n1'), sick('n2')]);
    world.readings.good('slurm.reservations', 'ctl1', {
      reservations: [
        {
          reservationName: 'fw',
          flags: ['MAINT'],
          startTime: start - minute,
          endTime: start + 60 * minute,
          nodes: 'n1',
        },
        {
          reservationName: 'later',
          flags: ['MAINT'],
          startTime: start + minute,
          endTime: start + 60 * minute,
          nodes: 'n2',
        },
        {
          reservationName: 'course',
          flags: [],
          startTime: start - minute,
          endTime: start + 60 * minute,
          nodes: 'n2',
        },
      ],
    });
    const list = findings(world.judgement()).toSorted((a, b) => a.subject.id.localeCompare(b.subject.id));
    expect(list.map((one) => [one.subject.id, one.plannedUntil])).toEqual([
      ['n1', start + 60 * minute],
      ['n2', undefined],
    ]);
  });
});

describe('drained often', () => {
  const day = 24 * 60 * minute;
  const series = (...days: number[]) =>
    historyOf({
      'slurm/node/n5/state': days.flatMap((one) => [
        { at: start - one * day, value: 'DRAIN' },
        { at: start - one * day + 3600_000, value: 'UP' },
      ]),
    });

  it('three times in 14 days, from the history', () => {
    const { readings, site } = cluster([sick('n5')]);
    const found = kind(findings(judgementOf({ readings, site, history: series(13, 9, 2) })), 'drained-often');
    expect(found).toMatchObject({
      id: 'slurm:drained-often:n5',
      severity: 'warning',
      summary: 'n5 drained 3 times in 14 days, last 2 d ago: hardware?',
    });
  });

  it('reboots on order drain by themselves, and what is planned now is no warning', () => {
    const ordered = (at: number, ...words: string[]) =>
      [...words, 'UP'].map((value, step) => ({ at: start - at * day + step * 600_000, value }));
    const history = historyOf({
      'slurm/node/n5/state': [13, 9, 0.2].flatMap((at) =>
        ordered(at, 'DRAIN+REBOOT_REQUESTED', 'DRAIN+REBOOT_ISSUED'),
      ),
      // Drained by a check, and then rebooted: that counts.
      'slurm/node/n6/state': [13, 9, 0.2].flatMap((at) => ordered(at, 'DRAIN', 'DRAIN+REBOOT_REQUESTED')),
    });
    const { readings, site } = cluster([sick('n6', { flags: ['DRAIN', 'MAINTENANCE'] })]);
    const found = findings(judgementOf({ readings, site, history })).filter(
      ({ kind }) => kind === 'drained-often',
    );
    expect(found.map(({ subject, severity }) => [subject.id, severity])).toEqual([['n6', 'notice']]);
  });

  it('twice is not often, and what behaved for days is not told again', () => {
    const { readings, site } = cluster([]);
    expect(findings(judgementOf({ readings, site, history: series(9, 2) }))).toEqual([]);
    expect(findings(judgementOf({ readings, site, history: series(13, 9, 2) }))).toEqual([]);
    expect(findings(judgementOf({ readings, site, history: series(13, 9, 0.2) }))).toMatchObject([
      { kind: 'drained-often', severity: 'notice' },
    ]);
  });
});
