import { describe, expect, it } from 'vitest';
import { cluster, drainedBy, node, sick, silent } from './make.ts';
import { action, subjects, planned, plan, only, lines, undoLines, guard, passing } from './planning.ts';
import { offerOf } from '../../src/remedy/offer.ts';

describe('slurm.resume', () => {
  it('sends exactly this, on the controller, and undoes with the old reason', () => {
    const world = passing(cluster([sick('n12')]), 'n12');
    const made = plan(world, 'slurm.resume', ['n12']);
    expect(made).toMatchObject({
      title: 'Resume n12',
      verb: 'resume',
      danger: 'reversible',
      exceeded: [],
      leftOut: [],
    });
    const target = only(made);
    expect(lines(target)).toEqual(['ctl1: scontrol|update|nodename=n12|state=resume']);
    expect(undoLines(target)).toEqual([
      'scontrol|update|nodename=n12|state=drain|reason=NHC: HDFS mount lost',
    ]);
    expect(target.lockGroups).toEqual(['partition batch']);
    expect(target.verify).toMatchObject({
      deadlineMs: 30_000,
      reads: [{ probe: 'slurm.nodes', host: 'ctl1' }],
    });
    expect(made.because).toEqual([
      'taken out of service by the health check (reason matches the site file), "HDFS mount lost"',
      'the check passes on it',
    ]);
  });

  it('leaves out what fails its check and what a person drained, each with the reason', () => {
    const world = passing(
      cluster([sick('n12'), sick('n13'), sick('n31'), drainedBy('n99', 'bob', 'bad DIMM, RMA 1234')]),
      'n12',
      'n13',
    );
    world.check('n31', '/hdfs is empty');
    const made = plan(world, 'slurm.resume', ['n12', 'n13', 'n31', 'n99']);
    expect(made.title).toBe('Resume 2 nodes');
    expect(made.leftOut).toEqual([
      { subject: { kind: 'node', id: 'n31' }, reason: 'the health check fails ("/hdfs is empty")' },
      {
        subject: { kind: 'node', id: 'n99' },
        reason: 'drained by bob for another reason ("bad DIMM, RMA 1234")',
      },
    ]);
  });

  it('refuses when nothing is left', () => {
    const world = cluster([drainedBy('n9', 'bob', 'RMA')]);
    expect(planned(world, 'slurm.resume', ['n9'])).toEqual({
      refused: true,
      guard: '4 ownership',
      reason: 'n9: drained by bob for another reason ("RMA")',
    });
    world.change(sick('n9'));
    world.check('n9', 'broken');
    expect(planned(world, 'slurm.resume', ['n9'])).toMatchObject({ guard: '3 check' });
  });

  it('guard 4: root alone proves nothing, another operator is a person, a typed reason takes over', () => {
    for (const one of [drainedBy('n9', 'root', 'RMA 12'), drainedBy('n9', 'root', 'faultline bob: RMA 12')]) {
      const world = passing(cluster([one]), 'n9');
      expect(planned(world, 'slurm.resume', ['n9'])).toMatchObject({ refused: true, guard: '4 ownership' });
      const taken = plan(world, 'slurm.resume', ['n9'], { takeOver: 'bob is on leave, DIMM was swapped' });
      expect(taken.exceeded).toEqual([{ guard: '4 ownership', reason: 'bob is on leave, DIMM was swapped' }]);
      expect(only(taken).guards.find((one) => one.id === '4 ownership')?.absolute).toBe(false);
      const exceeded = plan(world, 'slurm.resume', ['n9'], {}, { exceed: { '4': 'as agreed' } });
      expect(exceeded.exceeded).toEqual([{ guard: '4 ownership', reason: 'as agreed' }]);
    }
  });

  it('guard 4: what this operator drained through this program comes back without more', () => {
    const world = passing(cluster([drainedBy('n9', 'root', 'faultline alice: fan')]), 'n9');
    expect(plan(world, 'slurm.resume', ['n9']).exceeded).toEqual([]);
  });

  it('guard 4: a reason that resuming does not mend wants a take-over too', () => {
    const world = passing(
      cluster([drainedBy('n9', 'slurm', 'gres/gpu count reported lower than configured (3 < 4)')]),
      'n9',
    );
    expect(planned(world, 'slurm.resume', ['n9'])).toMatchObject({ guard: '4 ownership' });
    expect(plan(world, 'slurm.resume', ['n9'], { takeOver: 'GPU reseated' }).targets).toHaveLength(1);
  });

  it('a take-over does not get a node past its failing check', () => {
    const world = cluster([drainedBy('n9', 'bob', 'RMA')]);
    world.check('n9', 'disk full');
    expect(planned(world, 'slurm.resume', ['n9'], { takeOver: 'because' })).toMatchObject({
      guard: '3 check',
    });
  });

  it('guard 3: the reading of the nodes must be fresh', () => {
    const world = passing(cluster([sick('n12')]), 'n12');
    world.readings.fail('slurm.nodes', 'ctl1', { kind: 'timeout', message: 'ctl1: sinfo timed out' });
    expect(planned(world, 'slurm.resume', ['n12'])).toMatchObject({
      refused: true,
      guard: '3 preconditions',
      reason: expect.stringContaining('timed out'),
    });
  });

  it.each([
    [
      'that never answered since the start',
      {
        kind: 'connect',
        message: 'ctl1: timed out after 8 s during the key exchange; its first word took 2.0 s',
      },
    ],
    ['whose command fails', { kind: 'command', message: 'ctl1: Socket timed out' }],
  ] as const)('a controller %s refuses with the cause', (_how, failure) => {
    const world = passing(cluster([sick('n12')]), 'n12');
    world.readings.forget('slurm.nodes', 'ctl1');
    world.readings.fail('slurm.nodes', 'ctl1', failure);
    expect(planned(world, 'slurm.resume', ['n12'])).toEqual({
      refused: true,
      guard: '3 preconditions',
      reason: `Slurm's nodes can't be read: ${failure.message}`,
    });
  });

  it.each([
    ['another reason', drainedBy('n12', 'bob', 'RMA'), 'now drained, "RMA" by bob'],
    ['another user', drainedBy('n12', 'bob', 'NHC: HDFS mount lost'), 'by bob'],
    ['gone down meanwhile', sick('n12', { state: 'DOWN', flags: [] }), 'now down'],
  ])('guard 3: %s since the plan was made aborts it', (_name, changed, said) => {
    const world = passing(cluster([sick('n12')]), 'n12');
    const target = only(plan(world, 'slurm.resume', ['n12']));
    expect(guard(target, '3 preconditions', world.judgement())).toMatchObject({ ok: true });
    world.change(changed);
    const result = guard(target, '3 preconditions', world.judgement());
    expect(result.ok).toBe(false);
    expect(result.text).toContain(said);
    expect(target.whyAlreadyDone(world.judgement())).toBeUndefined();
  });

  it('guard 4 again on the live reading', () => {
    const world = passing(cluster([sick('n12')]), 'n12');
    const target = only(plan(world, 'slurm.resume', ['n12']));
    world.change(drainedBy('n12', 'bob', 'RMA'));
    expect(guard(target, '4 ownership', world.judgement())).toMatchObject({ ok: false });
  });

  it('the check is asked live on the node itself; failing, silent or not fresh is no', () => {
    const world = passing(cluster([sick('n12')]), 'n12');
    const target = only(plan(world, 'slurm.resume', ['n12']));
    const check = target.guards.find((one) => one.id === '3 check');
    expect(check).toMatchObject({ absolute: true, reads: [{ probe: 'slurm.check', host: 'n12' }] });
    expect(check?.check(world.judgement())).toMatchObject({ ok: true });
    world.check('n12', '/hdfs is empty');
    expect(check?.check(world.judgement())).toEqual({
      ok: false,
      text: 'the health check fails ("/hdfs is empty")',
    });
    world.check('n12');
    world.readings.fail('slurm.check', 'n12', { kind: 'timeout', message: 'n12: nhc timed out after 20 s' });
    expect(check?.check(world.judgement())).toEqual({
      ok: false,
      text: 'the health check could not run: n12: nhc timed out after 20 s',
    });
  });

  it.each([
    [[], 'no node is chosen'],
    [['n[1-8]'], 'not the name of one node'],
    [['ALL'], 'not the name of one node'],
    [['all'], 'not the name of one node'],
    [['n1,n2'], 'not the name of one node'],
    [['-x'], 'not the name of one node'],
    [['n1\u200b'], 'not the name of one node'],
    [['nosuch'], 'not in the site file'],
    [['ctl1'], 'Slurm knows no such node'],
  ])('guard 5: %j is no target', (names, said) => {
    expect(planned(cluster([sick('n12')]), 'slurm.resume', names)).toMatchObject({
      refused: true,
      guard: '5 targets',
      reason: expect.stringContaining(said),
    });
  });

  it('guard 11: what is in service already has nothing to do, also when it came back meanwhile', () => {
    const world = passing(cluster([sick('n12')]), 'n12');
    const idle = plan(world, 'slurm.resume', ['n1']);
    expect(only(idle).whyAlreadyDone(world.judgement())).toBe('n1 is idle already');
    expect(idle.because).toEqual(['in service already: there is nothing to do']);
    const target = only(plan(world, 'slurm.resume', ['n12']));
    expect(target.whyAlreadyDone(world.judgement())).toBeUndefined();
    world.change(node('n12', { state: 'MIXED' }));
    expect(target.whyAlreadyDone(world.judgement())).toBe('n12 is mixed already');
  });

  it.each([
    [sick('n12'), 'wait'],
    [node('n12', { flags: ['NOT_RESPONDING'] }), 'wait'],
    [node('n12', { state: 'DOWN' }), 'wait'],
    [node('n12', { flags: ['FAIL'] }), 'wait'],
    [node('n12', { flags: ['PLANNED'] }), 'yes'],
    [node('n12'), 'yes'],
  ])('guard 10: reads back %j as %s', (now, state) => {
    const world = passing(cluster([sick('n12')]), 'n12');
    const target = only(plan(world, 'slurm.resume', ['n12']));
    world.change(now);
    expect(target.verify.check(world.judgement()).state).toBe(state);
  });

  it('without a check says so, and wants the target typed', () => {
    const world = cluster([sick('n12')], { slurm: {} });
    const made = plan(world, 'slurm.resume', ['n12']);
    expect(made.danger).toBe('service');
    expect(made.because).toContain('no health check: the site file has no slurm.check.command');
    expect(only(made).guards.map((one) => one.id)).not.toContain('3 check');
  });

  it('leaves a node alone that is being rebooted', () => {
    const world = cluster([node('n12', { state: 'DOWN', flags: ['DRAIN', 'REBOOT_ISSUED'] })]);
    expect(planned(world, 'slurm.resume', ['n12'])).toMatchObject({ guard: '3 preconditions' });
  });

  it('brings back a node that was given up, once its check answers', () => {
    const world = passing(cluster([silent('n12')]), 'n12');
    expect(lines(only(plan(world, 'slurm.resume', ['n12'])))).toEqual([
      'ctl1: scontrol|update|nodename=n12|state=resume',
    ]);
  });

  it('an old reason full of hostile text is drained again in what a command line can hold', () => {
    const world = passing(cluster([sick('n12', { reason: 'NHC: ü\u202Ex ⏎ "q" $(reboot)' })]), 'n12');
    expect(undoLines(only(plan(world, 'slurm.resume', ['n12'])))?.[0]).toBe(
      'scontrol|update|nodename=n12|state=drain|reason=NHC: ?<U+202E>x ? "q" $(reboot)',
    );
  });

  it('the menu says how many, or why not', () => {
    const world = passing(cluster([sick('n12'), drainedBy('n99', 'bob', 'RMA')]), 'n12');
    const offer = (...names: string[]) =>
      offerOf(action('slurm.resume'), subjects(...names), {
        judgement: world.judgement(),
        operator: 'alice',
      });
    expect(offer('n12', 'n99')).toEqual({ available: true, note: '1 of 2, 1 left out' });
    expect(offer('n99')).toEqual({
      available: false,
      reason: 'n99: drained by bob for another reason ("RMA")',
    });
    expect(offer('n1')).toEqual({ available: false, reason: 'in service already' });
  });
});

describe('slurm.undrain', () => {
  it('clears DRAIN only, with the same guards', () => {
    const world = passing(cluster([sick('n12', { state: 'MIXED' })]), 'n12');
    const target = only(plan(world, 'slurm.undrain', ['n12']));
    expect(lines(target)).toEqual(['ctl1: scontrol|update|nodename=n12|state=undrain']);
    expect(target.guards.map((one) => one.id)).toEqual(['3 preconditions', '4 ownership', '3 check']);
    world.change(node('n12', { state: 'DOWN' }));
    expect(target.verify.check(world.judgement()).state).toBe('yes');
    expect(planned(cluster([drainedBy('n9', 'bob', 'RMA')]), 'slurm.undrain', ['n9'])).toMatchObject({
      guard: '4 ownership',
    });
  });
});
