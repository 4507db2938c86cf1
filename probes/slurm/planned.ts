import type { Reading } from '../../src/model/reading.ts';
import type { Judgement } from '../../src/model/system.ts';
import { namesIn, sourceOf } from './cluster.ts';
import type { ReservationsReading } from './readings.ts';

const none: ReadonlyMap<string, number> = new Map();
const cache = new WeakMap<
  Reading<ReservationsReading>,
  { until: ReadonlyMap<string, number>; validTo: number }
>();

/** Node to the end of the maintenance reservation it is in now, UTC ms. The same map as long as nothing begins or ends. */
export const plannedUntil = ({ readings, now }: Judgement): ReadonlyMap<string, number> => {
  const reading = sourceOf<ReservationsReading>(readings, 'slurm.reservations')?.good;
  if (!reading) return none;
  const known = cache.get(reading);
  if (known && now < known.validTo) return known.until;
  const until = new Map<string, number>();
  let validTo = Infinity;
  for (const { flags, startTime = -Infinity, endTime, nodes } of reading.value.reservations) {
    if (!flags.includes('MAINT') || endTime === undefined || endTime <= now) continue;
    validTo = Math.min(validTo, startTime > now ? startTime : endTime);
    if (startTime > now) continue;
    for (const name of namesIn(nodes)) until.set(name, Math.max(until.get(name) ?? 0, endTime));
  }
  cache.set(reading, { until, validTo });
  return until;
};
