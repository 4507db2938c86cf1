import { describe, expect, it } from 'vitest';
import type { Action, Plan, PlanContext, PlanTarget, Refusal } from '../../src/model/action.ts';
import type { Subject } from '../../src/model/subject.ts';
import type { Judgement } from '../../src/model/system.ts';
import { slurmActions } from '../../probes/slurm/actions.ts';
import { cluster, drainedBy, node, sick, silent, withCheck } from './make.ts';

const action = (id: string): Action => {
  const found = slurmActions.actions.find((one) => one.id === id);
  if (!found) throw new Error(`no action ${id}`);
  return found;
};

const subjects = (...names: string[]): Subject[] => names.map((id) => ({ kind: 'node', id }));

type World = ReturnType<typeof cluster>;

const planned = (
  world: World,
  id: string,
  names: string[],
  given: object = {},
  more: Partial<PlanContext> = {},
): Plan | Refusal =>
  action(id).plan(subjects(...names), action(id).parameters.parse(given), {
    judgement: world.judgement(),
    operator: 'alice',
    ...more,
  });

const plan = (...args: Parameters<typeof planned>): Plan => {
  const made = planned(...args);
  if ('refused' in made) throw new Error(`refused by ${made.guard}: ${made.reason}`);
  return made;
};

const only = (made: Plan): PlanTarget => {
  const [target] = made.targets;
  if (!target || made.targets.length > 1) throw new Error(`${made.targets.length} targets`);
  return target;
};

const lines = (target: PlanTarget): string[] =>
  target.steps.map((step) => ('argv' in step ? `${step.host}: ${step.argv.join('|')}` : ''));
const undoLines = (target: PlanTarget): string[] | null =>
  target.undo && target.undo.map((step) => ('argv' in step ? step.argv.join('|') : ''));

/** What the guard with this id says of a judgement. */
const guard = (target: PlanTarget, id: string, live: Judgement) => {
  const found = target.guards.find((one) => one.id === id);
  if (!found) throw new Error(`no guard ${id} among ${target.guards.map((one) => one.id).join(', ')}`);
  return found.check(live);
};

const passing = (world: World, ...names: string[]): World => {
  for (const name of names) world.check(name);
  return world;
};

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
      { subject: { kind: 'node', id: 'n31' }, reason: 'check fails ("/hdfs is empty")' },
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
    expect(target.already(world.judgement())).toBeUndefined();
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
    expect(check?.check(world.judgement())).toEqual({ ok: false, text: 'check fails ("/hdfs is empty")' });
    world.check('n12');
    world.readings.fail('slurm.check', 'n12', { kind: 'timeout', message: 'n12: nhc timed out after 20 s' });
    expect(check?.check(world.judgement())).toEqual({
      ok: false,
      text: 'not checked: n12: nhc timed out after 20 s',
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
    expect(only(idle).already(world.judgement())).toBe('n1 is idle already');
    expect(idle.because).toEqual(['in service already: there is nothing to do']);
    const target = only(plan(world, 'slurm.resume', ['n12']));
    expect(target.already(world.judgement())).toBeUndefined();
    world.change(node('n12', { state: 'MIXED' }));
    expect(target.already(world.judgement())).toBe('n12 is mixed already');
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
    expect(made.because).toContain('not checked: the site file has no slurm.check.command');
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
      'scontrol|update|nodename=n12|state=drain|reason=NHC: ??x ? "q" $(reboot)',
    );
  });

  it('the menu says how many, or why not', () => {
    const world = passing(cluster([sick('n12'), drainedBy('n99', 'bob', 'RMA')]), 'n12');
    const offer = (...names: string[]) =>
      action('slurm.resume').offer(subjects(...names), { judgement: world.judgement(), operator: 'alice' });
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
    expect(target.verify.check(world.judgement()).state).toBe('yes');
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
    expect(target.verify.check(world.judgement()).state).toBe('yes');
    expect(target.already(world.judgement())).toContain('pending already');
  });

  it('takes back a reboot that has not begun, and only that', () => {
    const asked = node('n1', { state: 'MIXED', flags: ['DRAIN', 'REBOOT_REQUESTED'], nextState: 'RESUME' });
    const world = cluster([asked]);
    const target = only(plan(world, 'slurm.cancel-reboot', ['n1']));
    expect(lines(target)).toEqual(['ctl1: scontrol|cancel_reboot|n1']);
    expect(target.already(world.judgement())).toBeUndefined();
    world.change(node('n1', { state: 'DOWN', flags: ['DRAIN', 'REBOOT_ISSUED'] }));
    expect(guard(target, '3 preconditions', world.judgement()).ok).toBe(false);
    expect(planned(world, 'slurm.cancel-reboot', ['n1'])).toMatchObject({ guard: '3 preconditions' });
    world.change(node('n1'));
    expect(target.already(world.judgement())).toContain('no reboot is pending');
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
