import { describe, expect, it } from 'vitest';
import { findings } from '../../probes/gluster/judge/findings.ts';
import type { Subject } from '../../src/model/subject.ts';
import { guards, only, planOf, ready, reread } from './plans.ts';
import type { Pool } from './world.ts';

const brick: Subject = { kind: 'brick', id: 'gl2:/data/brick2/data1' };
const id = '9b0a7c527d6e4e0c8a312f2b77c1e502';

/** Another brick, on gl3, has no process either. */
const twoDown = async (volume = 'data1'): Promise<Pool> => {
  const pool = await ready('brick-down');
  const other = pool.simulator
    .state()
    .volumes.get(volume)
    ?.bricks.find(({ peer }) => peer === 'gl3');
  if (!other) throw new Error('no brick on gl3');
  other.up = false;
  await pool.poll();
  return pool;
};

/** What the disks of gl3 say: of its bricks those of `volume` as told, the others as they are. */
const told = async (pool: Pool, said: string, volume = 'data1'): Promise<void> => {
  const bricks = { data1: ['/data/brick2/data1', '/data/brick3/data1'], home0: ['/data/brick1/home0'] };
  const lines = Object.entries(bricks).flatMap(([name, paths]) =>
    paths.map(
      (path) =>
        `@@faultline brick ${path}\n${name === volume ? said : 'mount /data\noptions rw\nspace 9 1 8\ninodes 9 1 8\nid ' + (name === 'data1' ? id : '4c1fd2a05b1e4b439f0a6d6c1b0d7a11')}\n`,
    ),
  );
  pool.take('gluster.disk', 'gl3', {
    ...(await pool.run('gl3', 'true')),
    stdout: `${lines.join('')}@@faultline end\n`,
  });
};

const target = (pool: Pool) => only(planOf(pool, 'gluster.start-brick', brick));
const offered = (pool: Pool): unknown[] =>
  findings(pool.judgement())
    .filter(({ kind, subject }) => kind === 'brick-down' && subject.id === 'data1')
    .flatMap(({ remedies }) => remedies.flatMap(({ subjects }) => subjects.map((one) => one.id)));
const why = (pool: Pool, guard: string): string =>
  target(pool)
    .guards.find((one) => one.id === guard)
    ?.check(pool.judgement()).text ?? '';

// 10.3 writes the volume's id on a bare folder of another host, and starts a process there: seen on three glusterd.
describe('start force starts every brick of the volume that has no process', () => {
  it.each([
    ['on the root file system', 'mount /\nid 9b0a7c527d6e4e0c8a312f2b77c1e502', 'root file system'],
    ['without the id', 'mount /data\nid ', "does not carry the volume's id"],
    ['gone', 'failed stat: No such file or directory', 'No such file or directory'],
    ['on a disk that hangs', 'hangs', 'does not answer'],
  ])('none while the folder of another is %s', async (_what, said, text) => {
    const pool = await twoDown();
    await told(pool, said);
    expect(why(pool, '3 other bricks')).toMatch(/^it would be started too: /);
    expect(why(pool, '3 other bricks')).toContain(text);
  });

  it('nor is it offered where another disk is known not to be mounted', async () => {
    const pool = await twoDown();
    expect(offered(pool)).toEqual(['gl2:/data/brick2/data1', 'gl3:/data/brick2/data1']);
    await told(pool, 'mount /\nid ');
    expect(offered(pool)).toEqual([]);
  });

  it('both where both are on their disks', async () => {
    const pool = await twoDown();
    const both = target(pool);
    await reread(pool, both);
    expect(Object.values(guards(pool, both))).toEqual([true, true, true, true, true]);
    expect(why(pool, '3 other bricks')).toContain('gl3:/data/brick2/data1');
  });

  it('a bare folder of another volume, or of a brick that runs, is no reason', async () => {
    const other = await twoDown('home0');
    await told(other, 'mount /\nid ', 'home0');
    expect(guards(other, target(other))['3 other bricks']).toBe(true);
    const running = await ready('brick-down');
    await told(running, 'mount /\nid ');
    expect(guards(running, target(running))['3 other bricks']).toBe(true);
  });

  it('nor is one whose glusterd the others do not see: nothing is started there', async () => {
    const pool = await twoDown();
    await told(pool, 'mount /\nid ');
    pool.peer('gl3').glusterd = 'down';
    await pool.ask('gluster.peer', 'gl1');
    expect(guards(pool, target(pool))).toMatchObject({ '3 other bricks': true, '3 other hosts': true });
  });

  it('of a host that could not be asked, and whose glusterd is connected, it is not known', async () => {
    const pool = await ready('brick-down');
    pool.readings.fail('gluster.peer', 'gl3', { kind: 'connect', message: 'no route to host' });
    const guard = target(pool).guards.find((one) => one.id === '3 other hosts');
    expect(guard).toMatchObject({ absolute: false });
    expect(why(pool, '3 other hosts')).toMatch(/^whether gl3:.* is not known: .*no route to host/);
  });
});
