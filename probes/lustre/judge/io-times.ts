import { memoPer, memoPerJudgement } from '../../../src/kit/memo.ts';
import type { Source } from '../../../src/model/reading.ts';
import type { IoReading } from '../readings.ts';

type Times = IoReading['osts'][number]['times'];
export type Direction = 'reads' | 'writes';

/** What the disks of an OST did between two readings, of reads or of writes. */
export interface IoWindow {
  ost: string;
  oss: string;
  direction: Direction;
  seconds: number;
  ios: number;
  /** Half of them took this long at most, ms, and at least half of them longer than half of it. */
  halfMs: number;
}

/** So few say nothing of an OST. */
const fewIos = 10;

/** Each OST's reads and writes between the last two readings of its OSS. Counts that were cleared in between tell nothing. */
export const ioWindows = memoPerJudgement(({ readings }): readonly IoWindow[] =>
  readings.sources<IoReading>('lustre.oss-io').flatMap((source) => windowsOf(source)),
);

/** Made once for each answer of a server: of forty one has answered since the last judgement. */
const windowsOf = memoPer(({ host, state, good, before }: Source<IoReading>): readonly IoWindow[] => {
  const [last] = before;
  if (state !== 'fresh' || !good || !last) return [];
  const seconds = (good.mono - last.mono) / 1000;
  const earlier = new Map(last.value.osts.map(({ name, times }) => [name, times]));
  return good.value.osts.flatMap(({ name, times }) => {
    const old = earlier.get(name);
    if (!old || seconds < 1) return [];
    return (['reads', 'writes'] as const).flatMap((direction): IoWindow[] => {
      const counts = addCounts(times, old, direction);
      const ios = counts.reduce((sum, { count }) => sum + count, 0);
      if (ios < fewIos || counts.some(({ count }) => count < 0)) return [];
      return [{ ost: name, oss: host, direction, seconds, ios, halfMs: halfOf(counts, ios) }];
    });
  });
});

type Counts = readonly { ms: number; count: number }[];

const addCounts = (now: Times, old: Times, direction: Direction): Counts => {
  const before = new Map(old.map((one) => [one.ms, one[direction]]));
  const rows = new Map(now.map((one) => [one.ms, one[direction]]));
  // A row that was there and is not any more was cleared.
  return [...new Set([...rows.keys(), ...before.keys()])]
    .toSorted((a, b) => a - b)
    .map((ms) => ({ ms, count: (rows.get(ms) ?? 0) - (before.get(ms) ?? 0) }));
};

const halfOf = (counts: Counts, ios: number): number => {
  let sum = 0;
  for (const { ms, count } of counts) {
    sum += count;
    if (sum * 2 > ios) return ms;
  }
  return counts.at(-1)?.ms ?? 0;
};
