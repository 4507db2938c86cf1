import { readTrack, type Course } from '../../../src/kit/trends.ts';
import type { Track } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { eachPool } from '../pools.ts';
import { lockOfVolume } from './lock-state.ts';
import { volumesOf } from './pool.ts';
import { volumeId } from './volume-ids.ts';

/** For how many seconds the lock of a volume has been held; 0 while it is free. */
const ageSeries = (volume: string): string => `gluster/lock-age/${volume}`;
const lockRead = (volume: string): string => `gluster.lock/${volume}`;

/** The age of a volume's lock: from 60 s on a lock is worth a look. */
export const lockCourse = (volume: string): Course => ({
  series: ageSeries(volume),
  read: [lockRead(volume)],
  top: 60,
});

const MOST = 500;
/** Seconds in steps: the history keeps what changes. */
const STEP_S = 30;

/** Ages of the locks of all volumes of which they are known. */
export const lockTracks = (judgement: Judgement): readonly Track[] =>
  eachPool(judgement).flatMap(({ pool, judgement: own }) =>
    (volumesOf(own)?.volumes ?? []).slice(0, MOST).flatMap(({ name }) => {
      const found = lockOfVolume(name, own);
      if (found.state === 'unknown') return [];
      const id = volumeId(name, pool, judgement);
      const heldS = found.state === 'free' ? 0 : (own.now - found.lock.since) / 1000;
      return [
        { series: ageSeries(id), value: Math.max(0, Math.ceil(heldS / STEP_S) * STEP_S) },
        readTrack(lockRead(id), own.now),
      ];
    }),
  );
