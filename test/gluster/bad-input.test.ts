import { describe, expect, it } from 'vitest';
import { bricksOf } from '../../probes/gluster/judge/bricks.ts';
import { findings } from '../../probes/gluster/judge/findings.ts';
import { lockOfVolume, locksOf } from '../../probes/gluster/judge/lock-state.ts';
import { volumesOf } from '../../probes/gluster/judge/pool.ts';
import type { LockReading, LogReading, PeerReading } from '../../probes/gluster/readings.ts';
import { view } from '../../probes/gluster/view/view.ts';
import { guards, only, planOf, ready, reread } from './plans.ts';
import { answerOf } from '../helpers/answer.ts';
import { Pool } from './world.ts';

const peers = ['gl1', 'gl2', 'gl3'];
const minute = 60_000;

const found = (pool: Pool): string[] =>
  findings(pool.judgement()).map(({ kind, severity, summary }) => `${severity} ${kind}: ${summary}`);

const peerIs = (pool: Pool, host: string, changes: Partial<PeerReading>): void => {
  const good = pool.readings.source<PeerReading>('gluster.peer', host)?.good;
  if (!good) throw new Error(`${host} was not read`);
  pool.readings.good('gluster.peer', host, { ...good.value, ...changes }, good.at);
};

/** Only the pool's one volume, under another name. */
const renamed = async (name: string): Promise<Pool> => {
  const pool = new Pool('stuck-lock');
  const { volumes } = pool.simulator.state();
  const home0 = volumes.get('home0');
  const lock = pool.peer('gl3').locks.get('home0');
  if (!home0 || !lock) throw new Error('no home0');
  volumes.clear();
  volumes.set(name, { ...home0, name });
  pool.peer('gl3').locks = new Map([[name, lock]]);
  await pool.poll();
  return pool;
};

describe('glusterd', () => {
  it('that does not run, that starts, that runs and says nothing: three things', async () => {
    const pool = await ready('quiet');
    peerIs(pool, 'gl1', { daemon: { state: 'down' } });
    peerIs(pool, 'gl2', { daemon: { state: 'up', pid: 3, start: 5, ageS: 8 }, silent: 'Connection failed.' });
    peerIs(pool, 'gl3', {
      daemon: { state: 'up', pid: 4, start: 5, ageS: 900 },
      silent: 'Connection failed.',
    });
    expect(found(pool)).toEqual([
      'warning glusterd-down: glusterd of gl1 does not run; its 3 bricks go on',
      'notice glusterd-starting: glusterd of gl2 started 8 s ago and does not answer yet',
      'critical glusterd-silent: glusterd of gl3 runs but does not answer: Connection failed.',
    ]);
  });

  it('that is stopped keeps nothing waiting: it is not asked, and the others are shown', async () => {
    const pool = new Pool('quiet');
    pool.peer('gl3').glusterd = 'stopped';
    await pool.poll();
    expect(found(pool).map((one) => one.split(':')[0])).toEqual(['critical glusterd-stopped']);
    const source = pool.readings.source<LockReading>('gluster.lock', 'gl3');
    expect(source?.good?.value.skipped).toBe('stopped');
    expect(view(pool.judgement()).summary).toBe('3 peers, 1 not answering, 2 volumes');
  });
});

describe('what may not be signalled or read', () => {
  it.each([
    ['denied', 'glusterd may not be signalled'],
    ['unreadable', 'the folder of dumps may not be read'],
    ['uncaught', 'glusterd does not wait for SIGUSR1'],
    ['nodump', 'no dump came within 4 s'],
  ] as const)('%s: told, and no volume is called free', async (skipped, why) => {
    const pool = await ready('quiet');
    pool.readings.good('gluster.lock', 'gl2', { skipped, locks: [], peers: [] });
    expect(found(pool)).toEqual([`notice lock-unseen: gl2: locks not read: ${why}`]);
    expect(lockOfVolume('home0', pool.judgement())).toMatchObject({ state: 'unknown' });
    const table = view(pool.judgement()).blocks[0];
    expect(table?.type === 'table' && table.rows[0]?.cells['lock']?.text).toContain('not known: gl2');
  });

  it('a dump that is cut off is no dump without locks', async () => {
    const pool = await ready('quiet');
    const body =
      '@@faultline dump /f\nDUMP-START-TIME: x\nglusterd.my-uuid=a\nglusterd.mgmt_v3_lock=\n@@faultline end\n';
    for (const host of peers) pool.take('gluster.lock', host, answerOf(body));
    expect(pool.readings.source('gluster.lock', 'gl1')?.failure?.message).toContain('cut off');
    // What was read before stays, as the last that is known; a lock in it would, too.
    expect(pool.readings.source('gluster.lock', 'gl1')?.state).toBe('failed');
  });

  it.each(['missing', 'denied'])('the log is %s', async (how) => {
    const pool = await ready('quiet');
    pool.take('gluster.log', 'gl1', answerOf(`@@faultline ${how} /var/log/x\n@@faultline end\n`));
    const word = how === 'missing' ? 'missing' : 'not readable';
    expect(found(pool)).toEqual([`notice log-unseen: gl1: glusterd's log ${word}: /var/log/x`]);
  });
});

describe('names', () => {
  it.each(['my_vol', 'x_snap', 'a_global', '_vol', 'vol_vol_vol', 'Home-0'])(
    'a volume called %s is found, freed and verified under that name',
    async (name) => {
      const pool = await renamed(name);
      expect(found(pool)[0]).toMatch(
        new RegExp(`^critical lock-orphaned: ${name}: stale lock of gl1 on gl3 since`),
      );
      const target = only(planOf(pool, 'gluster.free-lock', { kind: 'volume', id: name }));
      const command = `gluster volume statedump ${name}`;
      expect(target.steps).toMatchObject([{ argv: ['sh', '-c', `${command} || ${command}`] }]);
      await pool.send(target.steps);
      await reread(pool, target);
      expect(target.verify.check(pool.judgement())).toEqual({ state: 'yes', text: `${name} is free on gl3` });
    },
  );

  it('a snapshot of the same name is another lock', async () => {
    const pool = await ready('quiet');
    const good = pool.readings.source<LockReading>('gluster.lock', 'gl3')?.good?.value;
    const lock = { name: 'home0', type: 'snap', owner: pool.peer('gl1').uuid, lasting: true };
    pool.readings.good('gluster.lock', 'gl3', { ...good, locks: [lock] });
    expect(lockOfVolume('home0', pool.judgement()).state).toBe('free');
    expect(found(pool)[0]).toContain('snap home0: stale lock of gl1 on gl3');
  });

  it('a peer known by several names: bricks by address, owner by UUID', async () => {
    const pool = await ready('stuck-lock');
    const { pool: known = [] } = pool.readings.copyOf<PeerReading>('gluster.peer', 'gl1');
    for (const host of peers)
      peerIs(pool, host, {
        pool: known.map((one) => ({
          ...one,
          host: { gl2: '10.20.0.12', gl3: 'gl3.ib.example' }[one.host] ?? one.host,
        })),
      });
    const [volume] = volumesOf(pool.judgement())?.volumes ?? [];
    if (!volume) throw new Error('no volume');
    const moved = {
      ...volume,
      bricks: volume.bricks.map((one) => ({
        ...one,
        host: { gl2: '10.20.0.12', gl3: 'gl3.ib.example' }[one.host ?? ''] ?? one.host ?? '',
      })),
    };
    pool.readings.good('gluster.volumes', 'gl1', { volumes: [moved] });
    expect(bricksOf(moved, pool.judgement()).map(({ id, state }) => `${id} ${state}`)).toEqual([
      'gl1:/data/brick1/home0 up',
      'gl2:/data/brick1/home0 up',
      'gl3:/data/brick1/home0 up',
    ]);
    expect(found(pool)).toEqual([expect.stringContaining('home0: stale lock of gl1 on gl3 since')]);
  });
});

describe('hundreds of volumes', () => {
  const many = async (count: number): Promise<Pool> => {
    const pool = new Pool('stuck-lock');
    const { volumes } = pool.simulator.state();
    const home0 = volumes.get('home0');
    if (!home0) throw new Error('no home0');
    for (let at = 0; at < count; at++) volumes.set(`v${at}`, { ...home0, name: `v${at}` });
    await pool.poll();
    return pool;
  };

  it('one lock among them is one finding, and all have their row', async () => {
    const pool = await many(300);
    expect(found(pool)).toHaveLength(1);
    const table = view(pool.judgement()).blocks[0];
    if (table?.type !== 'table') throw new Error('no table');
    expect(table.rows).toHaveLength(302);
    expect(table.rows.filter(({ sign }) => sign === 'critical').map(({ key }) => key)).toEqual(['home0']);
    expect(table.rows.filter(({ cells }) => cells['lock']?.text === 'free')).toHaveLength(301);
  });

  it('whether one of them heals is not known until each was asked, and glusterd is not restarted on a guess', async () => {
    const pool = await many(300);
    const target = only(planOf(pool, 'gluster.free-lock-restart', { kind: 'volume', id: 'home0' }));
    await reread(pool, target);
    expect(guards(pool, target)['6 no heal or rebalance']).toBe(false);
  });
});

it('clocks that differ: times of a log are set right, so that one lock is one lock', async () => {
  const pool = await ready('stuck-lock');
  const ahead = 60 * minute;
  const log = pool.readings.source<LogReading>('gluster.log', 'gl3')?.good?.value;
  if (!log) throw new Error('not read');
  pool.readings.good('gluster.log', 'gl3', {
    ...log,
    events: log.events.map((event) => ({ ...event, at: event.at + ahead })),
  });
  peerIs(pool, 'gl3', { clockMs: ahead });
  expect(locksOf(pool.judgement())).toMatchObject([{ since: pool.now - 6 * minute, kind: 'orphaned' }]);
  expect(found(pool)).toContain(
    'notice clock: the clock of gl3 is 3600 s ahead: times of its log are corrected',
  );
});
