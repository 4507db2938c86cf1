import { perJudgement } from '../../../src/kit/memo.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { ReservationsReading, SlurmReservation } from '../readings.ts';
import { namesIn, sourceOf } from './cluster.ts';

/** The maintenance reservations that are in force now. */
const inForce = ({ readings, now }: Judgement): readonly SlurmReservation[] =>
  (sourceOf<ReservationsReading>(readings, 'slurm.reservations')?.good?.value.reservations ?? []).filter(
    ({ flags, startTime = -Infinity, endTime }) =>
      flags.includes('MAINT') && endTime !== undefined && startTime <= now && now < endTime,
  );

/** Node to the end of the maintenance reservation it is in now, UTC ms. The same map as long as nothing begins or ends. */
export const plannedUntil = perJudgement((judgement): ReadonlyMap<string, number> => {
  const until = new Map<string, number>();
  for (const { nodes, endTime = 0 } of inForce(judgement))
    for (const name of namesIn(nodes)) until.set(name, Math.max(until.get(name) ?? 0, endTime));
  return until;
}, inForce);
