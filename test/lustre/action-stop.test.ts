import { describe, expect, it } from 'vitest';
import { maxSeries } from '../../probes/lustre/judge/facts.ts';
import { findings } from '../../probes/lustre/judge/findings.ts';
import type { MdsReading } from '../../probes/lustre/readings.ts';
import type { Subject } from '../../src/model/subject.ts';
import { offerOf } from '../../src/remedy/offer.ts';
import { historyOf, start } from '../helpers/judging.ts';
import { World } from './world.ts';
import { action, ost, scratch, planned, plan, only, lines, guard, ready, osp } from './planning.ts';

describe('lustre.stop-creates', () => {
  it('2.7: active=0 on every MDT, each by its own server, undone by active=1; done once next_id stood still for 30 s', async () => {
    const world = await ready('degraded-ignored');
    const made = plan(world, 'stop-creates', [ost('001e')]);
    expect(made).toMatchObject({
      title: 'Stop creates on scratch-OST001e',
      danger: 'service',
      leftOut: [],
      exceeded: [],
    });
    expect(made.because[0]).toBe(
      'active=0 on every MDT: Lustre 2.7 does not honour max_create_count=0 (since 2.9), and its QOS ignores degraded',
    );
    const target = only(made);
    expect(lines(target.steps)).toEqual([
      'mds1: lctl set_param osp.scratch-OST001e-osc-MDT0000.active=0',
      'mds2: lctl set_param osp.scratch-OST001e-osc-MDT0001.active=0',
    ]);
    expect(lines(target.undo)).toEqual([
      'mds1: lctl set_param osp.scratch-OST001e-osc-MDT0000.active=1',
      'mds2: lctl set_param osp.scratch-OST001e-osc-MDT0001.active=1',
    ]);
    expect(target.lockGroups).toEqual(['filesystem scratch']);
    expect(target.whyAlreadyDone(world.judgement())).toBeUndefined();
    for (const one of target.guards) expect(one.check(world.judgement()).ok).toBe(true);
    await world.send(target.steps);
    await world.poll(1_000);
    expect(target.verify.check(world.judgement())).toMatchObject({
      state: 'wait',
      text: expect.stringContaining('0 of 30 s'),
    });
    for (let round = 0; round < 14; round++) await world.poll(2_000);
    expect(target.verify.check(world.judgement()).state).toBe('wait');
    await world.poll(2_000);
    expect(target.verify.check(world.judgement())).toMatchObject({
      state: 'yes',
      text: expect.stringMatching(/^MDT0000 next_id \d+ for 30 s; MDT0001 next_id \d+ for 30 s$/),
    });
    expect(target.whyAlreadyDone(world.judgement())).toBe('scratch-OST001e is stopped already on every MDT');
    expect(findings(world.judgement()).some(({ kind }) => kind === 'flag-ignored')).toBe(false);
  });

  it('2.15: max_create_count=0, the old value kept in the undo', async () => {
    const world = await ready('ost-drain');
    await world.run('mds2', 'lctl set_param osp.scratch-OST0007-osc-MDT0001.max_create_count=16384');
    await world.poll(1_000);
    const target = only(plan(world, 'stop-creates', [ost('0007')]));
    expect(lines(target.steps)).toEqual([
      'mds1: lctl set_param osp.scratch-OST0007-osc-MDT0000.max_create_count=0',
      'mds2: lctl set_param osp.scratch-OST0007-osc-MDT0001.max_create_count=0',
    ]);
    expect(lines(target.undo)).toEqual([
      'mds1: lctl set_param osp.scratch-OST0007-osc-MDT0000.max_create_count=20000',
      'mds2: lctl set_param osp.scratch-OST0007-osc-MDT0001.max_create_count=16384',
    ]);
  });

  it('is not done while one MDT goes on: a server that lies about set_param is found out', async () => {
    const world = await ready('degraded-ignored');
    const target = only(plan(world, 'stop-creates', [ost('001e')]));
    const [first] = target.steps;
    await world.send(first ? [first] : []);
    for (let round = 0; round < 20; round++) await world.poll(2_000);
    expect(target.verify.check(world.judgement())).toMatchObject({
      state: 'wait',
      text: expect.stringContaining('MDT0001 reads active=1 max_create_count=20000'),
    });
    expect(target.whyAlreadyDone(world.judgement())).toBeUndefined();
    expect(findings(world.judgement()).find(({ kind }) => kind === 'mdts-disagree')?.summary).toBe(
      'scratch-OST001e: MDTs disagree: MDT0000 active=0, MDT0001 in use',
    );
  });

  it('an idle OST does not pass for a stopped one: the stop must be read throughout', async () => {
    const world = await ready('ost-drain');
    for (let round = 0; round < 20; round++) await world.poll(2_000);
    const target = only(plan(world, 'stop-creates', [ost('0007')]));
    await world.send(target.steps);
    await world.poll(1_000);
    expect(target.verify.check(world.judgement()).state).toBe('wait');
  });

  it('guard 3: an MDT that does not answer refuses; a plan made before is stale by its guard', async () => {
    const world = await ready('degraded-ignored');
    const target = only(plan(world, 'stop-creates', [ost('001e')]));
    world.readings.fail('lustre.mds', 'mds2', { kind: 'timeout', message: 'mds2: timed out' });
    expect(planned(world, 'stop-creates', [ost('001e')])).toEqual({
      refused: true,
      guard: '3 preconditions',
      reason: "scratch-OST001e: scratch-MDT0001 on mds2 can't be read: mds2: timed out",
    });
    expect(guard(world, target, '3')).toMatchObject({ ok: false });
  });

  it('guard 5: an OST beyond the list, a set, another kind', async () => {
    const world = await ready('degraded-ignored');
    expect(planned(world, 'stop-creates', [ost('0077')])).toMatchObject({
      guard: '5 targets',
      reason: expect.stringContaining('lists it'),
    });
    expect(planned(world, 'stop-creates', [ost('[0001-0002]')])).toMatchObject({ guard: '5 targets' });
    expect(planned(world, 'stop-creates', [scratch])).toMatchObject({ guard: '5 targets' });
    expect(planned(world, 'stop-creates', [])).toMatchObject({ guard: '5 targets' });
    const mixed = plan(world, 'stop-creates', [ost('001e'), ost('0077'), ost('001e')]);
    expect(mixed.targets).toHaveLength(1);
    expect(mixed.leftOut).toHaveLength(1);
  });

  it('guard 6: a whole OSS with nine of the 36 OSTs is a legitimate plan, one OST after the other', async () => {
    const world = await ready('quiet');
    const nine = Array.from({ length: 9 }, (_, at) => ost((9 + at).toString(16).padStart(4, '0')));
    const made = plan(world, 'stop-creates', nine);
    expect(made.targets).toHaveLength(9);
    for (const target of made.targets)
      expect(guard(world, target, '6')).toMatchObject({
        ok: true,
        text: expect.stringMatching(/^9 of 36 OSTs .* 25 % of the free space \(limit 25 %\)/),
      });
    expect(made.targets.map(({ steps }) => lines(steps).length)).toEqual(Array.from(nine, () => 2));
  });

  it('guard 6: counts what others took out; eight OSTs of an OSS pass, ten do not, unless exceeded with a reason', async () => {
    const world = await ready('quiet');
    const osts = (from: number, to: number): Subject[] =>
      Array.from({ length: to - from }, (_, at) => ost((from + at).toString(16).padStart(4, '0')));
    const eight = plan(world, 'stop-creates', osts(0, 8));
    expect(eight.targets).toHaveLength(8);
    expect(eight.targets[0] && guard(world, eight.targets[0], '6')).toMatchObject({
      ok: true,
      text: expect.stringMatching(
        /^8 of 36 OSTs of scratch closed to new files afterwards: 22 % of the free space \(limit 25 %\); 28 left, default stripe count 4$/,
      ),
    });
    const ten = plan(world, 'stop-creates', osts(0, 10));
    expect(ten.targets[0] && guard(world, ten.targets[0], '6')).toMatchObject({ ok: false });
    expect(ten.exceeded).toEqual([]);
    expect(plan(world, 'stop-creates', osts(0, 10), { beyondLimit: 'as agreed' }).exceeded).toEqual([
      { guard: '6 OST share of free space', reason: 'as agreed' },
    ]);
    expect(
      plan(world, 'stop-creates', osts(0, 10), {}, { exceed: { '6': 'so be it' } }).exceeded,
    ).toHaveLength(1);
    for (const mds of ['mds1', 'mds2'])
      for (const index of [20, 21])
        await world.run(
          mds,
          `lctl set_param 'osp.scratch-OST${index.toString(16).padStart(4, '0')}-osc-*.active=0'`,
        );
    await world.poll(1_000);
    expect(eight.targets[0] && guard(world, eight.targets[0], '6')).toMatchObject({
      ok: false,
      text: expect.stringContaining('10 of 36'),
    });
  });
});

describe('guard 6, the stripe count', () => {
  const withStripes = async (...counts: (number | undefined)[]): Promise<World> => {
    const world = await ready('quiet');
    for (const [at, count] of counts.entries()) {
      const host = `mds${at + 1}`;
      const good = world.readings.source<MdsReading>('lustre.mds', host)?.good?.value;
      if (!good) throw new Error('not read');
      const mdts = good.mdts.map(({ stripeCount: _was, ...mdt }) => ({
        ...mdt,
        ...(count !== undefined && { stripeCount: count }),
      }));
      world.readings.good('lustre.mds', host, { ...good, mdts }, world.now);
    }
    return world;
  };
  const check = (world: World) => guard(world, only(plan(world, 'stop-creates', [ost('0007')])), '6');

  it('as many OSTs stay open as the widest default of any MDT wants', async () => {
    expect(check(await withStripes(1, 35))).toMatchObject({ ok: true });
    expect(check(await withStripes(1, 36))).toMatchObject({
      ok: false,
      text: expect.stringMatching(/; 35 left, default stripe count 36$/),
    });
  });

  it('-1 is all active OSTs, of which a new file wants three quarters', async () => {
    expect(check(await withStripes(-1, 4))).toEqual({
      ok: true,
      text: expect.stringMatching(
        /; 35 left, default stripe count -1 \(all 36 active OSTs; new files fail with less than 27\)$/,
      ),
    });
    // An MDT that counts more OSTs than answer: the share is far from its limit, the stripes are not.
    const world = await withStripes(4, -1);
    const good = world.readings.source<MdsReading>('lustre.mds', 'mds2')?.good?.value;
    if (!good) throw new Error('not read');
    const mdts = good.mdts.map((mdt) => ({ ...mdt, activeobd: 48 }));
    world.readings.good('lustre.mds', 'mds2', { ...good, mdts }, world.now);
    expect(check(world)).toEqual({
      ok: false,
      text: expect.stringMatching(
        / 2\.7 % .*; 35 left, default stripe count -1 \(all 48 active OSTs; .* 36\)$/,
      ),
    });
  });

  it('what was not read is said and not guessed', async () => {
    expect(check(await withStripes(undefined, undefined))).toMatchObject({
      ok: false,
      text: expect.stringMatching(/^the default stripe count of scratch-MDT0000 is not known$/),
    });
  });
});

describe('lustre.resume-creates', () => {
  const stopped = async (): Promise<World> => {
    const world = await ready('ost-drain');
    await world.send(only(plan(world, 'stop-creates', [ost('0007')])).steps);
    await world.poll(1_000);
    return world;
  };

  it('restores each MDT to its own old value from the history, and waits for precreation', async () => {
    const world = await stopped();
    world.history = historyOf({
      [maxSeries('scratch-MDT0000', 'scratch-OST0007')]: [{ at: start, value: 20_000 }],
      [maxSeries('scratch-MDT0001', 'scratch-OST0007')]: [{ at: start, value: 16_384 }],
    });
    const made = plan(world, 'resume-creates', [ost('0007')]);
    expect(made.because[0]).toContain('create_count comes back as 32');
    const target = only(made);
    expect(lines(target.steps)).toEqual([
      'mds1: lctl set_param osp.scratch-OST0007-osc-MDT0000.max_create_count=20000',
      'mds2: lctl set_param osp.scratch-OST0007-osc-MDT0001.max_create_count=16384',
    ]);
    expect(lines(target.undo)).toEqual([
      'mds1: lctl set_param osp.scratch-OST0007-osc-MDT0000.max_create_count=0',
      'mds2: lctl set_param osp.scratch-OST0007-osc-MDT0001.max_create_count=0',
    ]);
    expect(target.whyAlreadyDone(world.judgement())).toBeUndefined();
    await world.send(target.steps);
    await world.poll(1_000);
    expect(target.verify.check(world.judgement()).state).toBe('yes');
    expect(osp(world, '0007')).toMatchObject([
      { maxCreateCount: 20_000, createCount: 32 },
      { maxCreateCount: 16_384, createCount: 32 },
    ]);
  });

  it('does not guess an old value it does not know; takes one that is given, within Lustre’s range', async () => {
    const world = await stopped();
    expect(planned(world, 'resume-creates', [ost('0007')])).toMatchObject({
      refused: true,
      guard: 'parameters',
      reason: expect.stringContaining('give maxCreateCount'),
    });
    expect(
      lines(only(plan(world, 'resume-creates', [ost('0007')], { maxCreateCount: '16384' })).steps)[0],
    ).toContain('max_create_count=16384');
    for (const bad of ['5', '0', '20001', 'x', '1e4.5'])
      expect(action('resume-creates').parameters.safeParse({ maxCreateCount: bad }).success, bad).toBe(false);
  });

  it('2.7: activates again; nothing to do on an OST in use', async () => {
    const world = await ready('degraded-ignored');
    await world.send(only(plan(world, 'stop-creates', [ost('001e')])).steps);
    await world.poll(1_000);
    expect(lines(only(plan(world, 'resume-creates', [ost('001e')])).steps)).toEqual([
      'mds1: lctl set_param osp.scratch-OST001e-osc-MDT0000.active=1',
      'mds2: lctl set_param osp.scratch-OST001e-osc-MDT0001.active=1',
    ]);
    expect(only(plan(world, 'resume-creates', [ost('0001')])).whyAlreadyDone(world.judgement())).toBe(
      'scratch-OST0001 is open to new files already',
    );
    expect(
      offerOf(action('resume-creates'), [ost('0001')], { judgement: world.judgement(), operator: 'a' }),
    ).toMatchObject({ available: false });
  });
});
