import type { Source } from '../../../src/model/reading.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { age } from '../../../src/text/ages.ts';
import type { ArraysReading, ReadWrites } from '../readings.ts';
import { arraySources, freshValue } from './sources.ts';

/** How quickly the disks of a host take what is written. */
interface Pace {
  mbS: number;
  /** What one write takes. */
  ms: number;
}

export interface Writing {
  source: Source<ArraysReading>;
  now: Pace;
  /** From the start of the host to the oldest reading at hand. */
  before: Pace;
  slow: boolean;
  text: string;
}

/** Fewer writes say nothing of how long one takes. */
const FEW = 20;
/** Writes are slow that take so many times as long while so much less is written: a host with little to write is none of them. */
const [TIMES_LONGER, TIMES_LESS] = [4, 2];

const paceOf = ({ writes, kib, ms }: Omit<ReadWrites, 'uptimeS'>, seconds: number): Pace => ({
  mbS: (kib * 1.024) / 1000 / seconds,
  ms: ms / writes,
});

const paceText = ({ mbS, ms }: Pace): string =>
  `${mbS.toFixed(mbS < 10 ? 1 : 0)} MB/s, ${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms each`;

/**
 * What the disks of a host write now, and what they wrote since it came up: that needs no history of ours, and a slump of days is
 * still little of the whole. Undefined where one of both is not known, or hardly anything is written.
 */
export const writingOf = (host: string, judgement: Judgement): Writing | undefined => {
  const source = arraySources(judgement).find((one) => one.host === host);
  const last = freshValue(source)?.writes;
  const first = source?.before.findLast(({ value }) => value.writes !== undefined)?.value.writes;
  if (!source || !last || !first) return undefined;
  const seconds = last.uptimeS - first.uptimeS;
  const since = { writes: last.writes - first.writes, kib: last.kib - first.kib, ms: last.ms - first.ms };
  // Counters that fell are those of a host that came up anew, or of a disk that was replaced.
  if (seconds < 1 || since.writes < FEW || since.kib < 0 || since.ms < 0 || first.writes < FEW)
    return undefined;
  const [now, before] = [paceOf(since, seconds), paceOf(first, first.uptimeS)];
  return {
    source,
    now,
    before,
    slow: now.ms >= before.ms * TIMES_LONGER && now.mbS * TIMES_LESS <= before.mbS,
    text: `${host} writes ${paceText(now)}; in the ${age(first.uptimeS * 1000)} since it came up ${paceText(before)}`,
  };
};
