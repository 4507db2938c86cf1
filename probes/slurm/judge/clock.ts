import type { Reading, Readings, Source } from '../../../src/model/reading.ts';
import type { JobsReading, NodesReading, SdiagReading } from '../readings.ts';
import { sourceOf } from './clusters.ts';

/** From here on a difference is one of clocks and no slow answer; munge refuses credentials that are 300 s off (munge(7), TTL). */
const oddMs = 60_000;

/** By how much slurmctld's clock is ahead of this console's, and who says so. */
export interface ClockDifference {
  aheadMs: number;
  source: Source<SdiagReading>;
}

/** Undefined while it can't be told, or is within a minute and the time that the answer took. */
export const clockDifference = (readings: Readings): ClockDifference | undefined => {
  const source = sourceOf<SdiagReading>(readings, 'slurm.sdiag');
  const { good } = source ?? {};
  if (!source || good?.value.clockAt === undefined) return undefined;
  const aheadMs = good.value.clockAt - (good.at - good.durationMs / 2);
  return Math.abs(aheadMs) > oddMs + good.durationMs ? { aheadMs, source } : undefined;
};

/** What to take off a time of slurmctld to have it by this console's clock, in whole minutes: the same from answer to answer. */
export const clockShift = (readings: Readings): number => {
  const aheadMs = clockDifference(readings)?.aheadMs ?? 0;
  return Math.round(aheadMs / 60_000) * 60_000;
};

const shiftBack = (at: number | undefined, shift: number): number | undefined =>
  at === undefined ? undefined : at - shift;

/** Made once for each reading and shift: whatever rests on a reading goes by which object it is. */
const shiftReading = <T>(move: (value: T, shift: number) => T) => {
  const made = new WeakMap<Reading<T>, { shift: number; reading: Reading<T> }>();
  return (reading: Reading<T>, shift: number): Reading<T> => {
    if (shift === 0) return reading;
    const known = made.get(reading);
    if (known?.shift === shift) return known.reading;
    const moved = { ...reading, value: move(reading.value, shift) };
    made.set(reading, { shift, reading: moved });
    return moved;
  };
};

/** The nodes with their times by this console's clock. */
export const nodesByOurClock = shiftReading<NodesReading>(({ form, nodes }, shift) => ({
  form,
  nodes: nodes.map((node) => ({
    ...node,
    reasonAt: shiftBack(node.reasonAt, shift),
    bootAt: shiftBack(node.bootAt, shift),
  })),
}));

/** The jobs with their times by this console's clock. */
export const jobsByOurClock = shiftReading<JobsReading>(({ jobs }, shift) => ({
  jobs: jobs.map((job) => ({ ...job, endTime: shiftBack(job.endTime, shift) })),
}));
