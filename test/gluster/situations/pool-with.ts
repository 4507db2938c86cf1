import type {
  DiskReading,
  HealReading,
  PeerReading,
  VolumesReading,
} from '../../../probes/gluster/readings.ts';
import { findings } from '../../../probes/gluster/judge/findings.ts';
import { Pool } from '../world.ts';

export type Volume = VolumesReading['volumes'][number];

/** A pool in which one volume of this kind has its bricks on gl1 to gl3 in turn; those of these numbers are without a process. */
export const poolWith = async (
  volume: Partial<Volume>,
  bricks: number,
  down: readonly number[],
  ages: Readonly<Record<string, number>> = {},
): Promise<Pool> => {
  const pool = new Pool('quiet');
  await pool.poll();
  const all = Array.from({ length: bricks }, (_, index) => ({
    host: `gl${(index % 3) + 1}`,
    path: `/b/${index}`,
  }));
  for (const [index, host] of ['gl1', 'gl2', 'gl3'].entries()) {
    const good = pool.readings.source<PeerReading>('gluster.peer', host)?.good?.value;
    if (!good) throw new Error(host);
    const own = all.flatMap(({ path }, at) =>
      at % 3 === index && !down.includes(at)
        ? [{ pid: 9000 + at, state: 'Ssl', ageS: 9999, kind: 'brick' as const, volume: 'v', path }]
        : [],
    );
    const others = good.processes.filter(({ kind }) => kind !== 'brick');
    const ageS = ages[host];
    pool.readings.good('gluster.peer', host, {
      ...good,
      ...(ageS !== undefined && { daemon: { ...good.daemon, ageS } }),
      processes: [...others, ...own],
    });
    pool.readings.good('gluster.disk', host, { bricks: [] } satisfies DiskReading);
  }
  pool.readings.good('gluster.heal', 'gl1', { volumes: [] } satisfies HealReading);
  pool.readings.good('gluster.volumes', 'gl1', {
    volumes: [
      { name: 'v', status: 'Started', type: 'Replicate', replica: 3, bricks: all, options: {}, ...volume },
    ],
  } satisfies VolumesReading);
  return pool;
};

/** Puts another value in the place of what a peer said last. */
export const change = <T>(pool: Pool, probe: string, host: string, edit: (value: T) => T): void => {
  const at = pool.readings.source(probe, host)?.good?.at;
  pool.readings.good(probe, host, edit(pool.readings.copyOf<T>(probe, host)), at);
};

/** `warning brick-down`, each finding in its order. */
export const kindsOf = (pool: Pool): string[] =>
  findings(pool.judgement()).map(({ severity, kind }) => `${severity} ${kind}`);
