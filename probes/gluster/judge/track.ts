import type { Track } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { healOf, peersOf, volumesOf } from './pool.ts';
import { eachPool } from '../pools.ts';
import { volumeId } from './volume-ids.ts';
import { sum } from '../read/read-volumes.ts';

/** Who holds a volume's lock on a peer: an owner's UUID or `free`. */
export const lockSeries = (volume: string, host: string): string => `gluster/lock/${volume}/${host}`;
export const healSeries = (volume: string): string => `gluster/heal/${volume}`;

/** Volumes of which the locks are kept: of hundreds only those that were locked would change. */
const most = 500;

/** What the history keeps of each pool. */
export const tracks = (judgement: Judgement): readonly Track[] =>
  eachPool(judgement).flatMap(({ pool, judgement: own }) =>
    tracksOf(own, (name) => volumeId(name, pool, judgement)),
  );

/** Locks by peer, pending heals, the state of each glusterd. */
const tracksOf = (judgement: Judgement, idOf: (volume: string) => string): readonly Track[] => {
  const volumes = (volumesOf(judgement)?.volumes ?? []).slice(0, most);
  const peers = peersOf(judgement);
  return [
    ...peers.flatMap(({ host, dump, lock }) =>
      dump && lock?.state !== 'failed'
        ? volumes.map(({ name }) => ({
            series: lockSeries(name, host),
            value: dump.locks.find((one) => one.name === name && one.type === 'vol')?.owner ?? 'free',
          }))
        : [],
    ),
    ...peers.flatMap(({ host, state }) =>
      state === 'unknown' ? [] : [{ series: `gluster/peer/${host}`, value: state }],
    ),
    ...[...healOf(judgement)].flatMap(([name, { bricks, error }]) =>
      error === undefined ? [{ series: healSeries(idOf(name)), value: sum(bricks) }] : [],
    ),
  ];
};
