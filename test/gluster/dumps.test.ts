import { describe, expect, it } from 'vitest';
import { detail } from '../../probes/gluster/view/detail.ts';
import { findings } from '../../probes/gluster/judge/findings.ts';
import type { ClientsReading, DumpsReading } from '../../probes/gluster/readings.ts';
import type { Subject } from '../../src/model/subject.ts';
import { offerOf } from '../../src/remedy/offer.ts';
import { action, guards, only, planOf, ready, refusal, reread } from './plans.ts';
import { answerOf } from '../helpers/answer.ts';
import { Pool } from './world.ts';

const home0: Subject = { kind: 'volume', id: 'home0' };
const gl1: Subject = { kind: 'host', id: 'gl1' };
const peers = ['gl1', 'gl2', 'gl3'];
const file = '/bob/results.lock';

/** The demo's pool with its volume lock freed and the bricks dumped. */
const dumped = async (): Promise<Pool> => {
  const pool = await ready('stuck-lock');
  pool.peer('gl3').locks.clear();
  await pool.run('gl1', 'gluster volume statedump home0');
  for (const host of peers)
    for (const probe of ['gluster.lock', 'gluster.dumps', 'gluster.clients']) await pool.ask(probe, host);
  return pool;
};

const clients = (pool: Pool, host: string): ClientsReading => {
  const value = pool.readings.source<ClientsReading>('gluster.clients', host)?.good?.value;
  if (!value) throw new Error(`no clients of ${host}`);
  return value;
};

const texts = (pool: Pool, subject: Subject): string => JSON.stringify(detail(subject, pool.judgement()));

describe('dumps of the bricks', () => {
  it('land on each host with a brick, are summed up and kept; those of before do not count', async () => {
    const pool = await ready('quiet');
    await pool.run('gl1', 'gluster volume statedump home0');
    for (const host of peers) await pool.ask('gluster.dumps', host);
    pool.now += 60_000;
    const target = only(planOf(pool, 'gluster.statedump', home0));
    expect(target.verify.check(pool.judgement()).state).toBe('wait');
    await pool.send(target.steps);
    await reread(pool, target);
    expect(target.verify.check(pool.judgement())).toMatchObject({
      state: 'yes',
      text: expect.stringMatching(/^3 locks active, 0 waiting; kept: gl1:.* gl2:.* gl3:/),
    });
    for (const host of peers) expect(pool.peer(host).dumps.size).toBe(2);
  });

  it('are not offered while the volume is locked: dumping needs the lock', async () => {
    const pool = await ready('stuck-lock');
    const context = { judgement: pool.judgement(), operator: 'op' };
    expect(offerOf(action('gluster.statedump'), [home0], context)).toEqual({
      available: false,
      reason: 'locked for gl1, orphaned: free it first',
    });
  });

  it('are shown by client and path, those that wait first', async () => {
    const pool = await dumped();
    const blocks = detail(home0, pool.judgement());
    const table = blocks.find(({ id }) => id === 'file-locks');
    if (table?.type !== 'table') throw new Error('no table of locks');
    const rows = table.rows.map(({ cells }) => Object.values(cells).map(({ text }) => text));
    expect(rows).toEqual([
      ['waiting', 'node31 (pid 5120)', file, 'posixlk', 'gl1', 'node77 (pid 2203)'],
      ['active', 'node12 (pid 4711)', '/alice/.bash_history', 'posixlk', 'gl1, gl2, gl3', ''],
      ['active', 'node77 (pid 2203)', file, 'posixlk', 'gl1, gl2, gl3', ''],
    ]);
    expect(texts(pool, home0)).toContain('gl2:/var/run/gluster/data-brick1-home0.');
    expect(findings(pool.judgement()).find(({ kind }) => kind === 'file-locks')).toMatchObject({
      summary: `home0: clients wait for locks on 1 file: ${file}`,
      severity: 'warning',
    });
  });

  it('an old one speaks for its own time only, by the clock of its host', async () => {
    const pool = await dumped();
    pool.now += 9 * 60_000;
    for (const host of peers) await pool.ask('gluster.dumps', host);
    expect(findings(pool.judgement()).map(({ kind }) => kind)).toContain('file-locks');
    pool.now += 2 * 60_000;
    for (const host of peers) await pool.ask('gluster.dumps', host);
    expect(findings(pool.judgement()).map(({ kind }) => kind)).not.toContain('file-locks');
    expect(texts(pool, home0)).toContain('11 min old');
  });

  it('one that is cut off proves nothing, neither locks nor that it was written', async () => {
    const pool = await dumped();
    const target = only(planOf(pool, 'gluster.statedump', home0));
    pool.now += 2000;
    await pool.send(target.steps);
    for (const host of peers) {
      const { dumps } = pool.peer(host);
      for (const [name, text] of dumps) dumps.set(name, text.replace(/DUMP-END-TIME.*/, ''));
      await pool.ask('gluster.dumps', host);
    }
    expect(target.verify.check(pool.judgement())).toMatchObject({ state: 'wait' });
    expect(texts(pool, home0)).toContain('cut off: it proves nothing');
    expect(findings(pool.judgement()).map(({ kind }) => kind)).not.toContain('file-locks');
  });

  it('locks beyond what is carried are counted, dumps beyond what is read too', () => {
    const pool = new Pool('quiet');
    const lock = (at: number): string =>
      `posixlk.posixlk[${at}](${at === 599 ? 'BLOCKED' : 'ACTIVE'})=type=WRITE, pid = 1, client=0x7`;
    const body = Array.from({ length: 600 }, (_, at) => lock(at)).join('\n');
    const stdout = `@@faultline file /var/run/gluster/b.7.dump.1700000000\n[xlator.features.locks.v-locks.inode]\npath=/f\n${body}\nDUMP-END-TIME: x\n@@faultline unread 3\n@@faultline end\n`;
    pool.take('gluster.dumps', 'gl1', answerOf(stdout));
    const value = pool.readings.source<DumpsReading>('gluster.dumps', 'gl1')?.good?.value;
    expect(value?.unread).toBe(3);
    expect(value?.files[0]).toMatchObject({ more: 100, pid: 7, whole: true });
    expect(value?.files[0]?.locks[0]).toMatchObject({ state: 'BLOCKED', volume: 'v', type: 'posixlk' });
  });
});

describe('the dump of glusterd', () => {
  it('is written by the very process that was seen, read, and kept', async () => {
    const pool = await ready('stuck-lock');
    for (const probe of ['gluster.lock', 'gluster.dumps']) await pool.ask(probe, 'gl3');
    const target = only(planOf(pool, 'gluster.statedump-glusterd', { kind: 'host', id: 'gl3' }));
    expect(target.steps).toMatchObject([
      { host: 'gl3', argv: ['kill', '-USR1', String(pool.peer('gl3').pid)] },
    ]);
    expect(guards(pool, target)).toEqual({ '3 process': true });
    await pool.send(target.steps);
    await reread(pool, target);
    expect(target.verify.check(pool.judgement())).toMatchObject({
      state: 'yes',
      text: expect.stringMatching(
        /^home0 locked for gl1; kept: gl3:\/var\/run\/gluster\/glusterdump\.\d+\.dump\.\d+$/,
      ),
    });
    expect(texts(pool, { kind: 'host', id: 'gl3' })).toContain('home0 locked for gl1');
  });

  it.each([
    ['another process', (pool: Pool) => void (pool.peer('gl1').pid += 1), 'now it is process'],
    ['stopped', (pool: Pool) => void (pool.peer('gl1').glusterd = 'stopped'), 'stopped'],
  ])('is refused when it is %s: the signal would end it, or wait in it', async (_what, change, why) => {
    const pool = await ready('quiet');
    const target = only(planOf(pool, 'gluster.statedump-glusterd', gl1));
    change(pool);
    await reread(pool, target);
    const result = target.guards[0]?.check(pool.judgement());
    expect(result).toMatchObject({ ok: false, text: expect.stringContaining(why) });
  });

  it.each(['young', 'uncaught', 'denied'])('is refused when the lock probe had none: %s', async (skipped) => {
    const pool = await ready('quiet');
    const target = only(planOf(pool, 'gluster.statedump-glusterd', gl1));
    await reread(pool, target);
    pool.readings.good('gluster.lock', 'gl1', { skipped, locks: [], peers: [] });
    expect(target.guards[0]?.check(pool.judgement())).toEqual({ ok: false, text: `no dump: ${skipped}` });
  });

  it('is for peers', async () => {
    const pool = await ready('quiet');
    expect(refusal(pool, 'gluster.statedump-glusterd', { kind: 'host', id: 'node1' })).toBe(
      'node1 is no gluster peer',
    );
    pool.peer('gl1').glusterd = 'down';
    await pool.ask('gluster.peer', 'gl1');
    expect(refusal(pool, 'gluster.statedump-glusterd', gl1)).toBe('glusterd of gl1 is down');
  });
});

describe('clearing locks on one path', () => {
  const offer = (pool: Pool) =>
    offerOf(action('gluster.clear-locks'), [home0], { judgement: pool.judgement(), operator: 'op' });

  it('needs a dump first, a whole path, and a kind that there is', async () => {
    const pool = await ready('quiet');
    expect(offer(pool)).toMatchObject({ available: false });
    const { parameters } = action('gluster.clear-locks');
    expect(parameters.parse({ path: file })).toEqual({ path: file, kind: 'blocked' });
    for (const bad of [{ path: 'a; reboot' }, { path: file, kind: 'all' }, { path: '/x\n' }])
      expect(parameters.safeParse(bad).success, JSON.stringify(bad)).toBe(false);
  });

  it('clears one that waits, and new dumps prove it', async () => {
    const pool = await dumped();
    expect(offer(pool)).toEqual({ available: true, note: `1 waiting, 6 held: ${file}` });
    const plan = planOf(pool, 'gluster.clear-locks', home0, { path: file, kind: 'blocked' });
    expect(plan).toMatchObject({
      danger: 'access',
      because: [
        'node31 (pid 5120) waits for node77 (pid 2203)',
        'refused on one copy the client waits on the next, 3 times in all; then it gets an error',
      ],
    });
    const target = only(plan);
    // Guard 13: the same on another path is no repetition.
    expect(target.object).toBe(file);
    const clear = [
      'gluster',
      '--mode=script',
      'volume',
      'clear-locks',
      'home0',
      file,
      'kind',
      'blocked',
      'posix',
    ];
    expect(target.steps.map((step) => ('argv' in step ? step.argv : []))).toEqual([
      clear,
      clear,
      clear,
      ['gluster', '--mode=script', 'volume', 'statedump', 'home0'],
    ]);
    expect(Object.values(guards(pool, target))).toEqual([true, true]);
    pool.now += 2000;
    await pool.send(target.steps);
    await reread(pool, target);
    expect(target.verify.check(pool.judgement())).toEqual({
      state: 'yes',
      text: `none of these locks is waiting on ${file}`,
    });
    expect(refusal(pool, 'gluster.clear-locks', home0, { path: '/other', kind: 'blocked' })).toContain(
      'no dump',
    );
  });

  it('clears one that is held when no connection can be its client’s', async () => {
    const pool = await dumped();
    const target = only(planOf(pool, 'gluster.clear-locks', home0, { path: file, kind: 'granted' }));
    expect(guards(pool, target)).toEqual({
      '3 lock': true,
      '3 preconditions': true,
      '3 client is gone': true,
    });
    pool.now += 2000;
    const [cleared] = await pool.send(target.steps);
    expect(cleared?.stdout).toContain('posix blocked locks=0 granted locks=1');
    await reread(pool, target);
    // What waited holds it now, and its client lives: that is a lock of another, and stays.
    expect(target.verify.check(pool.judgement())).toMatchObject({ state: 'yes' });
  });

  it.each([
    [
      'its client is connected again',
      (value: ClientsReading) => ({
        ...value,
        ends: [...value.ends, { pid: value.ends[0]?.pid ?? 0, address: '10.10.0.77' }],
      }),
      'node77 is connected to the brick on gl2',
    ],
    [
      'a connection is nobody’s by name',
      (value: ClientsReading) => ({
        ...value,
        ends: [...value.ends, { pid: value.ends[0]?.pid ?? 0, address: '172.16.0.77' }],
      }),
      'whether that is node77 is not known',
    ],
    [
      'the name leads nowhere',
      (value: ClientsReading) => ({ ...value, names: [] }),
      'knows no address of node77',
    ],
    [
      'no connection is seen',
      (value: ClientsReading) => ({ ...value, ends: [] }),
      'no connection of the brick',
    ],
    [
      'ss is not there',
      (value: ClientsReading) => ({ ...value, failed: 'ss: not found' }),
      'could not be listed',
    ],
  ])('never when %s', async (_what, change, why) => {
    const pool = await dumped();
    pool.readings.good('gluster.clients', 'gl2', change(clients(pool, 'gl2')));
    const target = only(planOf(pool, 'gluster.clear-locks', home0, { path: file, kind: 'granted' }));
    const guard = target.guards.find(({ id }) => id === '3 client is gone');
    expect(guard?.absolute).toBe(true);
    expect(guard?.check(pool.judgement())).toMatchObject({ ok: false, text: expect.stringContaining(why) });
  });

  it('a lock on the same path whose client lives keeps all of them', async () => {
    const pool = await dumped();
    const target = only(
      planOf(pool, 'gluster.clear-locks', home0, { path: '/alice/.bash_history', kind: 'granted' }),
    );
    expect(guards(pool, target)['3 client is gone']).toBe(false);
  });
});

it('connections: addresses of all forms, of the bricks alone, and a listing that failed', () => {
  const pool = new Pool('quiet');
  const line = (far: string, pid = 109): string =>
    `0      0      10.111.0.11:53420 ${far} users:(("glusterfsd",pid=${pid},fd=9))  \n`;
  const read = (ends: string): ClientsReading | undefined => {
    const stdout = `@@faultline name gl2\n10.111.0.12     STREAM gl2\n10.111.0.12     DGRAM  \n@@faultline ends\n${ends}@@faultline end\n`;
    pool.take('gluster.clients', 'gl1', answerOf(stdout));
    return pool.readings.source<ClientsReading>('gluster.clients', 'gl1')?.good?.value;
  };
  expect(
    read(line('10.111.0.12:49148') + line('[::ffff:10.1.2.3]:1') + line('[fe80::1]%eth0:2', 110)),
  ).toEqual({
    ends: [
      { pid: 109, address: '10.111.0.12' },
      { pid: 109, address: '10.1.2.3' },
      { pid: 110, address: 'fe80::1' },
    ],
    names: [{ name: 'gl2', addresses: ['10.111.0.12'] }],
  });
  expect(read('sh: 1: ss: not found\n')?.failed).toBe('sh: 1: ss: not found');
});
