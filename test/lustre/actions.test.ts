import { describe, expect, it } from 'vitest';
import { usedSeries } from '../../probes/lustre/judge/facts.ts';
import { lustreOf } from '../../probes/lustre/judge/join.ts';
import { findings } from '../../probes/lustre/judge/findings.ts';
import { historyOf, start } from '../helpers/judging.ts';
import { action, ost, scratch, planned, plan, only, lines, guard, ready } from './planning.ts';

describe('lustre.degrade and undegrade', () => {
  it('on the OSS that holds it, read back there; says what the mark is worth in this release', async () => {
    const world = await ready('degraded-ignored');
    const made = plan(world, 'degrade', [ost('0001')]);
    expect(made.because.join(' ')).toContain('Lustre 2.7 ignores the mark while QOS is in use');
    const target = only(made);
    expect(lines(target.steps)).toEqual(['oss1: lctl set_param obdfilter.scratch-OST0001.degraded=1']);
    expect(lines(target.undo)).toEqual(['oss1: lctl set_param obdfilter.scratch-OST0001.degraded=0']);
    await world.send(target.steps);
    await world.poll(1_000);
    expect(target.verify.check(world.judgement()).state).toBe('yes');
    expect(only(plan(world, 'degrade', [ost('0001')])).whyAlreadyDone(world.judgement())).toBeDefined();
    expect(lines(only(plan(world, 'undegrade', [ost('0001')])).steps)).toEqual([
      'oss1: lctl set_param obdfilter.scratch-OST0001.degraded=0',
    ]);
    world.readings.fail('lustre.oss', 'oss1', { kind: 'timeout', message: 'oss1: timed out' });
    expect(planned(world, 'undegrade', [ost('0001')])).toMatchObject({ guard: '3 preconditions' });
  });
});

describe('lustre.deactivate and activate', () => {
  it('on all MDTs, access class, read back', async () => {
    const world = await ready('quiet');
    const made = plan(world, 'deactivate', [ost('0003')]);
    expect(made.danger).toBe('access');
    const target = only(made);
    expect(lines(target.steps)).toHaveLength(2);
    await world.send(target.steps);
    await world.poll(1_000);
    expect(target.verify.check(world.judgement())).toMatchObject({ state: 'yes' });
    await world.poll(60_000);
    expect(findings(world.judgement())[0]).toMatchObject({
      kind: 'inactive',
      severity: 'warning',
      summary: expect.stringMatching(/held inactive by the MDTs \(active=0\), \d+ destroys wait/),
    });
    const back = only(plan(world, 'activate', [ost('0003')]));
    await world.send(back.steps);
    await world.poll(1_000);
    expect(back.verify.check(world.judgement()).state).toBe('yes');
    expect(back.whyAlreadyDone(world.judgement())).toBeDefined();
    // In recovery there is nothing to activate: it is active, and waits for its clients.
    const recovering = await ready('oss-recovery');
    expect(only(plan(recovering, 'activate', [ost('0009')])).whyAlreadyDone(recovering.judgement())).toBe(
      'scratch-OST0009 active already on every MDT',
    );
  });
});

describe('lustre.qos', () => {
  it('sets every MDT, undoes with each one’s own old value', async () => {
    const world = await ready('degraded-ignored');
    await world.run('mds2', 'lctl set_param lod.scratch-MDT0001-mdtlov.qos_threshold_rr=20');
    await world.poll(1_000);
    const target = only(plan(world, 'qos', [scratch], { threshold: '100' }));
    expect(lines(target.steps)).toEqual([
      'mds1: lctl set_param lod.scratch-MDT0000-mdtlov.qos_threshold_rr=100',
      'mds2: lctl set_param lod.scratch-MDT0001-mdtlov.qos_threshold_rr=100',
    ]);
    expect(lines(target.undo)).toEqual([
      'mds1: lctl set_param lod.scratch-MDT0000-mdtlov.qos_threshold_rr=17',
      'mds2: lctl set_param lod.scratch-MDT0001-mdtlov.qos_threshold_rr=20',
    ]);
    await world.send(target.steps);
    await world.poll(1_000);
    expect(target.verify.check(world.judgement()).state).toBe('yes');
    expect(lustreOf(world.judgement()).byOst.get('scratch-OST001e')?.mdts[0]?.allocation.verdict).toBe(
      'avoided',
    );
  });

  it('guard: an OST that would pass 95 % at the present rate refuses', async () => {
    const world = await ready('degraded-ignored');
    const target = only(plan(world, 'qos', [scratch], { threshold: '100' }));
    expect(guard(world, target, '6')).toMatchObject({
      ok: true,
      text: expect.stringContaining('rate not known yet'),
    });
    const growing = Array.from({ length: 36 }, (_, at) => [
      usedSeries(`scratch-OST${at.toString(16).padStart(4, '0')}`),
      [
        { at: start - 1_800_000, value: 580 },
        { at: start, value: 600 },
      ],
    ]);
    world.history = historyOf(Object.fromEntries(growing));
    expect(guard(world, target, '6')).toMatchObject({
      ok: false,
      text: expect.stringMatching(/in 24 h \d+ % \(at 4\.0 % an hour; limit 95 %\)/),
    });
  });

  it('refuses values out of range and what is no Lustre file system', async () => {
    const world = await ready('quiet');
    for (const bad of ['101', '-1', '17.5', ''])
      expect(action('qos').parameters.safeParse({ threshold: bad === '' ? undefined : bad }).success).toBe(
        false,
      );
    expect(planned(world, 'qos', [{ kind: 'volume', id: 'home0' }], { threshold: '17' })).toMatchObject({
      guard: '5 targets',
    });
  });
});
