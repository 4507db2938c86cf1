import { describe, expect, it } from 'vitest';
import { cluster, drainedBy, node, sick, withCheck } from './make.ts';
import { action, planned, plan, only, lines, undoLines, guard } from './planning.ts';

describe('slurm.drain', () => {
  it('writes the operator and this program in front of the reason', () => {
    const made = plan(cluster([]), 'slurm.drain', ['n1'], { reason: 'bad DIMM, RMA 12' });
    const target = only(made);
    expect(lines(target)).toEqual([
      'ctl1: scontrol|update|nodename=n1|state=drain|reason=faultline alice: bad DIMM, RMA 12',
    ]);
    expect(undoLines(target)).toEqual(['scontrol|update|nodename=n1|state=undrain']);
    expect(made.danger).toBe('reversible');
  });

  it.each(['', '   ', '-x', 'a'.repeat(121), 'two\nlines', 'quote"', 'semi;$(x)', 'ünïcode', '`x`'])(
    '%j is no reason',
    (reason) => {
      const parsed = action('slurm.drain').parameters.safeParse({ reason });
      expect(parsed.success).toBe(reason === 'semi;x');
    },
  );

  it('a reason that is too long with the prefix is refused, not cut', () => {
    expect(planned(cluster([]), 'slurm.drain', ['n1'], { reason: 'a'.repeat(110) })).toMatchObject({
      refused: true,
      guard: 'parameters',
    });
  });

  it('guard 6: counts what others took out, and all of the plan', () => {
    const others = ['n1', 'n2'].map((name) => drainedBy(name, 'bob', 'x', { partitions: ['gpu'] }));
    const rest = ['n3', 'n4', 'n5', 'n6', 'n7', 'n8', 'n9', 'n10', 'n11', 'n12'].map((name) =>
      node(name, { partitions: ['gpu'] }),
    );
    const world = cluster([...others, ...rest], { slurm: { ...withCheck, limits: { partitionOut: '30%' } } });
    const check = (...names: string[]) =>
      plan(world, 'slurm.drain', names, { reason: 'x' }).targets.map((target) =>
        guard(target, '6 partition share', world.judgement()),
      );
    expect(check('n3')).toEqual([
      { ok: true, text: 'partition gpu: 3 of 12 nodes out of service afterwards (25 %, limit 30 %)' },
    ]);
    expect(check('n3', 'n4')).toEqual([
      { ok: false, text: 'partition gpu: 4 of 12 nodes out of service afterwards (33 %, limit 30 %)' },
      { ok: false, text: 'partition gpu: 4 of 12 nodes out of service afterwards (33 %, limit 30 %)' },
    ]);
    const exceeded = plan(
      world,
      'slurm.drain',
      ['n3', 'n4'],
      { reason: 'x' },
      { exceed: { '6': 'power work' } },
    );
    expect(exceeded.exceeded).toEqual([{ guard: '6 partition share', reason: 'power work' }]);
    expect(
      plan(world, 'slurm.drain', ['n3'], { reason: 'x' }, { exceed: { '6': 'power work' } }).exceeded,
    ).toEqual([]);
  });

  it('guard 6: a typed reason goes beyond the limit, and only where it is needed', () => {
    const world = cluster([], { total: 4 });
    const beyond = (reason?: string) =>
      plan(world, 'slurm.drain', ['n1'], { reason: 'x', beyondLimit: reason }).exceeded;
    expect(beyond()).toEqual([]);
    expect(beyond('all four go today')).toEqual([
      { guard: '6 partition share', reason: 'all four go today' },
    ]);
    expect(plan(cluster([]), 'slurm.drain', ['n1'], { reason: 'x', beyondLimit: 'y' }).exceeded).toEqual([]);
    expect(plan(world, 'slurm.reboot', ['n1'], { reason: 'x', beyondLimit: 'y' }).exceeded).toHaveLength(1);
  });

  it('guard 6 on the live reading: somebody else drained meanwhile', () => {
    const world = cluster([], { total: 10 });
    const target = only(plan(world, 'slurm.drain', ['n1'], { reason: 'x' }));
    expect(guard(target, '6 partition share', world.judgement()).ok).toBe(true);
    world.change(drainedBy('n2', 'bob', 'x'), drainedBy('n3', 'bob', 'x'));
    expect(guard(target, '6 partition share', world.judgement())).toMatchObject({ ok: false });
  });

  it('guard 11: drained already is left out, with whose reason stands there', () => {
    expect(planned(cluster([drainedBy('n1', 'bob', 'RMA')]), 'slurm.drain', ['n1'], { reason: 'x' })).toEqual(
      {
        refused: true,
        guard: '11 at most once',
        reason: 'n1: drained already, "RMA" by bob',
      },
    );
  });

  it('guard 10: verified by DRAIN with this very reason', () => {
    const world = cluster([]);
    const target = only(plan(world, 'slurm.drain', ['n1'], { reason: 'fan' }));
    world.change(drainedBy('n1', 'root', 'something else'));
    expect(target.verify.check(world.judgement()).state).toBe('wait');
    world.change(drainedBy('n1', 'root', 'faultline alice: fan'));
    expect(target.verify.check(world.judgement())).toEqual({ state: 'yes', text: 'n1 reads drained' });
  });

  it('says how many jobs run there where that is known, and never none where it is not', () => {
    const because = (world: ReturnType<typeof cluster>, ...names: string[]) =>
      plan(world, 'slurm.drain', names, { reason: 'fan' }).because;
    const world = cluster([node('n1', { state: 'MIXED' })]);
    expect(because(world, 'n1')).toContain(
      'jobs run there (how many is not known): those go on to their end',
    );
    const job = { jobId: '7', userName: 'bob', jobState: 'RUNNING', nodes: 'n1' };
    world.readings.good('slurm.jobs', 'ctl1', { jobs: [job] });
    expect(because(world, 'n1')).toContain('jobs run there (1 in all): those go on to their end');
    expect(because(world, 'n1', 'n2')).toContain(
      '1 of 2 nodes run jobs (1 in all): those go on to their end',
    );
    expect(because(world, 'n2')).toContain('no jobs run there now');
  });

  it('a node on which jobs still run is draining, with how many where that is known', () => {
    const world = cluster([]);
    const target = only(plan(world, 'slurm.drain', ['n1'], { reason: 'fan' }));
    world.change(drainedBy('n1', 'root', 'faultline alice: fan', { state: 'MIXED' }));
    expect(target.verify.check(world.judgement())).toEqual({
      state: 'yes',
      text: 'n1 reads draining, jobs still run there',
      goesOn: 'jobs still run there',
    });
    const job = (jobId: string) => ({ jobId, userName: 'bob', jobState: 'RUNNING', nodes: 'n[1-2]' });
    world.readings.good('slurm.jobs', 'ctl1', { jobs: [job('7'), job('8')] });
    expect(target.verify.check(world.judgement())).toMatchObject({ goesOn: '2 jobs still run' });
  });
});

describe('slurm.reboot and slurm.cancel-reboot', () => {
  it('asks for a reboot when idle that returns to service', () => {
    const made = plan(cluster([]), 'slurm.reboot', ['n1'], { reason: 'glibc' });
    expect(made.danger).toBe('service');
    expect(lines(only(made))).toEqual([
      'ctl1: scontrol|reboot|ASAP|nextstate=RESUME|reason=faultline alice: glibc|n1',
    ]);
    expect(only(made).undo).toBeNull();
    const busy = plan(cluster([node('n1', { state: 'MIXED' })]), 'slurm.reboot', ['n1'], { reason: 'glibc' });
    expect(undoLines(only(busy))).toEqual(['scontrol|cancel_reboot|n1']);
  });

  it('never returns to service what a person drained', () => {
    const world = cluster([drainedBy('n9', 'bob', 'RMA')]);
    expect(planned(world, 'slurm.reboot', ['n9'], { reason: 'x' })).toMatchObject({ guard: '4 ownership' });
    const taken = plan(world, 'slurm.reboot', ['n9'], { reason: 'x', takeOver: 'bob asked for it' });
    expect(lines(only(taken))[0]).toContain('|nextstate=DOWN|');
    expect(taken.exceeded).toEqual([{ guard: '4 ownership', reason: 'bob asked for it' }]);
  });

  it('a node that Slurm drained may be rebooted: that is its cure', () => {
    const world = cluster([drainedBy('n9', 'root', 'Kill task failed')]);
    expect(lines(only(plan(world, 'slurm.reboot', ['n9'], { reason: 'stuck' })))[0]).toContain(
      'nextstate=RESUME',
    );
  });

  it('guard 6 holds here too', () => {
    const world = cluster([drainedBy('n2', 'bob', 'x'), drainedBy('n3', 'bob', 'x')], { total: 10 });
    expect(
      guard(
        only(plan(world, 'slurm.reboot', ['n1'], { reason: 'x' })),
        '6 partition share',
        world.judgement(),
      ).ok,
    ).toBe(false);
  });

  it('pending already is nothing to do; shown as pending is verified, and so is a younger boot', () => {
    const world = cluster([node('n1', { state: 'MIXED', bootAt: 1000 })]);
    const target = only(plan(world, 'slurm.reboot', ['n1'], { reason: 'x' }));
    expect(target.verify.check(world.judgement()).state).toBe('wait');
    world.change(node('n1', { bootAt: 2000 }));
    expect(target.verify.check(world.judgement()).state).toBe('yes');
    world.change(node('n1', { state: 'MIXED', flags: ['DRAIN', 'REBOOT_REQUESTED'] }));
    expect(target.verify.check(world.judgement())).toMatchObject({
      state: 'yes',
      goesOn: 'the reboot is still to come',
    });
    expect(target.whyAlreadyDone(world.judgement())).toContain('pending already');
  });

  it('takes back a reboot that has not begun, and only that', () => {
    const asked = node('n1', { state: 'MIXED', flags: ['DRAIN', 'REBOOT_REQUESTED'], nextState: 'RESUME' });
    const world = cluster([asked]);
    const target = only(plan(world, 'slurm.cancel-reboot', ['n1']));
    expect(lines(target)).toEqual(['ctl1: scontrol|cancel_reboot|n1']);
    expect(target.whyAlreadyDone(world.judgement())).toBeUndefined();
    world.change(node('n1', { state: 'DOWN', flags: ['DRAIN', 'REBOOT_ISSUED'] }));
    expect(guard(target, '3 preconditions', world.judgement()).ok).toBe(false);
    expect(planned(world, 'slurm.cancel-reboot', ['n1'])).toMatchObject({ guard: '3 preconditions' });
    world.change(node('n1'));
    expect(target.whyAlreadyDone(world.judgement())).toContain('no reboot is pending');
    expect(target.verify.check(world.judgement()).state).toBe('yes');
  });
});

describe('slurm.check', () => {
  it('has no step: asking is all it does, and either answer is one', () => {
    const world = cluster([sick('n12')]);
    const made = plan(world, 'slurm.check', ['n12']);
    const target = only(made);
    expect(target.steps).toEqual([]);
    expect(target.verify.check(world.judgement()).state).toBe('wait');
    world.check('n12', '/hdfs is empty');
    expect(target.verify.check(world.judgement())).toEqual({
      state: 'yes',
      text: 'n12 fails: /hdfs is empty',
    });
    world.check('n12');
    expect(target.verify.check(world.judgement())).toEqual({ state: 'yes', text: 'n12 passes' });
  });

  it('is not offered without a command in the site file', () => {
    expect(planned(cluster([sick('n12')], { slurm: {} }), 'slurm.check', ['n12'])).toMatchObject({
      refused: true,
      reason: 'the site file has no slurm.check.command',
    });
  });
});
