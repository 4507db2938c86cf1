import { describe, expect, it } from 'vitest';
import { findings } from '../../probes/gluster/judge/findings.ts';
import type {
  HealReading,
  LockReading,
  LogReading,
  PeerReading,
  VolumesReading,
} from '../../probes/gluster/readings.ts';
import { answerOf } from '../helpers/answer.ts';
import { Pool } from './world.ts';

const section = (...parts: string[]): string => parts.map((part) => `@@faultline ${part}\n`).join('');

const A = '878bc80a-506a-4a17-aa9d-f50396b6c7c6';

describe('the peer', () => {
  const read = (stdout: string): Pool => {
    const pool = new Pool('quiet');
    pool.take('gluster.peer', 'gl1', answerOf(stdout));
    return pool;
  };
  const value = (pool: Pool): PeerReading | undefined =>
    pool.readings.source<PeerReading>('gluster.peer', 'gl1')?.good?.value;

  it('glusterd that is down, stopped, silent', () => {
    expect(value(read(section('glusterd none', 'processes', 'end')))?.daemon).toEqual({ state: 'down' });
    expect(value(read(section('glusterd 18 T 4888 260', 'end')))?.daemon).toMatchObject({
      state: 'stopped',
      pid: 18,
    });
    const silent = read(section('glusterd 18 S 4888 260', 'pool', 'pool-exit 124', 'end'));
    expect(value(silent)?.silent).toContain('no answer');
    const pool = read(
      section(
        'glusterd 18 S 4888 260',
        'pool\nConnection failed. Please check if gluster daemon is operational.',
        'pool-exit 1',
        'end',
      ),
    );
    expect(value(pool)?.silent).toContain('Connection failed');
    expect(findings(pool.judgement()).map(({ kind }) => kind)).toContain('glusterd-silent');
  });

  it('a brick, a shared brick process, self-heal daemons of both ages, a rebalance, a command', () => {
    const lines = [
      '  109 SLsl  254 /usr/sbin/glusterfsd -s gl1 --volfile-id my_vol.gl1.b --brick-name /b -l /x',
      '  126 SLsl  254 /usr/sbin/glusterfs -s localhost --volfile-id shd/my_vol -p /x',
      '  127 SLsl  254 /usr/sbin/glusterfs -s localhost --volfile-id gluster/glustershd -p /x',
      '  125 SLsl  254 /usr/sbin/glusterfs -s localhost --volfile-id gluster/quotad -p /x',
      '  128 Ssl     4 /usr/sbin/glusterfs -s localhost --volfile-id rebalance/my_vol',
      '  129 S       4 gluster --mode=script volume set my_vol a b',
      '  130 S       4 gluster volume heal my_vol info summary --xml',
      '  131 S       4 /usr/sbin/glusterfs --volfile-server=gl1 --volfile-id=/my_vol /mnt',
    ];
    const { processes = [] } = value(read(section(`processes\n${lines.join('\n')}`, 'end'))) ?? {};
    expect(processes.map(({ pid, kind, volume }) => [pid, kind, volume])).toEqual([
      [109, 'brick', 'my_vol'],
      [126, 'selfHeal', 'my_vol'],
      [127, 'selfHeal', undefined],
      [125, 'quota', undefined],
      [128, 'rebalance', 'my_vol'],
      [129, 'command', undefined],
    ]);
  });

  it('a hook that holds glusterd up is named', () => {
    const hooks = '     22 /bin/sh /var/lib/glusterd/hooks/1/set/pre/S10slow.sh --volname=home0';
    const pool = read(section('glusterd 18 S 4888 260', 'pool', 'pool-exit 124', `hooks\n${hooks}`, 'end'));
    expect(value(pool)?.hook).toEqual({ file: '/var/lib/glusterd/hooks/1/set/pre/S10slow.sh', ageS: 22 });
    expect(findings(pool.judgement()).map(({ summary }) => summary)).toContain(
      'glusterd of gl1 silent: waits 22 s for its hook S10slow.sh',
    );
  });

  it('an answer that is cut off proves nothing', () => {
    const pool = read(section('glusterd 18 S 4888 260', 'pool'));
    expect(pool.readings.source('gluster.peer', 'gl1')).toMatchObject({
      state: 'failed',
      failure: { kind: 'parse' },
    });
  });

  it('no permission is a failure of its own', () => {
    const pool = new Pool('quiet');
    pool.take('gluster.lock', 'gl1', answerOf('', { stderr: 'sudo: a password is required' }));
    expect(pool.readings.source('gluster.lock', 'gl1')?.failure).toMatchObject({ code: 'noPermission' });
  });
});

describe('the dump', () => {
  const dump = (locks: string, end = 'DUMP-END-TIME: x'): string =>
    `dump /var/run/gluster/glusterdump.18.dump.1\nDUMP-START-TIME: x\nglusterd.my-uuid=${A}\nglusterd.mgmt_v3_lock=\n${locks}glusterd.options=\n${end}`;
  const read = (stdout: string): { value?: LockReading; state?: string } => {
    const pool = new Pool('quiet');
    pool.take('gluster.lock', 'gl1', answerOf(stdout));
    const source = pool.readings.source<LockReading>('gluster.lock', 'gl1');
    return { ...(source?.good && { value: source.good.value }), ...(source && { state: source.state }) };
  };

  it('a lock is lasting when both dumps show it, names that end in _vol and _snap are kept', () => {
    const stdout = section(
      dump(`\tmy_vol_vol:${A}\n\ts_snap_snap:${A}\n`),
      dump(`\tmy_vol_vol:${A}\n\tlate_vol:${A}\n`),
      'end',
    );
    expect(read(stdout).value?.locks).toEqual([
      { name: 'my_vol', type: 'vol', owner: A, lasting: true },
      { name: 'late', type: 'vol', owner: A, lasting: false },
    ]);
  });

  it('a line among the locks that is none is counted, a backtrace is not', () => {
    const pool = new Pool('quiet');
    const stdout = section(
      dump(`\tdebug.last-success-bt-v-vol:(-->x)\n\tv_vol:${A}\n\tv_vol=${A};3\n`),
      'end',
    );
    const host = pool.site.host('gl1');
    if (!host) throw new Error('no gl1');
    const context = { site: pool.site, readings: pool.readings, now: pool.now };
    expect(pool.probe('gluster.lock').read(answerOf(stdout), host, context)).toMatchObject({
      value: { locks: [{ name: 'v', owner: A }] },
      notUnderstood: 1,
    });
  });

  it('one that is cut off is no dump without locks', () => {
    expect(read(section(dump('', ''), 'end')).state).toBe('failed');
  });

  it.each(['young', 'stopped', 'denied', 'nodump'])('%s is told, and is not free', (why) => {
    expect(read(section('glusterd 18 S 1 2', `skip ${why}`, 'end')).value).toEqual({
      skipped: why,
      locks: [],
      peers: [],
    });
  });
});

describe('the log', () => {
  const line = (at: string): string =>
    `[${at}] W [glusterd-locks.c:545:glusterd_mgmt_v3_lock] (-->x ) 0-management: Lock for home0 held by ${A}`;

  it('goes on where it was, also over a rotation, and keeps an hour', () => {
    const pool = new Pool('quiet');
    pool.take(
      'gluster.log',
      'gl1',
      answerOf(section(`log 42 100 first /f\n${line('2026-11-20 02:20:00.000000')}`, 'end')),
    );
    const ask = pool.probe('gluster.log');
    const host = pool.site.host('gl1');
    const last = pool.readings.source('gluster.log', 'gl1')?.good;
    if (!host || !last) throw new Error('not read');
    const asked = ask.ask(host, { site: pool.site, readings: pool.readings, now: pool.now, last });
    expect('script' in asked && asked.script).toMatch(/faultline-log 42 100$/);
    pool.now += 59 * 60_000;
    pool.take(
      'gluster.log',
      'gl1',
      answerOf(section(`log 43 10 rotated /f\n${line('2026-11-20 03:19:00.000000')}`, 'end')),
    );
    const value = pool.readings.source<LogReading>('gluster.log', 'gl1')?.good?.value;
    expect(value).toMatchObject({ inode: '43', offset: 10 });
    expect(value?.events.map(({ kind }) => kind)).toEqual(['lockRefused', 'gap', 'lockRefused']);
    pool.now += 2 * 60_000;
    pool.take('gluster.log', 'gl1', answerOf(section('log 43 10 on /f', 'end')));
    expect(pool.readings.source<LogReading>('gluster.log', 'gl1')?.good?.value.events).toHaveLength(2);
  });

  it('missing or not readable is told', () => {
    const pool = new Pool('quiet');
    pool.take('gluster.log', 'gl1', answerOf(section('missing /var/log/x', 'end')));
    expect(findings(pool.judgement()).map(({ summary }) => summary)).toEqual([
      "gl1: glusterd's log missing: /var/log/x",
    ]);
  });
});

describe('volumes and heals', () => {
  it('a failure with exit 0 is one; no volumes is none', () => {
    const pool = new Pool('quiet');
    const xml = (errno: number, text: string): string =>
      `<cliOutput><opRet>-1</opRet><opErrno>${errno}</opErrno><opErrstr>${text}</opErrstr></cliOutput>`;
    pool.take('gluster.volumes', 'gl1', answerOf(xml(30_802, 'Another transaction is in progress')));
    expect(pool.readings.source('gluster.volumes', 'gl1')?.failure?.code).toBe('locked');
    pool.take('gluster.volumes', 'gl1', answerOf(xml(0, 'No volumes present')));
    expect(pool.readings.source<VolumesReading>('gluster.volumes', 'gl1')?.good?.value.volumes).toEqual([]);
  });

  it('hundreds of volumes take turns', async () => {
    const pool = new Pool('quiet');
    const { volumes } = pool.simulator.state();
    const home0 = volumes.get('home0');
    if (!home0) throw new Error('no home0');
    for (let at = 0; at < 20; at++) volumes.set(`v${at}`, { ...home0, name: `v${at}` });
    await pool.poll();
    for (let round = 0; round < 4; round++) {
      pool.now += 120_000;
      await pool.ask('gluster.heal', 'gl1');
    }
    const { volumes: read = [] } =
      pool.readings.source<HealReading>('gluster.heal', 'gl1')?.good?.value ?? {};
    expect(new Set(read.map(({ name }) => name)).size).toBe(22);
    expect(findings(pool.judgement())).toEqual([]);
  });
});
