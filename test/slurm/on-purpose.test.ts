import { describe, expect, it } from 'vitest';
import { findings } from '../../probes/slurm/judge/findings.ts';
import { findError } from '../../probes/slurm/read/errors.ts';
import { nodesFromText } from '../../probes/slurm/read/parse-nodes-text.ts';
import type { SlurmNode } from '../../probes/slurm/readings.ts';
import { start } from '../helpers/judging.ts';
import { cluster, drainedBy, node, sick, silent } from './make.ts';

const names = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `n${from + at}`);
const said = (world: ReturnType<typeof cluster>): string[] =>
  findings(world.judgement()).map(({ severity, summary }) => `${severity} ${summary}`);

/** n1 to n16 in a partition `old` of this state, n17 to n48 in `batch`. */
const retired = (state: string, nodes: readonly SlurmNode[]) => {
  const world = cluster(
    nodes.map((one) => ({ ...one, partitions: ['old'] })),
    { total: 48 },
  );
  world.readings.good('slurm.partitions', 'ctl1', {
    partitions: [
      { partitionName: 'old', state },
      { partitionName: 'batch', state: 'UP' },
    ],
  });
  return world;
};
const setAside = names(1, 16).map((name) => drainedBy(name, 'ops', 'decommissioned, INV-22'));

describe('a partition that somebody closed and emptied', () => {
  it.each(['DRAIN', 'INACTIVE'])('%s: nothing above a notice', (state) => {
    expect(said(retired(state, setAside)).filter((line) => !line.startsWith('notice'))).toEqual([]);
  });
  it('that loses nodes by a fault is loud, whatever its state', () => {
    expect(
      said(
        retired(
          'DRAIN',
          names(1, 16).map((name) => sick(name)),
        ),
      )[0],
    ).toMatch(/^critical/);
    expect(
      said(
        retired(
          'DRAIN',
          names(1, 16).map((name) => silent(name)),
        ),
      )[0],
    ).toMatch(/^critical/);
  });
  it('that is open is a warning, by the one who did it', () => {
    expect(said(retired('UP', setAside))[0]).toBe(
      'warning n[1-16] drained by ops, "decommissioned, INV-22"; 16 of 16 in old',
    );
  });
});

describe('nodes that are DOWN by root', () => {
  const down = (name: string, user: string, reason: string): SlurmNode =>
    node(name, {
      state: 'DOWN',
      flags: ['CLOUD', 'POWERED_DOWN'],
      reason,
      reasonUser: user,
      reasonAt: start - 600_000,
    });
  const severityOf = (user: string, reason: string): string[] =>
    said(cluster(names(1, 6).map((name) => down(name, user, reason)))).map(
      (line) => line.split(' ')[0] ?? '',
    );

  it.each([
    '(Code:InsufficientInstanceCapacity)Failure when resuming nodes',
    'resume: error 503 of the cloud',
    'could not create instances',
  ])('with the word that something failed were set by a program: %s', (reason) =>
    expect(severityOf('root', reason)).toEqual(['warning']),
  );

  it.each([
    ['root', 'moved to the new hall, back in January'],
    ['root', 'decommissioned'],
    ['ops', 'PSU failed, RMA 4711'],
  ])('by %s, "%s": somebody knows why', (user, reason) =>
    expect(severityOf(user, reason)).toEqual(['notice']),
  );
});

describe('what persons took of a partition', () => {
  it('goes behind what failed and is as bad, however much it is', () => {
    const found = findings(
      cluster([
        ...names(1, 30).map((name) => drainedBy(name, 'ops', 'CHG-77 OS upgrade')),
        silent('n40'),
      ]).judgement(),
    );
    expect(found.filter(({ deliberate }) => deliberate).map(({ kind }) => kind)).toEqual([
      'drained-group',
      'partition-below-limit',
    ]);
    expect(found.find(({ kind }) => kind === 'not-responding')?.deliberate).toBeUndefined();
  });

  it('one reason tells of it before the share', () => {
    const world = cluster(
      names(1, 12).map((name) => drainedBy(name, 'root', 'fwtool: update failed rc=3')),
      { total: 48 },
    );
    const [first, second] = findings(world.judgement());
    expect(first?.summary).toBe('n[1-12] drained by root, "fwtool: update failed rc=3"; 12 of 48 in batch');
    expect(second).toMatchObject({
      kind: 'partition-below-limit',
      severity: 'warning',
      evidence: [{ values: { toldByOthers: true } }],
    });
  });
  it('is a notice within the limit', () => {
    const few = names(1, 4).map((name) => drainedBy(name, 'ops', 'driver'));
    expect(said(cluster(few, { total: 48 }))).toEqual(['notice n[1-4] drained by ops, "driver"']);
  });
  it('one node of a small partition is no more than one node', () => {
    const one = drainedBy('n1', 'ops', 'driver', { partitions: ['gpu'] });
    expect(said(cluster([one, node('n2', { partitions: ['gpu'] })], { total: 48 }))).toEqual([
      'notice n1 drained by ops, "driver"',
    ]);
  });
});

describe('a backup controller in standby', () => {
  const standby = {
    kind: 'command',
    code: 'standby',
    message: 'ctl2: sdiag: Slurm backup controller in standby mode',
  } as const;
  const world = () => {
    const made = cluster([], { total: 4 });
    made.readings.fail('slurm.nodes', 'ctl1', { kind: 'connect', message: 'ctl1: connection refused' });
    for (const probe of ['slurm.jobs', 'slurm.config']) made.readings.forget(probe, 'ctl1');
    made.readings.fail('slurm.nodes', 'ctl2', {
      kind: 'command',
      code: 'noAnswer',
      message: 'ctl2: sinfo: Unspecified error',
    });
    made.readings.fail('slurm.sdiag', 'ctl2', standby);
    return made;
  };
  it('serves nobody: that is critical, and no daemon is said to hang', () => {
    const [found, ...more] = findings(world().judgement());
    expect(found).toMatchObject({
      kind: 'controller-standby',
      severity: 'critical',
      subject: { id: 'ctl2' },
    });
    expect(found?.summary).toMatch(/^no slurmctld serves.*: that of ctl2 is a backup in standby/);
    expect(more.map(({ kind }) => kind)).not.toContain('controller-hung');
  });
  it('is nothing while another controller answers', () => {
    const made = world();
    made.readings.good('slurm.nodes', 'ctl1', { form: 'text', nodes: [node('n1')] });
    expect(findings(made.judgement()).map(({ kind }) => kind)).not.toContain('controller-standby');
    const other = world();
    other.readings.good('slurm.jobs', 'ctl1', { jobs: [] }, start + 60_000);
    expect(findings(other.judgement()).map(({ kind }) => kind)).not.toContain('controller-standby');
  });
  it('is told by its words', () => {
    expect(findError('slurm_load_node error: Slurm backup controller in standby mode')?.code).toBe('standby');
    expect(findError('sinfo: error: Controller is in standby mode, try a different controller')?.code).toBe(
      'standby',
    );
  });
});

describe('nodes that went together', () => {
  const rack = (name: string): Record<string, string> => ({
    rack: `r${Math.ceil(Number(name.slice(1)) / 16)}`,
  });
  const rebooted = (name: string, at = 0): SlurmNode =>
    node(name, {
      state: 'DOWN',
      reason: 'Node unexpectedly rebooted',
      reasonUser: 'slurm',
      reasonAt: start - 720_000 + at,
    });
  it('are told with the rack that they all stand in', () => {
    const world = cluster(
      names(1, 6).map((name, at) => rebooted(name, at * 9000)),
      { total: 48, location: rack },
    );
    const [found] = findings(world.judgement());
    expect(found?.summary).toBe('n[1-6] are down: "Node unexpectedly rebooted"; all in rack r1');
    expect(found?.advice).toMatch(/^They went within 45 s and all stand in rack r1: look at its power/);
    expect(found?.suspects).toMatchObject([
      { subject: { kind: 'place', id: 'rack=r1' }, confidence: 'medium' },
    ]);
  });
  it.each<[string, SlurmNode[], (name: string) => Record<string, string>]>([
    ['over an hour', names(1, 6).map((name, at) => rebooted(name, at * 720_000)), rack],
    ['in two racks', [...names(1, 3), ...names(17, 19)].map((name) => rebooted(name)), rack],
    ['three of sixteen', names(1, 3).map((name) => rebooted(name)), rack],
    ['in the only rack', names(1, 6).map((name) => rebooted(name)), () => ({ rack: 'r1' })],
    ['without labels', names(1, 6).map((name) => rebooted(name)), () => ({})],
  ])('not %s', (_what, nodes, location) => {
    const world = cluster(nodes, { total: 48, location });
    expect(said(world).join()).not.toContain('all in');
    expect(findings(world.judgement()).flatMap(({ suspects = [] }) => suspects)).toEqual([]);
  });
  it('all of them: the controller is looked at first', () => {
    const [found] = findings(
      cluster(
        names(1, 48).map((name) => silent(name)),
        { total: 48 },
      ).judgement(),
    );
    expect(found?.summary).toContain('all 48 nodes of the cluster');
    expect(found?.advice).toContain("controller's side");
    const [most] = findings(
      cluster(
        names(1, 47).map((name) => silent(name)),
        { total: 48 },
      ).judgement(),
    );
    expect(most?.summary).toContain('no location label shared');
  });
});

describe('reboots of 20.11, which has one word for both', () => {
  const text = (state: string, reason: string): string =>
    `NodeName=n1 Arch=x86_64 CoresPerSocket=4 \n   OS=Linux 4.18\n   State=${state} ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A\n   Partitions=batch \n   Reason=${reason} [root@2026-11-20T02:19:00]\n\n`;
  it.each([
    ['REBOOT*+DRAIN', 'kernel : reboot issued', true],
    ['DOWN*+DRAIN', 'kernel : reboot issued', true],
    ['MIXED@', 'kernel', false],
    ['DOWN*+DRAIN', 'kernel : reboot issued : reboot timed out', false],
    ['IDLE+DRAIN', 'kernel : reboot issued', false],
  ])('%s, %s: %s', (state, reason, issued) => {
    expect(nodesFromText(text(state, reason), 'UTC').nodes[0]?.flags.includes('REBOOT_ISSUED')).toBe(issued);
  });
});
