import { evidenceFrom } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { clockTime } from '../../../src/text/ages.ts';
import { count } from '../../../src/text/units.ts';
import type { ReservationsReading, SdiagReading, SlurmNode, SlurmReservation } from '../readings.ts';
import { clockShift } from './clock.ts';
import { clusterOf, jobsOn, namesIn } from './cluster.ts';
import { sourceOf } from './clusters.ts';
import { finding, membersOf, setOf, summary } from './sentence.ts';

/** Who has just reserved them will use them soon. */
const settledMs = 3600_000;
/** From this share of a partition on it is why its jobs wait. */
const muchOf = 0.5;

/**
 * Reservations whose nodes stand idle while jobs wait for a partition that has no other idle node: forgotten, or held for somebody who did
 * not come. Maintenance is planned, and what FLEX leaves to others holds up nobody (scontrol(1), `Flags` of a reservation).
 */
export const reservedFindings = (judgement: Judgement): FindingDraft[] =>
  inForce(judgement).flatMap((reservation) => reservedFinding(reservation, judgement));

const inForce = ({ readings, now }: Judgement): readonly SlurmReservation[] => {
  const source = sourceOf<ReservationsReading>(readings, 'slurm.reservations');
  const theirs = now + clockShift(readings);
  return source?.state === 'fresh'
    ? (source.good?.value.reservations ?? []).filter(
        ({ flags, startTime, endTime }) =>
          startTime !== undefined &&
          endTime !== undefined &&
          startTime + settledMs <= theirs &&
          theirs < endTime &&
          !flags.some((flag) => flag === 'MAINT' || flag === 'FLEX'),
      )
    : [];
};

const reservedFinding = (reservation: SlurmReservation, judgement: Judgement): FindingDraft[] => {
  const { readings, now } = judgement;
  const index = clusterOf(readings)?.index;
  const jobs = jobsOn(readings);
  const reserved = new Set(namesIn(reservation.nodes));
  const isIdle = ({ name, state, flags }: SlurmNode): boolean =>
    state === 'IDLE' && !flags.includes('DRAIN') && !index?.troubledNames.has(name) && !jobs.has(name);
  const held = [...(index?.byPartition ?? [])].flatMap(([partition, nodes]) => {
    const idle = nodes.filter(isIdle);
    const isHeld = idle.length >= nodes.length * muchOf && idle.every(({ name }) => reserved.has(name));
    return isHeld ? [{ partition, idle, of: nodes.length }] : [];
  });
  const [worst] = held.toSorted((a, b) => b.idle.length - a.idle.length);
  const waiting = waitingJobs(judgement);
  if (!worst || waiting === 0) return [];
  const until = (reservation.endTime ?? now) - clockShift(readings);
  const name = reservation.reservationName;
  const forWhom = reservation.users === undefined ? '' : ` (for ${reservation.users})`;
  return [
    finding({
      kind: 'reserved-idle',
      key: name,
      severity: 'notice',
      subject: { kind: 'partition', id: worst.partition },
      members: membersOf(worst.idle, judgement),
      summary: summary(
        `reservation ${name}`,
        ` holds ${worst.idle.length} of ${worst.of} nodes of ${worst.partition} idle until ${clockTime(until, now)}: ${count(waiting, 'job')} in the queue`,
      ),
      advice: `Ask whom it is for${forWhom} whether it is still needed; else: scontrol delete reservation=${name}. Jobs of others start on these nodes only when it has ended.`,
      evidence: [
        evidenceFrom(
          sourceOf<ReservationsReading>(readings, 'slurm.reservations'),
          `${name}: ${setOf(worst.idle)} idle in it${forWhom}, flags ${reservation.flags.join(',') || 'none'}`,
        ),
        evidenceFrom(
          sourceOf<SdiagReading>(readings, 'slurm.sdiag'),
          `${count(waiting, 'job')} in the queue of the last cycle; no other node of ${worst.partition} is idle`,
        ),
      ],
      deliberate: true,
    }),
  ];
};

/** Jobs in the queue of the last cycle, of any partition: those that hold no node are not listed one by one. */
const waitingJobs = ({ readings }: Judgement): number => {
  const source = sourceOf<SdiagReading>(readings, 'slurm.sdiag');
  return source?.state === 'fresh' ? (source.good?.value.queueLength ?? 0) : 0;
};
