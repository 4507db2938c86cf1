import { describe, expect, it, test } from 'vitest';
import { explain } from '../../src/collect/explain.ts';
import type { Finding, FindingDraft } from '../../src/model/finding.ts';
import type { Failure } from '../../src/model/reading.ts';
import { causes } from '../../probes/slurm/causes.ts';
import { findings } from '../../probes/slurm/judge/findings.ts';
import { sourceOf } from '../../probes/slurm/judge/clusters.ts';
import { cluster, drainedBy, node, sick, silent } from './make.ts';
import { judgementOf, siteOf, Sources, start } from '../helpers/judging.ts';

const minute = 60_000;
const hour = 60 * minute;
const names = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `n${from + index}`);
const kinds = (list: readonly FindingDraft[]): string[] => list.map(({ kind }) => kind);
const of = (list: readonly FindingDraft[], kind: string): FindingDraft | undefined =>
  list.find((one) => one.kind === kind);
const unfolded = (list: readonly FindingDraft[]): string[] => {
  const folded = explain(list as unknown as Finding[], [{ system: 'slurm', causes }]);
  return list.filter(({ id }) => !folded.has(id)).map(({ kind }) => kind);
};

describe('an account that may not list nodes', () => {
  const noAnswer: Failure = {
    kind: 'command',
    code: 'noAnswer',
    message: 'ctl1: sinfo --json: Unspecified error',
  };
  const ping = { controllers: [{ host: 'ctl1', role: 'primary', up: true }], tookMs: 20 };
  const world = () => {
    const made = cluster([]);
    made.readings.forget('slurm.nodes', 'ctl1');
    made.readings.fail('slurm.nodes', 'ctl1', noAnswer, start);
    made.readings.good('slurm.ping', 'ctl1', ping);
    made.readings.good('slurm.config', 'ctl1', { privateData: ['nodes'] });
    return made;
  };

  it('22.05: an empty list with exit 0 while squeue is answered', () => {
    const [found] = findings(world().judgement());
    expect(found).toMatchObject({ kind: 'not-permitted', severity: 'warning' });
    expect(found?.advice).toContain('adminlevel=operator');
  });

  it('the configuration says that nodes are hidden from nobody: then something else is wrong', () => {
    const made = world();
    made.readings.good('slurm.config', 'ctl1', { privateData: [] });
    expect(kinds(findings(made.judgement()))).toEqual(['not-readable']);
  });

  it('the configuration was not read, or does not name PrivateData: nothing is said of rights', () => {
    const made = world();
    made.readings.good('slurm.config', 'ctl1', {});
    expect(kinds(findings(made.judgement()))).toEqual(['not-readable']);
    made.readings.forget('slurm.config', 'ctl1');
    const [found] = findings(made.judgement());
    expect(found?.kind).toBe('not-readable');
    expect(found?.summary).not.toContain('PrivateData');
  });

  it('nothing else was answered since: it hangs', () => {
    const made = world();
    for (const probe of ['slurm.jobs', 'slurm.config'])
      made.readings.good(probe, 'ctl1', { jobs: [] }, start - minute);
    expect(kinds(findings(made.judgement()))).toEqual(['controller-hung']);
  });

  it('only the nodes take too long: slurmctld does not hang', () => {
    const made = world();
    made.readings.fail(
      'slurm.nodes',
      'ctl1',
      { kind: 'timeout', message: 'ctl1: timed out after 12 s' },
      start,
    );
    expect(of(findings(made.judgement()), 'not-readable')?.summary).toMatch(/^slurmctld on ctl1 answers/);
  });

  it('the words of a refusal (24.05)', () => {
    const made = world();
    made.readings.fail('slurm.nodes', 'ctl1', {
      kind: 'command',
      code: 'noPermission',
      message: 'scontrol show nodes: slurm_load_node error: Access/permission denied',
    });
    expect(kinds(findings(made.judgement()))).toEqual(['not-permitted']);
  });

  it('PrivateData=jobs: busy nodes without a listed job are said, idle ones are no reason', () => {
    const made = cluster([node('n1', { state: 'ALLOCATED' })]);
    made.readings.good('slurm.config', 'ctl1', { privateData: ['jobs'] });
    expect(findings(made.judgement())).toMatchObject([{ kind: 'partly-hidden', severity: 'notice' }]);
    const idle = cluster([]);
    idle.readings.good('slurm.config', 'ctl1', { privateData: ['jobs'] });
    expect(findings(idle.judgement())).toEqual([]);
    const open = cluster([node('n1', { state: 'ALLOCATED' })]);
    open.readings.good('slurm.config', 'ctl1', { privateData: ['usage'] });
    expect(findings(open.judgement())).toEqual([]);
  });
});

describe('two clusters in one site file', () => {
  const site = siteOf(['ctl1', 'gctl'].map((name) => ({ name, roles: ['slurm-controller'] })));
  const world = (second: readonly string[], configs: Record<string, string | undefined>) => {
    const readings = new Sources();
    const put = (host: string, list: readonly string[], at: number) =>
      readings.good('slurm.nodes', host, { form: 'text', nodes: list.map((name) => node(name)) }, at);
    put('ctl1', names(1, 8), start);
    put('gctl', second, start + 1);
    for (const [host, clusterName] of Object.entries(configs))
      readings.good('slurm.config', host, { clusterName });
    return { readings, judgement: judgementOf({ site, readings }) };
  };
  const other = ['g1', 'g2'];

  it.each([
    ['by their names', other, { ctl1: 'hpc', gctl: 'gpu' }],
    ['by their names, though their nodes are named alike', names(1, 8), { ctl1: 'hpc', gctl: 'gpu' }],
    ['by their nodes, both with the packaged name', other, { ctl1: 'cluster', gctl: 'cluster' }],
    ['by their nodes, where no configuration was read', other, {}],
  ])('%s: said, and each judged by itself', (_name, second, configs) => {
    const { readings, judgement } = world(second, configs);
    const [found] = findings(judgement);
    expect(found).toMatchObject({ kind: 'several-clusters', severity: 'notice' });
    expect(found?.summary).toContain('gctl');
    expect(sourceOf(readings, 'slurm.nodes')?.host).toBe('ctl1');
  });

  it.each([
    ['two controllers of one cluster', names(1, 8), { ctl1: 'hpc', gctl: 'hpc' }],
    ['the same, the backup lags by a node', names(1, 9), { ctl1: 'hpc' }],
    ['no name was read, the nodes are the same', names(1, 8), {}],
  ])('%s are one', (_name, second, configs) => {
    expect(findings(world(second, configs).judgement)).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, readonly string[]>>, string[]]>([
    ['of other controllers are two', { ctl1: ['ctl1'], gctl: ['gctl'] }, ['several-clusters']],
    ['of one controller in common are one', { ctl1: ['ctl1', 'ctl2'], gctl: ['ctl2.hpc.example'] }, []],
    ['of which one never told its controllers are one', { ctl1: ['ctl1'] }, []],
  ])('two of one ClusterName %s', (_name, pings, expected) => {
    const { readings, judgement } = world(names(1, 8), { ctl1: 'cluster', gctl: 'cluster' });
    for (const [host, controllers] of Object.entries(pings))
      readings.good('slurm.ping', host, {
        controllers: controllers.map((one) => ({ host: one, role: 'primary', up: true })),
        tookMs: 20,
      });
    expect(kinds(findings(judgement))).toEqual(expected);
  });
});

describe('a slurmctld that is down and was never read', () => {
  const down: Failure = {
    kind: 'command',
    code: 'controllerDown',
    message: 'hctl: sinfo: Unable to contact slurm controller (connect failure)',
  };
  const site = siteOf(['hctl', 'gctl'].map((name) => ({ name, roles: ['slurm-controller'] })));
  const pinged = (...list: readonly (readonly [host: string, up: boolean])[]) => ({
    controllers: list.map(([host, up]) => ({ host, role: 'primary', up })),
    tookMs: 20,
  });
  const world = () => {
    const readings = new Sources();
    readings.fail('slurm.nodes', 'hctl', down);
    readings.good('slurm.ping', 'hctl', pinged(['hctl', false]));
    readings.good('slurm.nodes', 'gctl', { form: 'text', nodes: [node('g1')] });
    readings.good('slurm.ping', 'gctl', pinged(['gctl', true]));
    return { readings, judged: () => findings(judgementOf({ site, readings })) };
  };

  it('beside another cluster that answers: critical', () => {
    const { readings, judged } = world();
    expect(judged()).toMatchObject([
      { id: 'slurm:controller-down:hctl', kind: 'controller-down', severity: 'critical' },
    ]);
    readings.forget('slurm.ping', 'hctl');
    expect(kinds(judged())).toEqual(['controller-down']);
    readings.fail('slurm.nodes', 'hctl', { ...down, code: 'noAnswer' });
    readings.good('slurm.ping', 'hctl', pinged(['hctl', false]));
    expect(kinds(judged())).toEqual(['controller-down']);
  });

  it('the backup has the cluster: a controller that is lost, no more', () => {
    const { readings, judged } = world();
    const both = pinged(['hctl.hpc.example', false], ['gctl', true]);
    readings.good('slurm.ping', 'hctl', both);
    readings.good('slurm.ping', 'gctl', both);
    expect(kinds(judged())).toEqual(['controller-lost']);
  });

  it('a login node that does not get through to the controller of the others', () => {
    const { readings, judged } = world();
    readings.good('slurm.ping', 'hctl', pinged(['gctl', false]));
    expect(judged()).toEqual([]);
  });

  it('nobody says which controllers the others have, or it was answered something', () => {
    const silentOnes = world();
    silentOnes.readings.forget('slurm.ping', 'gctl');
    expect(silentOnes.judged()).toEqual([]);
    const answered = world();
    answered.readings.good('slurm.jobs', 'hctl', { jobs: [] });
    expect(answered.judged()).toEqual([]);
  });
});

describe('what is folded', () => {
  it('both nodes of a debug partition by one fault: the group is a warning, the partition critical', () => {
    const debug = names(1, 2).map((name) => ({ ...sick(name), partitions: ['debug'] }));
    const list = findings(cluster(debug, { total: 402 }).judgement());
    expect(of(list, 'drained-group')?.severity).toBe('warning');
    expect(of(list, 'partition-below-limit')?.severity).toBe('critical');
    expect(unfolded(list)).toContain('partition-below-limit');
  });

  const gpu = (many: number, total: number, made: (name: string, at: number) => ReturnType<typeof node>) => [
    ...names(1, many).map((name, at) => ({ ...made(name, at), partitions: ['gpu'] })),
    ...names(many + 1, total).map((name) => node(name, { partitions: ['gpu'] })),
  ];

  it('18 of 20 by five notices of a person: the partition stands by itself', () => {
    const list = findings(
      cluster(
        gpu(18, 20, (name, at) => drainedBy(name, 'ops', `reason ${'abcde'[at % 5]} of many`)),
      ).judgement(),
    );
    expect(of(list, 'partition-below-limit')?.severity).toBe('warning');
    expect(unfolded(list)).toContain('partition-below-limit');
  });

  it('18 of 20 by one fault: the fault is as bad, and tells of it', () => {
    const list = findings(cluster(gpu(18, 20, (name) => sick(name))).judgement());
    expect(of(list, 'drained-group')?.severity).toBe('critical');
    expect(unfolded(list)).toEqual(['drained-group']);
  });

  it('lost nodes do not stand for those that a person drained: both are told, and the partition by both', () => {
    const list = findings(
      cluster([
        ...gpu(27, 40, (name) => drainedBy(name, 'ops', 'new racks')),
        ...names(28, 35).map((name) => ({ ...silent(name), partitions: ['gpu'] })),
      ]).judgement(),
    );
    expect(unfolded(list)).toEqual(['lost-together', 'drained-group']);
    expect(of(list, 'drained-group')).toMatchObject({
      severity: 'warning',
      summary: 'n[1-27] drained by ops, "new racks"; 27 of 40 in gpu',
    });
  });

  it('two racks that went at once tell of it together', () => {
    const location = (name: string) => ({ rack: `r${Math.ceil(Number(name.slice(1)) / 16)}` });
    const list = findings(
      cluster(
        names(17, 48).map((name) => silent(name)),
        { total: 64, location },
      ).judgement(),
    );
    expect(unfolded(list)).toEqual(['lost-together', 'lost-together']);
  });
});

describe('jobs that complete for ever', () => {
  const job = (endTime: number, nodes = 'n6') => ({
    jobId: '88',
    userName: 'ada',
    jobState: 'COMPLETING',
    endTime,
    nodes,
  });
  const seen = (endTime: number, one: Partial<ReturnType<typeof node>> = { flags: ['COMPLETING'] }) =>
    findings(cluster([node('n6', one)], { jobs: [job(endTime)] }).judgement());

  it('three weeks: which node, which job, whose', () => {
    expect(seen(start - 21 * 24 * hour)).toMatchObject([
      {
        kind: 'stuck-completing',
        severity: 'warning',
        summary: 'n6 completing for 21 d: job 88 of ada does not end',
        hurt: { nodes: 1, jobs: 0 },
      },
    ]);
  });

  it.each<[string, number, Partial<ReturnType<typeof node>> | undefined, string[]]>([
    ['a few minutes: an epilog cleans up', start - 10 * minute, undefined, []],
    [
      'a node that is down completes nothing',
      start - 24 * hour,
      { state: 'DOWN', flags: ['COMPLETING'], reason: 'dead', reasonUser: 'bob' },
      ['down-group'],
    ],
    ['a node in maintenance', start - 24 * hour, { flags: ['COMPLETING', 'MAINTENANCE'] }, []],
  ])('%s', (_name, endTime, one, wanted) => {
    expect(kinds(seen(endTime, one))).toEqual(wanted);
  });

  it('a job without a known end is not judged, and a running one is not one', () => {
    const { endTime: _end, ...unknown } = job(0);
    expect(findings(cluster([node('n6')], { jobs: [unknown] }).judgement())).toEqual([]);
    const running = { ...job(start - hour), jobState: 'RUNNING' };
    expect(findings(cluster([node('n6')], { jobs: [running] }).judgement())).toEqual([]);
  });
});

describe('partitions that are closed', () => {
  it.each([
    ['DRAIN', 'notice', 'takes no new jobs, those queued already still start'],
    ['INACTIVE', 'notice', 'takes no new jobs and starts none of those queued'],
    ['DOWN', 'warning', 'takes jobs but starts none'],
    ['SLEEPING', 'warning', 'a state unknown to this console'],
  ])('%s', (state, severity, text) => {
    const world = cluster([]);
    world.readings.good('slurm.partitions', 'ctl1', { partitions: [{ partitionName: 'gpu', state }] });
    expect(findings(world.judgement())).toMatchObject([
      { kind: 'partition-closed', severity, summary: `partition gpu is ${state}: ${text}` },
    ]);
  });

  it('UP, or not told: nothing', () => {
    const world = cluster([]);
    world.readings.good('slurm.partitions', 'ctl1', {
      partitions: [{ partitionName: 'gpu', state: 'UP' }, { partitionName: 'x' }],
    });
    expect(findings(world.judgement())).toEqual([]);
  });
});

test('hosts without the role of a compute node are nodes of their rack all the same', () => {
  const readings = new Sources();
  const nodes = names(1, 20).map((name) => (Number(name.slice(1)) <= 5 ? silent(name) : node(name)));
  const hosts = nodes.map(({ name }) => ({ name, location: { rack: 'r1' } }));
  readings.good('slurm.nodes', 'ctl1', { form: 'text', nodes });
  const site = siteOf([{ name: 'ctl1', roles: ['slurm-controller'] }, ...hosts]);
  // 5 of 20 are no rack.
  expect(kinds(findings(judgementOf({ site, readings })))).not.toContain('lost-together');
});
