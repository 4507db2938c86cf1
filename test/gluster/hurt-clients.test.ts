import { describe, expect, it } from 'vitest';
import { findings } from '../../probes/gluster/judge/findings.ts';
import { readCounts } from '../../probes/gluster/read/read-counts.ts';
import type { DiskReading, PeerReading } from '../../probes/gluster/readings.ts';
import type { SafeData } from '../../src/text/safe.ts';
import { Sources } from '../helpers/judging.ts';
import { answerOf } from '../helpers/answer.ts';
import { change, poolWith, type Volume } from './situations/pool-with.ts';
import type { Pool } from './world.ts';

const hour = 3_600_000;

/** A pool with one volume of three bricks, `down` of them without a process, each counted as these. */
const counted = async (
  volume: Partial<Volume>,
  down: readonly number[],
  counts: readonly (number | undefined)[],
): Promise<Pool> => {
  const pool = await poolWith(volume, 3, down);
  for (const [at, clients] of counts.entries())
    pool.readings.good('gluster.disk', `gl${at + 1}`, {
      clients: clients === undefined ? [] : [{ path: `/b/${at}`, clients, at: pool.now }],
      bricks: [],
    } satisfies DiskReading);
  return pool;
};

const hurtOf = (pool: Pool, kind: string): unknown =>
  findings(pool.judgement()).find((one) => one.kind === kind)?.hurt;

describe('clients of a volume whose files are out of reach', () => {
  it('are as many as one of its bricks counts', async () => {
    expect(hurtOf(await counted({}, [0, 1], [0, undefined, 36]), 'brick-down')).toEqual({ clients: 36 });
  });

  it('are those of the last count where no brick runs', async () => {
    expect(hurtOf(await counted({}, [0, 1, 2], [36, 34, 36]), 'brick-down')).toEqual({ clients: 36 });
  });

  it('are told with a disk that is full', async () => {
    const pool = await counted({}, [], [36, 36, 36]);
    change<DiskReading>(pool, 'gluster.disk', 'gl1', (value) => ({
      ...value,
      bricks: [{ path: '/b/0', state: 'read', mount: '/b', kbTotal: 1000, kbUsed: 1000, kbAvail: 0 }],
    }));
    expect(hurtOf(pool, 'brick-full')).toEqual({ clients: 36 });
  });

  it.each<[string, Partial<Volume>, readonly number[], readonly (number | undefined)[]]>([
    ['copies that are left serve them', {}, [0], [undefined, 36, 36]],
    ['nobody has it mounted', {}, [0, 1], [0, 0, 0]],
    ['nobody counted them', {}, [0, 1], [undefined, undefined, undefined]],
  ])('are not told where %s', async (_why, volume, down, counts) => {
    expect(hurtOf(await counted(volume, down, counts), 'brick-down')).toEqual({});
  });

  it('are not known where the port is one of several volumes', async () => {
    const pool = await counted({}, [0, 1], [undefined, undefined, 36]);
    change<PeerReading>(pool, 'gluster.peer', 'gl3', (value) => ({
      ...value,
      pidFiles: [{ volume: 'other', brick: 'gl3-b-2', pid: 9002 }],
    }));
    expect(hurtOf(pool, 'brick-down')).toEqual({});
  });
});

describe('the counts of a host', () => {
  const read = (stdout: string, now: number, clients: DiskReading['clients'] = []) => {
    const sources = new Sources();
    sources.good('gluster.disk', 'gl1', { clients, bricks: [] } satisfies DiskReading);
    const last = sources.source<SafeData>('gluster.disk', 'gl1')?.good;
    return readCounts(answerOf(`${stdout}@@faultline end\n`), { now, ...(last && { last }) });
  };
  const said = '@@faultline clients\n36 /data/a b\n0 /data/c\n';

  it('are read by brick', () => {
    expect(read(said, hour)).toEqual({
      value: {
        clients: [
          { path: '/data/a b', clients: 36, at: hour },
          { path: '/data/c', clients: 0, at: hour },
        ],
      },
      notUnderstood: 0,
    });
    expect(read('@@faultline clients\nx /data/a\n', hour)).toEqual({
      value: { clients: [] },
      notUnderstood: 1,
    });
  });

  it('stay for a day once a brick has ended, and where they could not be made', () => {
    const { clients } = read(said, hour).value;
    expect(read('@@faultline clients\n1 /data/c\n', 2 * hour, clients).value.clients).toEqual([
      { path: '/data/c', clients: 1, at: 2 * hour },
      { path: '/data/a b', clients: 36, at: hour },
    ]);
    expect(read('@@faultline not-counted ss: not found\n', 2 * hour, clients).value).toEqual({
      notCounted: 'ss: not found',
      clients,
    });
    expect(read('@@faultline clients\n', 25 * hour, clients).value.clients).toEqual([]);
  });
});
