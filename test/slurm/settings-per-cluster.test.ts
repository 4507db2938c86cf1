import { describe, expect, it } from 'vitest';
import type { Judgement } from '../../src/model/system.ts';
import { checkProbe } from '../../probes/slurm/ask/probes-node.ts';
import { eachCluster } from '../../probes/slurm/judge/clusters.ts';
import { findings } from '../../probes/slurm/judge/findings.ts';
import { settingsOf, slurmSettings } from '../../probes/slurm/settings.ts';
import { action, guard, only, subjects } from './planning.ts';
import { judged } from './situations/judge-printed.ts';
import type { Printed } from './situations/printed-cluster.ts';

const cpu: Printed = {
  name: 'cpu',
  total: 8,
  ping: 'Slurmctld(primary) at cctl is UP\n',
  nodes: { n3: { state: 'IDLE+DRAIN', why: ['NHC: mount lost', 'root', 900] } },
};
const gpu: Printed = {
  name: 'gpu',
  total: 16,
  prefix: 'g',
  ping: 'Slurmctld(primary) at gctl is UP\n',
  nodes: { g3: { state: 'IDLE+DRAIN', why: ['GPUCHECK: ECC', 'healthd', 900] } },
};
const both = { cctl: cpu, gctl: gpu };

const settings = {
  check: { command: ['/usr/sbin/nhc'], env: { MARK_OFFLINE: '0' } },
  clusters: {
    gpu: {
      check: { command: ['/opt/gpu/check'], users: ['healthd'], reasons: ['^GPUCHECK:'] },
      limits: { partitionOut: '5%' },
    },
  },
};

const asked = (host: string, judgement: Judgement): string | undefined => {
  const context = { site: judgement.site, readings: judgement.readings, now: judgement.now };
  const view = judgement.site.host(host);
  if (!view || checkProbe.when?.(view, context) !== true) return undefined;
  const ask = checkProbe.ask(view, context);
  return 'script' in ask ? ask.script : undefined;
};

describe('settings of one of two clusters', () => {
  const judgement = judged(both, settings);

  it('go before the general ones, key by key, and hurt the other cluster not at all', () => {
    const [one, other] = eachCluster(judgement).map((view) => settingsOf(view.judgement.site));
    expect(one?.check).toMatchObject({ command: ['/usr/sbin/nhc'], users: ['root', 'slurm'] });
    expect(one?.partitionOut).toBe(0.2);
    expect(other?.check).toMatchObject({
      command: ['/opt/gpu/check'],
      env: { MARK_OFFLINE: '0' },
      users: ['healthd'],
      timeoutMs: 20_000,
    });
    expect(other?.partitionOut).toBe(0.05);
  });

  it('say which nodes the health check took out, and what is asked of them', () => {
    expect(asked('n3', judgement)).toContain('/usr/sbin/nhc');
    expect(asked('g3', judgement)).toContain('/opt/gpu/check');
    expect(asked('n1', judgement)).toBeUndefined();
    const drained = findings(judgement).filter(({ kind }) => kind === 'drained-group');
    expect(drained.map(({ summary }) => String(summary)).join('\n')).toMatch(/g3.*by the health check/s);
    // By the general settings that reason is a person's.
    const plain = findings(judged(both, { ...settings, clusters: {} }));
    expect(plain.map(({ summary }) => String(summary)).join('\n')).toMatch(/by healthd/);
  });

  it('hold in plans and in the guards that are read again later', () => {
    const plan = action('slurm.check').plan(subjects('g3'), {}, { judgement, operator: 'alice' });
    if ('refused' in plan) throw new Error(plan.reason);
    expect(only(plan).subject.id).toBe('g3');
    const drain = action('slurm.drain');
    const made = drain.plan(subjects('g1'), drain.parameters.parse({ reason: 'test' }), {
      judgement,
      operator: 'alice',
    });
    if ('refused' in made) throw new Error(made.reason);
    expect(guard(only(made), '6 partition share', judgement)).toMatchObject({ ok: false });
    const general = judged(both, { ...settings, clusters: {} });
    expect(guard(only(made), '6 partition share', general)).toMatchObject({ ok: true });
  });

  it('of a name that no controller tells are a warning, once all have told theirs', () => {
    const typo = { ...settings, clusters: { gqu: settings.clusters.gpu } };
    const unused = (clusters: typeof both) =>
      findings(judged(clusters, typo)).filter(({ kind }) => kind === 'settings-unused');
    expect(unused(both).map(({ summary }) => String(summary))).toEqual([
      'slurm.clusters.gqu is for no cluster that is read here: the general settings hold',
    ]);
    expect(unused({ ...both, gctl: { ...gpu, answers: { 'slurm.config': 'timeout' } } })).toEqual([]);
    expect(findings(judgement).some(({ kind }) => kind === 'settings-unused')).toBe(false);
  });
});

describe('settings of the only cluster of a site', () => {
  it('are found by its name', () => {
    const judgement = judged({ gctl: gpu }, settings);
    expect(asked('g3', judgement)).toContain('/opt/gpu/check');
    expect(settingsOf(judgement.site).check.command).toEqual(['/usr/sbin/nhc']);
  });

  it('are not guessed while its name is not known: no check is known, no reason is a health check’s, nothing is done', () => {
    const judgement = judged({ gctl: { ...gpu, answers: { 'slurm.config': 'timeout' } } }, settings);
    expect(asked('g3', judgement)).toBeUndefined();
    const [view] = eachCluster(judgement);
    expect(view && settingsOf(view.judgement.site).check).toMatchObject({ users: [], reasons: [] });
    const resume = action('slurm.resume');
    expect(
      resume.plan(subjects('g3'), resume.parameters.parse({}), { judgement, operator: 'alice' }),
    ).toMatchObject({
      guard: '3 preconditions',
      reason:
        'the ClusterName that gctl asks was not read: which settings of the site file it has is not known',
    });
  });
});

describe('what is drained while the ClusterName is not known', () => {
  const drained = (answers: Printed['answers'], slurm: object) =>
    findings(judged({ gctl: { ...gpu, ...(answers && { answers }) } }, slurm)).find(
      ({ kind }) => kind === 'drained-group',
    );
  const unread = { 'slurm.config': 'timeout' } as const;

  it('is nobody’s purpose: it may be a check’s work', () => {
    expect(drained(unread, settings)).toMatchObject({ severity: 'warning' });
    expect(drained(unread, settings)?.deliberate).toBeUndefined();
    expect(drained(unread, settings)?.advice).toMatch(
      /^healthd or a health check: the ClusterName was not read/,
    );
  });

  it.each([
    ['no cluster has a check of its own', unread, {}],
    ['it is known, and the reason is none of its check’s', undefined, { clusters: { gpu: { check: {} } } }],
  ])('is a person’s where %s', (_where, answers, slurm) => {
    expect(drained(answers, slurm)).toMatchObject({ severity: 'notice', deliberate: true });
  });
});

it('a host with nodes of two clusters is asked what the one asks that took its node out', () => {
  const named = (name: string, why?: readonly [string, string, number]): Printed => ({
    name,
    total: 2,
    ping: `Slurmctld(primary) at ${name}ctl is UP\n`,
    ...(why && { nodes: { n1: { state: 'IDLE+DRAIN', why } } }),
  });
  const clusters = { cctl: named('cpu'), gctl: named('gpu', ['GPUCHECK: ECC', 'healthd', 900]) };
  expect(asked('n1', judged(clusters, settings))).toContain('/opt/gpu/check');
  expect(asked('n2', judged(clusters, settings))).toBeUndefined();
});

it('a key that no cluster has is told by the schema', () => {
  expect(slurmSettings.safeParse({ clusters: { gpu: { watchNodes: 3 } } }).success).toBe(false);
  expect(slurmSettings.safeParse({ clusters: { gpu: { check: { timeout: 0 } } } }).success).toBe(false);
});
