import { describe, expect, it } from 'vitest';
import type { PeerReading, UnitReading } from '../../probes/gluster/readings.ts';
import type { Subject } from '../../src/model/subject.ts';
import { offerOf } from '../../src/remedy/offer.ts';
import { action, guards, only, planOf, ready, refusal, reread } from './plans.ts';

const home0: Subject = { kind: 'volume', id: 'home0' };
const brick: Subject = { kind: 'brick', id: 'gl2:/data/brick2/data1' };

describe('rung 1', () => {
  it('runs on the owner, is refused once, frees the lock and proves it', async () => {
    const pool = await ready('stuck-lock');
    const plan = planOf(pool, 'gluster.free-lock', home0);
    expect(plan).toMatchObject({ danger: 'service', title: 'Free the lock of home0' });
    const target = only(plan);
    expect(target.lockGroups).toEqual(['volume home0']);
    expect(target.steps).toMatchObject([
      { host: 'gl1', argv: ['sh', '-c', 'gluster volume statedump home0 || gluster volume statedump home0'] },
    ]);
    await reread(pool, target);
    expect(Object.values(guards(pool, target))).toEqual([true, true]);
    expect(target.verify.check(pool.judgement()).state).toBe('wait');
    const [answer] = await pool.send(target.steps);
    expect(answer?.stderr).toContain('Locking failed on gl3');
    expect(answer).toMatchObject({ exitCode: 0, stdout: 'volume statedump: success\n' });
    await reread(pool, target);
    expect(target.verify.check(pool.judgement())).toEqual({ state: 'yes', text: 'home0 is free on gl3' });
    expect(target.whyAlreadyDone(pool.judgement())).toBe('home0 is no longer locked');
    expect(
      offerOf(action('gluster.free-lock'), [home0], { judgement: pool.judgement(), operator: 'op' }),
    ).toMatchObject({
      available: false,
    });
  });

  it('the same command frees nothing from another peer', async () => {
    const pool = await ready('stuck-lock');
    for (const host of ['gl2', 'gl3', 'gl2']) {
      const answer = await pool.run(host, 'gluster volume heal home0');
      expect(answer.exitCode).toBe(1);
      expect(answer.stderr).toMatch(
        host === 'gl3' ? /Another transaction is in progress for home0/ : /Locking failed on gl3/,
      );
    }
    expect(pool.peer('gl3').locks.has('home0')).toBe(true);
    expect((await pool.run('gl1', 'gluster volume heal home0')).exitCode).toBe(1);
    expect((await pool.run('gl2', 'gluster volume heal home0')).exitCode).toBe(0);
  });

  it('is refused while a peer does not answer, and with sudo says so in front', async () => {
    const pool = await ready('stuck-lock', { sudo: true });
    const target = only(planOf(pool, 'gluster.free-lock', home0));
    expect(target.steps).toMatchObject([{ argv: ['sudo', '-n', 'sh', '-c', expect.anything()] }]);
    pool.peer('gl2').glusterd = 'down';
    await reread(pool, target);
    expect(guards(pool, target)).toEqual({ '3 preconditions': false, '3 peers': false });
  });

  it('knows no other volume, no lock that is not there, no name that is none', async () => {
    const pool = await ready('stuck-lock');
    expect(refusal(pool, 'gluster.free-lock', { kind: 'volume', id: 'data1' })).toBe(
      'data1 is not locked, as far as the dumps show',
    );
    expect(refusal(pool, 'gluster.free-lock', { kind: 'volume', id: 'nosuch' })).toContain('no volume');
    expect(refusal(pool, 'gluster.free-lock', { kind: 'volume', id: '--all' })).toContain('no volume');
  });
});

describe('the other rungs', () => {
  it('2 waits only where a timer is', async () => {
    const pool = await ready('stuck-lock');
    expect(refusal(pool, 'gluster.free-lock-wait', home0)).toContain('no timer');
    for (const host of ['gl1', 'gl2', 'gl3']) {
      const good = pool.readings.source<PeerReading>('gluster.peer', host)?.good;
      pool.readings.good('gluster.peer', host, { ...good?.value, version: '10.3', opVersion: 100_000 });
    }
    const plan = planOf(pool, 'gluster.free-lock-wait', home0);
    expect(only(plan).steps).toEqual([]);
    expect(plan.because[0]).toContain('180 s after it was taken');
    // The run counts down to it: the words of a look that comes once a minute would be old.
    const { verify } = only(plan);
    expect(verify.deadlineMs).toBe((verify.endsAt ?? 0) - pool.now + 30_000);
    expect(verify.check(pool.judgement())).toEqual({
      state: 'wait',
      text: expect.not.stringMatching(/left|\d+ s/),
    });
  });

  it('3 restarts the owner only, where its bricks live on', async () => {
    const pool = await ready('stuck-lock');
    const plan = planOf(pool, 'gluster.free-lock-restart', home0);
    expect(plan.danger).toBe('access');
    const target = only(plan);
    expect(target.steps).toMatchObject([{ host: 'gl1', argv: ['systemctl', 'restart', 'glusterd'] }]);
    await reread(pool, target);
    expect(Object.values(guards(pool, target))).toEqual([true, true, true, true, true]);
    const unit: UnitReading = { killMode: 'control-group', loaded: true, text: 'KillMode=control-group' };
    pool.readings.good('gluster.unit', 'gl1', unit);
    expect(guards(pool, target)['6 bricks stay']).toBe(false);
    await pool.send(target.steps);
    await reread(pool, target);
    expect(target.verify.check(pool.judgement()).state).toBe('yes');
  });

  it('3 keeps server quorum and waits for heals and rebalances', async () => {
    const pool = await ready('stuck-lock');
    const target = only(planOf(pool, 'gluster.free-lock-restart', home0));
    const data1 = pool.simulator.state().volumes.get('data1');
    if (!data1) throw new Error('no data1');
    data1.options['cluster.server-quorum-type'] = 'server';
    pool.now += 31_000;
    await pool.ask('gluster.volumes', 'gl1');
    expect(guards(pool, target)['6 server quorum']).toBe(true);
    data1.options['cluster.server-quorum-ratio'] = '80%';
    await pool.ask('gluster.volumes', 'gl1');
    expect(guards(pool, target)['6 server quorum']).toBe(false);
    for (const one of data1.bricks) one.pending = 5;
    await pool.ask('gluster.heal', 'gl1');
    expect(guards(pool, target)['6 no heal or rebalance']).toBe(false);
  });

  it('4 continues the very process that was seen stopped, and warns', async () => {
    const pool = await ready('stuck-lock');
    expect(refusal(pool, 'gluster.free-lock-continue', home0)).toBe('no glusterd is stopped');
    const clean = await ready('quiet');
    clean.peer('gl3').glusterd = 'stopped';
    await clean.run('gl1', 'gluster volume set home0 diagnostics.client-log-level INFO');
    clean.now += 61_000;
    await clean.poll();
    const plan = planOf(clean, 'gluster.free-lock-continue', home0);
    expect(plan.because.join(' ')).toContain('will still commit');
    const target = only(plan);
    expect(target.steps).toMatchObject([
      { host: 'gl3', argv: ['kill', '-CONT', String(clean.peer('gl3').pid)] },
    ]);
    await reread(clean, target);
    expect(Object.values(guards(clean, target))).toEqual([true, true]);
    clean.peer('gl3').pid += 1;
    await reread(clean, target);
    expect(guards(clean, target)['3 process']).toBe(false);
  });
});

describe('bricks', () => {
  it('one that is down is started where its disk is', async () => {
    const pool = await ready('brick-down');
    const target = only(planOf(pool, 'gluster.start-brick', brick));
    expect(target.steps).toMatchObject([
      { host: 'gl1', argv: ['gluster', '--mode=script', 'volume', 'start', 'data1', 'force'] },
    ]);
    await reread(pool, target);
    expect(Object.values(guards(pool, target))).toEqual([true, true, true, true, true]);
    await pool.send(target.steps);
    await reread(pool, target);
    expect(target.verify.check(pool.judgement()).state).toBe('yes');
  });

  it.each([
    ['mount /\nid 9b0a7c527d6e4e0c8a312f2b77c1e502', 'root file system'],
    ['mount /data/brick2\nid ', "does not carry the volume's id"],
    ['mount /data/brick2\nid 00000000000000000000000000000000', 'id of another volume'],
    ['failed stat: No such file or directory', 'No such file or directory'],
    ['hangs', 'does not answer'],
  ])('not where its disk is not: %s', async (said, why) => {
    const pool = await ready('brick-down');
    const target = only(planOf(pool, 'gluster.start-brick', brick));
    const body = `@@faultline brick /data/brick2/data1\n${said}\n@@faultline end\n`;
    pool.take('gluster.disk', 'gl2', { ...(await pool.run('gl2', 'true')), stdout: body });
    const guard = target.guards.find(({ id }) => id === '3 brick');
    expect(guard?.check(pool.judgement())).toMatchObject({ ok: false, text: expect.stringContaining(why) });
  });
});
