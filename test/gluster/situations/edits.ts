import type { DiskReading, HealReading, PeerReading } from '../../../probes/gluster/readings.ts';
import type { Pool } from '../world.ts';
import { change, kindsOf, poolWith, type Volume } from './pool-with.ts';

type Edit = (pool: Pool) => void;
export type Disk = Partial<DiskReading['bricks'][number]>;
type Heal = Partial<HealReading['volumes'][number]>;

export const peer =
  (host: string, edit: (value: PeerReading) => Partial<PeerReading>): Edit =>
  (pool) =>
    change<PeerReading>(pool, 'gluster.peer', host, (value) => ({ ...value, ...edit(value) }));

const uuidOf = (pool: Pool, host: string): string =>
  pool.readings.source<PeerReading>('gluster.peer', host)?.good?.value.uuid ?? '';

/** What `pool list` of some peers says of another. */
export const seen =
  (from: readonly string[], to: string, more: Partial<NonNullable<PeerReading['pool']>[number]>): Edit =>
  (pool) => {
    const uuid = uuidOf(pool, to);
    for (const host of from)
      peer(host, ({ pool: all = [] }) => ({
        pool: all.map((one) => (one.uuid === uuid ? { ...one, ...more } : one)),
      }))(pool);
  };

export const daemon = (host: string, more: Partial<PeerReading['daemon']>): Edit =>
  peer(host, ({ daemon: was }) => ({ daemon: { ...was, ...more } }));

/** Those no longer in each other's pool. */
export const detached =
  (host: string): Edit =>
  (pool) => {
    const uuid = uuidOf(pool, host);
    for (const other of ['gl1', 'gl2', 'gl3'])
      peer(other, ({ pool: all = [] }) => ({
        pool: all.filter((one) => (one.uuid === uuid) === (other === host)),
      }))(pool);
  };

export const clocks = (...offS: readonly number[]): Edit[] =>
  offS.map((s, at) => peer(`gl${at + 1}`, () => ({ clockMs: s * 1000 })));

/** `df` of the disk below brick number `at`. */
export const disk =
  (at: number, more: Disk): Edit =>
  (pool) =>
    change<DiskReading>(pool, 'gluster.disk', `gl${(at % 3) + 1}`, ({ bricks }) => ({
      bricks: [
        ...bricks,
        {
          path: `/b/${at}`,
          state: 'read',
          mount: `/b`,
          readOnly: false,
          kbTotal: 1_000_000,
          kbUsed: 400_000,
          kbAvail: 600_000,
          filesTotal: 65_536,
          filesFree: 60_000,
          ...more,
        },
      ],
    }));

/** Pending entries of each brick, and the sums of the answers before. */
export const heal =
  (counts: readonly (number | undefined)[], before: readonly number[] = [], more: Heal = {}): Edit =>
  (pool) =>
    pool.readings.good('gluster.heal', 'gl1', {
      volumes: [
        {
          name: 'v',
          at: pool.now,
          before: [...before],
          bricks: counts.map((pending, at) => ({
            host: `gl${(at % 3) + 1}`,
            path: `/b/${at}`,
            connected: pending !== undefined,
            ...(pending !== undefined && { pending }),
          })),
          ...more,
        },
      ],
    } satisfies HealReading);

export const noSelfHeal = (host: string): Edit =>
  peer(host, ({ processes }) => ({ processes: processes.filter(({ kind }) => kind !== 'selfHeal') }));

/** Quota daemons on these peers, as glusterd starts them once quotas are enabled. */
export const quotaDaemon = (host: string): Edit =>
  peer(host, ({ processes }) => ({
    processes: [...processes, { pid: 55, state: 'Ssl', ageS: 900, kind: 'quota' }],
  }));

export const split =
  (files: readonly string[]): Edit =>
  (pool) => {
    heal([1, 1, 1], [], { splitFiles: [...files] })(pool);
    change<HealReading>(pool, 'gluster.heal', 'gl1', ({ volumes }) => ({
      volumes: volumes.map((one) => ({ ...one, bricks: one.bricks.map((b) => ({ ...b, split: 1 })) })),
    }));
  };

export interface Site {
  volume?: Partial<Volume>;
  bricks?: number;
  down?: readonly number[];
}
export type Row = [what: string, edits: readonly Edit[], expected: readonly string[], site?: Site];

export const arbiter: Site = {
  volume: {
    type: 'Distributed-Replicate',
    bricks: [0, 1, 2, 3, 4, 5].map((at) => ({
      host: `gl${(at % 3) + 1}`,
      path: `/b/${at}`,
      ...(at % 3 === 2 && { arbiter: true }),
    })),
  },
  bricks: 6,
};
export const options = (more: Record<string, string>): Site => ({ volume: { options: more } });
export const space = (share: number): Disk => ({
  kbUsed: share * 10_000,
  kbAvail: 1_000_000 - share * 10_000,
});

export const run = async (
  edits: readonly Edit[],
  { volume = {}, bricks = 3, down = [] }: Site = {},
): Promise<Pool> => {
  const pool = await poolWith(volume, bricks, down);
  for (const edit of edits) edit(pool);
  return pool;
};
export const told = async (edits: readonly Edit[], site?: Site): Promise<string[]> =>
  kindsOf(await run(edits, site));
