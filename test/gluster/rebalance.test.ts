import { describe, expect, it } from 'vitest';
import { findings } from '../../probes/gluster/judge/findings.ts';
import type { PeerReading, VolumesReading } from '../../probes/gluster/readings.ts';
import { peer } from './situations/edits.ts';
import { change, poolWith } from './situations/pool-with.ts';
import type { Pool } from './world.ts';

const distributed = { type: 'Distribute', replica: 1 };
const said = (pool: Pool): string[] =>
  findings(pool.judgement()).map(({ severity, kind, summary }) => `${severity} ${kind}: ${summary}`);

type Rebalance = NonNullable<PeerReading['rebalances']>[number];
const process = { pid: 77, state: 'Ssl', ageS: 900, kind: 'rebalance' as const, volume: 'v' };

/** A volume of three bricks, and what gl2 keeps of its rebalance. */
const rebalanced = async (
  last: Partial<Rebalance>,
  { runs = false, status = 'Started', ageS = 9999 } = {},
): Promise<Pool> => {
  const pool = await poolWith({ ...distributed, status }, 3, [], { gl2: ageS });
  peer('gl2', ({ processes }) => ({
    processes: runs ? [...processes, process] : processes,
    rebalances: [{ volume: 'v', status: 3, ...last }],
  }))(pool);
  return pool;
};

describe('a rebalance', () => {
  it.each<[string, Partial<Rebalance>, string]>([
    ['failed', { status: 4 }, 'failed'],
    ['of the layout failed', { status: 8 }, 'failed'],
    ['left files behind', { status: 3, failures: 12 }, 'ended with 12 failures'],
    ['died', { status: 1 }, 'has no process any more'],
  ])('%s: told, with its host', async (_what, last, text) => {
    expect(said(await rebalanced(last))).toEqual([
      `notice rebalance-failed: v: rebalance ${text} on gl2: files are not where they belong`,
    ]);
  });

  it.each<[string, Partial<Rebalance>, Parameters<typeof rebalanced>[1]]>([
    ['runs', { status: 1 }, { runs: true }],
    ['is run again after it failed', { status: 4 }, { runs: true }],
    ['ended well', { status: 3, failures: 0 }, {}],
    ['was stopped by somebody', { status: 2 }, {}],
    ['never ran', { status: 0 }, {}],
    ['is started again by a glusterd that has just started', { status: 1 }, { ageS: 20 }],
    ['failed on a volume that is stopped', { status: 4 }, { status: 'Stopped' }],
  ])('%s: silent', async (_what, last, more) => {
    expect(said(await rebalanced(last, more)).join()).not.toContain('rebalance');
  });
});

describe('a volume that is read-only by its option', () => {
  const setTo = async (options: Record<string, string>, status = 'Started'): Promise<string[]> => {
    const pool = await poolWith(distributed, 3, []);
    change<VolumesReading>(pool, 'gluster.volumes', 'gl1', ({ volumes }) => ({
      volumes: volumes.map((one) => ({ ...one, options, status })),
    }));
    return said(pool);
  };

  it('is a notice', async () => {
    expect(await setTo({ 'features.read-only': 'on' })).toEqual([
      'notice volume-read-only: v: read-only by its option features.read-only: writes are refused (EROFS)',
    ]);
  });

  it.each<[string, Record<string, string>, string]>([
    ['it is off', { 'features.read-only': 'off' }, 'Started'],
    ['nobody set it', {}, 'Started'],
    ['the volume is stopped', { 'features.read-only': 'on' }, 'Stopped'],
  ])('silent where %s', async (_why, options, status) => {
    expect(await setTo(options, status)).toEqual([]);
  });
});
