import { describe, expect, it } from 'vitest';
import type { Plan, Refusal } from '../../src/model/action.ts';
import type { Judgement } from '../../src/model/system.ts';
import { slurm } from '../../probes/slurm/index.ts';
import { partitionGroups } from '../../probes/slurm/judge/facts.ts';
import { action, guard, lines, only, subjects } from './planning.ts';
import { judged } from './situations/judge-printed.ts';
import type { Printed } from './situations/printed-cluster.ts';

const drained = { state: 'IDLE+DRAIN', why: ['NHC: mount lost', 'root', 900] } as const;
const a: Printed = { name: 'a', total: 8, ping: 'Slurmctld(primary) at actl is UP\n' };
const b: Printed = { name: 'b', total: 4, ping: 'Slurmctld(primary) at bctl is UP\n' };
const both = { actl: a, bctl: b };

const planned = (judgement: Judgement, ...names: string[]): Plan | Refusal => {
  const drain = action('slurm.drain');
  return drain.plan(subjects(...names), drain.parameters.parse({ reason: 'test' }), {
    judgement,
    operator: 'alice',
  });
};

const refusal = (judgement: Judgement, ...names: string[]): string => {
  const made = planned(judgement, ...names);
  return 'refused' in made ? made.reason : 'not refused';
};

const plan = (judgement: Judgement, ...names: string[]): Plan => {
  const made = planned(judgement, ...names);
  if ('refused' in made) throw new Error(made.reason);
  return made;
};

describe('acting where there are two clusters', () => {
  it('refuses a name that both have, and takes it with its cluster', () => {
    expect(refusal(judged(both), 'n1')).toBe('2 clusters have a node n1: which is meant? a/n1 or b/n1');
    const made = plan(judged(both), 'b/n1');
    expect(made.because[0]).toBe('cluster b on bctl');
    expect(only(made).subject.id).toBe('b/n1');
    expect(lines(only(made))[0]).toMatch(/^bctl: scontrol\|update\|nodename=n1\|state=drain\|reason=/);
    expect(lines(only(plan(judged(both), 'a/n1')))[0]).toMatch(/^actl: /);
  });

  it('takes a name that one has as it is, with its cluster, too', () => {
    for (const typed of ['n7', 'a/n7'])
      expect(plan(judged(both), typed).targets.map(({ subject }) => subject.id)).toEqual(['n7']);
    expect(plan(judged({ actl: a }), 'a/n1').targets.map(({ subject }) => subject.id)).toEqual(['n1']);
  });

  it('refuses what is in no cluster or in two', () => {
    expect(refusal(judged(both), 'c/n1')).toBe('no Slurm cluster c was read here; known: a, b');
    expect(refusal(judged(both), 'b/n7')).toBe('b has no node n7');
    expect(refusal(judged(both), 'n7', 'b/n1')).toBe(
      'n7 and b/n1 are in two clusters (a, b): one plan is about one cluster',
    );
    expect(refusal(judged(both), 'n99')).toContain('not in the site file');
  });

  it('judges by its own cluster live: guards and verification look at no other', () => {
    const target = only(plan(judged(both), 'b/n1'));
    const others = judged({ actl: { ...a, nodes: { 'n1-n8': drained } }, bctl: b });
    expect(guard(target, '6 partition share', others)).toMatchObject({ ok: false });
    expect(guard(target, '6 partition share', others).text).toContain('1 of 4 nodes');
    expect(target.verify.check(others)).toMatchObject({ state: 'wait' });
    expect(target.whyAlreadyDone(others)).toBeUndefined();
    const own = judged({ actl: a, bctl: { ...b, nodes: { n1: drained } } });
    expect(target.whyAlreadyDone(own)).toContain('n1 is drained already');
  });

  it('knows no host behind a name that two have, so that nothing is checked on the wrong machine', () => {
    const resume = action('slurm.resume');
    const judgement = judged(
      { actl: { ...a, nodes: { n1: drained, n7: drained } }, bctl: b },
      { check: { command: ['/usr/sbin/nhc'] } },
    );
    const made = (name: string): Plan => {
      const given = resume.parameters.parse({});
      const one = resume.plan(subjects(name), given, { judgement, operator: 'root' });
      if ('refused' in one) throw new Error(one.reason);
      return one;
    };
    expect(made('a/n1').danger).toBe('service');
    expect(only(made('a/n1')).guards.some(({ id }) => id === '3 check')).toBe(false);
    expect(only(made('n7')).guards.some(({ id }) => id === '3 check')).toBe(true);
  });

  it('undoes on the cluster that the run was on', () => {
    const undo = action('slurm.drain').undoOf;
    const back = undo?.(subjects('b/n1')[0] ?? { kind: 'node', id: '' }, undefined, {
      judgement: judged(both),
      operator: 'alice',
    });
    expect(back).toMatchObject({ steps: [{ host: 'bctl' }] });
    expect(
      undo?.({ kind: 'node', id: 'n1' }, undefined, { judgement: judged(both), operator: 'alice' }),
    ).toMatchObject({ refused: true });
  });

  it('refuses while it is not known whose nodes a controller lists', () => {
    const late = { err: 'slurm_load_ctl_conf error: Socket timed out', exit: 1 };
    const unnamed = judged({ actl: a, bctl: { ...b, answers: { 'slurm.config': late } } });
    expect(refusal(unnamed, 'n7')).toContain('the ClusterName that bctl asks was not read');
  });

  it('tells clusters of one name apart by their controllers', () => {
    const alike = judged({ actl: { ...a, name: 'cluster' }, bctl: { ...b, name: 'cluster' } });
    expect(refusal(alike, 'n1')).toBe('2 clusters have a node n1: which is meant? actl/n1 or bctl/n1');
    expect(lines(only(plan(alike, 'bctl/n1')))[0]).toMatch(/^bctl: /);
  });
});

const down = { err: 'slurm_load_node error: Unable to contact slurm controller (connect failure)', exit: 1 };
const dead = {
  answers: Object.fromEntries(
    ['nodes', 'jobs', 'sdiag', 'partitions', 'reservations', 'config'].map((one) => [`slurm.${one}`, down]),
  ),
  ping: 'Slurmctld(primary) at bctl is DOWN\n',
};

describe('one of two controllers that is down from the start', () => {
  const judgement = judged({ actl: { ...a, nodes: { n1: drained } }, bctl: { ...b, ...dead } });

  it('hurts no row of the other', () => {
    const alone = slurm.view(judged({ actl: { ...a, nodes: { n1: drained } } }));
    const beside = slurm.view(judgement);
    const rowsOf = (pane: typeof alone): unknown =>
      pane.blocks.flatMap((block) =>
        block.type === 'table' ? block.rows.map(({ key, sign }) => [key, sign]) : [],
      );
    expect(rowsOf(beside)).toEqual(rowsOf(alone));
    expect(slurm.findings(judgement).map(({ severity, summary }) => `${severity}: ${summary}`)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('critical: slurmctld on bctl down'),
        expect.stringContaining('n1 drained'),
      ]),
    );
  });

  it('a plain name is refused: whether the other has such a node is not known', () => {
    expect(refusal(judgement, 'n2')).toBe(
      'the nodes of the cluster of bctl were never read: whether it has a node n2 is not known; write a/n2',
    );
    const made = only(plan(judgement, 'a/n2'));
    expect(lines(made)[0]).toMatch(/^actl: scontrol\|update\|nodename=n2\|/);
    expect(made.subject.id).toBe('a/n2');
  });

  it('the plan can be made anew for what it names, as it is before anything is sent, and undone', () => {
    const { subject } = only(plan(judgement, 'a/n2'));
    expect(lines(only(plan(judgement, subject.id)))).toEqual(lines(only(plan(judgement, 'a/n2'))));
    const back = action('slurm.drain').undoOf?.(subject, undefined, { judgement, operator: 'alice' });
    expect(back).toMatchObject({ steps: [{ host: 'actl' }] });
  });
});

describe('names in the pane', () => {
  it('are CLUSTER/NODE where both have them, and plain elsewhere', () => {
    const rows = slurm
      .view(judged(both))
      .blocks.flatMap((block) => (block.type === 'table' ? block.rows : []))
      .flatMap(({ subject }) => (subject?.kind === 'node' ? [subject.id] : []));
    expect(rows).toEqual(
      [1, 2, 3, 4]
        .map((at) => `a/n${at}`)
        .concat(
          ['n5', 'n6', 'n7', 'n8'],
          [1, 2, 3, 4].map((at) => `b/n${at}`),
        ),
    );
    expect(partitionGroups(judged(both)).get('b/batch')).toEqual(['b/n1', 'b/n2', 'b/n3', 'b/n4']);
  });

  it('remain plain where nodes differ', () => {
    const rows = slurm
      .view(judged({ actl: a, bctl: { ...b, prefix: 'g' } }))
      .blocks.flatMap((block) => (block.type === 'table' ? block.rows : []));
    expect(rows.some(({ subject }) => subject?.id.includes('/'))).toBe(false);
  });
});
