import { describe, expect, it } from 'vitest';
import type { PeerReading } from '../../../probes/gluster/readings.ts';
import type { Pool } from '../world.ts';
import { kindsOf, poolWith, type Volume } from './pool-with.ts';

const said = (pool: Pool): string[] => kindsOf(pool).filter((one) => !one.startsWith('notice'));

const distribute = { type: 'Distribute', replica: 1 };
const disperse = { type: 'Disperse', replica: 1, disperse: 6, redundancy: 2 };
const replicas = { type: 'Distributed-Replicate', replica: 3 };

describe('bricks without a process', () => {
  it.each<[string, Partial<Volume>, number, number[], string[]]>([
    ['of a volume without copies: files are out of reach', distribute, 3, [1], ['critical brick-down']],
    [
      'of a disperse volume whose sets were not told: no word of what is out of reach',
      { type: 'Disperse', replica: 1 },
      6,
      [0, 1, 2],
      ['warning brick-down'],
    ],
    ['of 4+2 as many as it can be without', disperse, 6, [0, 3], ['warning brick-down']],
    ['of 4+2 one more', disperse, 6, [0, 3, 5], ['critical brick-down']],
    [
      'of two sets of 4+2, two of each',
      { ...disperse, type: 'Distributed-Disperse' },
      12,
      [0, 1, 6, 7],
      ['warning brick-down'],
    ],
    ['of two sets of three, one of each', replicas, 6, [1, 4], ['warning brick-down']],
    ['of two sets of three, two of one', replicas, 6, [3, 4], ['critical brick-down']],
    [
      'of two sets of three, the last and the first: neighbours in the list, in two sets',
      replicas,
      6,
      [2, 3],
      ['warning brick-down'],
    ],
    ['of a pair, one', { replica: 2 }, 2, [0], ['warning brick-down']],
    ['of a pair, both', { replica: 2 }, 2, [0, 1], ['critical brick-down']],
    [
      'of a pair the first, which client quorum asks for',
      { replica: 2, options: { 'cluster.quorum-type': 'auto' } },
      2,
      [0],
      ['critical brick-down'],
    ],
    [
      'of a pair the second, where the first is enough',
      { replica: 2, options: { 'cluster.quorum-type': 'auto' } },
      2,
      [1],
      ['warning brick-down'],
    ],
    [
      'of three one, where all must run',
      { options: { 'cluster.quorum-type': 'fixed', 'cluster.quorum-count': '3' } },
      3,
      [2],
      ['critical brick-down'],
    ],
    [
      'of three one, where two must run',
      { options: { 'cluster.quorum-type': 'fixed', 'cluster.quorum-count': '2' } },
      3,
      [0],
      ['warning brick-down'],
    ],
    [
      'of three one, and a count that nothing asks for',
      { options: { 'cluster.quorum-type': 'none', 'cluster.quorum-count': '3' } },
      3,
      [0],
      ['warning brick-down'],
    ],
    ['of a stopped volume', { status: 'Stopped' }, 3, [0, 1, 2], []],
    ['of a volume that was created and never started', { status: 'Created' }, 3, [0, 1, 2], []],
    ['none', disperse, 6, [], []],
  ])('%s', async (_what, volume, bricks, down, expected) => {
    expect(said(await poolWith(volume, bricks, down))).toEqual(expected);
  });
});

describe('a glusterd that was started a moment ago', () => {
  const withoutDaemons = async (ageS: number, pidFiles: PeerReading['pidFiles'] = []): Promise<Pool> => {
    const pool = await poolWith({}, 3, [1], { gl2: ageS });
    const good = pool.readings.source<PeerReading>('gluster.peer', 'gl2')?.good?.value;
    if (!good) throw new Error('gl2');
    pool.readings.good('gluster.peer', 'gl2', {
      ...good,
      pidFiles,
      processes: good.processes.filter(({ kind }) => kind !== 'selfHeal'),
    });
    return pool;
  };

  it('starts its bricks and its self-heal daemon: they are not missing yet', async () => {
    expect(said(await withoutDaemons(4))).toEqual([]);
    expect(said(await withoutDaemons(29))).toEqual([]);
    expect(said(await poolWith({}, 3, [1], { gl2: 29 }))).toEqual([]);
  });

  it('had started the brick, which ended: it is down, by its pid file', async () => {
    const left = [{ volume: 'v', brick: 'gl2-b-1', pid: 4711 }];
    expect(said(await withoutDaemons(4, left))).toEqual(['warning brick-down']);
  });

  it('has had its time: they are missing', async () => {
    expect(said(await withoutDaemons(31))).toEqual(['warning brick-down', 'warning self-heal-down']);
  });

  it('on another host explains nothing', async () => {
    expect(said(await poolWith({}, 3, [1], { gl1: 4 }))).toEqual(['warning brick-down']);
  });
});
