import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { evidenceFrom } from '../../../src/kit/findings.ts';
import { age } from '../../../src/text/ages.ts';
import { count, groupThousands } from '../../../src/text/units.ts';
import type { ConfigReading, PartitionsReading, ReservationsReading, SdiagReading } from '../readings.ts';
import { clusterOf, namesIn } from './cluster.ts';
import { sourceOf } from './clusters.ts';
import { controllerState } from './controller-state.ts';
import { plansOf } from './planned.ts';
import { finding } from './sentence.ts';

/** slurm.conf(5): bf_interval's default, s; bf_max_time's is bf_interval. */
const defaultIntervalS = 30;
/** What stands for less than this may wait for a change of a job or node; slurmctld notes one whenever it pings its nodes. */
const standsMs = 3600_000;
/** A main scheduler that was started begins a cycle at least once a minute (slurm.conf(5), sched_interval). */
const startsWithinMs = 30 * 60_000;
/** A slurmctld that has just started begins with its queue within this. */
const settlesMs = 10 * 60_000;
/** So few jobs that may start and don't can wait for one partition, licence or limit. */
const manyWait = 10;
/** A backfill that began a cycle within this looks at the jobs: what it does not start may wait for limits of its user or for licences. */
const looksWithinMs = 10 * 60_000;

interface Sign {
  text: string;
  forMs?: number;
  /** The scheduler is seen to work: limits and licences look the same. */
  works?: boolean;
}

/**
 * A scheduler that stands still while slurmctld answers. What waits is the main scheduler's own queue: jobs that are held, depend on
 * others or begin later are not in it (job_scheduler.c, build_job_queue).
 */
export const schedulerFindings = (judgement: Judgement): FindingDraft[] => {
  const source = sourceOf<SdiagReading>(judgement.readings, 'slurm.sdiag');
  if (source?.state !== 'fresh' || !source.good || controllerState(judgement).state !== 'up') return [];
  const { host, good } = source;
  const signs = signsIn(good.value, judgement);
  const [first] = signs;
  if (!first) return [];
  const idle = idleNodes(judgement).length;
  return [
    finding({
      kind: 'scheduler-stands',
      key: host,
      severity: signs.every(({ works }) => works) ? 'notice' : 'warning',
      subject: { kind: 'host', id: host },
      summary: `slurmctld on ${host}: ${first.text}`,
      advice: first.works
        ? 'See what the jobs wait for (squeue -t PD -o "%i %u %r"): backfill looks at them, so limits, licences and priorities come first.'
        : 'Read slurmctld.log for its scheduler (scontrol setdebugflags +backfill shows each cycle); slurmctld answers, but a thread of it may hang: restart it when nothing else helps, jobs run on.',
      evidence: [
        ...signs.map(({ text }) => evidenceFrom(source, text)),
        evidenceFrom(
          source,
          `${groupThousands(good.value.jobsPending ?? 0)} jobs pending, ${count(idle, 'node')} idle`,
        ),
      ],
      since: first.forMs === undefined ? undefined : judgement.now - first.forMs,
    }),
  ];
};

const signsIn = (value: SdiagReading, judgement: Judgement): Sign[] => {
  const { clockAt, dataSince, jobsPending = 0, queueLength, cycles } = value;
  if (clockAt === undefined || dataSince === undefined || jobsPending === 0) return [];
  const countedMs = clockAt - dataSince;
  if (cycles === 0 && countedMs >= startsWithinMs && !isMainOff(judgement))
    return [{ text: `the scheduler has not run for ${age(countedMs)}`, forMs: countedMs }];
  if (!queueLength) return [];
  const waiting = `${groupThousands(queueLength)} jobs wait`;
  const backfillMs = backfillStands(value, clockAt, judgement);
  return [
    ...(backfillMs === undefined
      ? []
      : [{ text: `backfill stands for ${age(backfillMs)}, ${waiting}`, forMs: backfillMs }]),
    ...(queueLength >= manyWait ? idleSigns(value, waiting, countedMs, judgement) : []),
  ];
};

/** Jobs that may start, nodes that could take them, and nothing that starts, or nothing that runs. */
const idleSigns = (
  { jobsStarted, jobsRunning, clockAt = Infinity, backfillAt = 0 }: SdiagReading,
  waiting: string,
  countedMs: number,
  judgement: Judgement,
): Sign[] => {
  const share = idleShare(judgement);
  if (jobsStarted === 0 && countedMs >= standsMs && share >= 0.25)
    return [
      {
        text: `no job has started for ${age(countedMs)} though ${waiting} and nodes are idle`,
        forMs: countedMs,
        works: (jobsRunning ?? 0) > 0 && clockAt - backfillAt < looksWithinMs,
      },
    ];
  return jobsRunning === 0 && share >= 0.5 && countedMs >= settlesMs
    ? [{ text: `no job runs though ${waiting} and nodes are idle` }]
    : [];
};

/** slurm.conf(5): -1 switches the loop of the main scheduler off (sched_interval), that of backfill likewise (bf_interval). */
const isMainOff = ({ readings }: Judgement): boolean =>
  (sourceOf<ConfigReading>(readings, 'slurm.config')?.good?.value.mainIntervalS ?? 0) < 0;

/** For how long the backfill scheduler has begun no cycle (or one that does not end), where that is longer than it may be. */
const backfillStands = (
  { backfillAt, backfillCycles = 0 }: SdiagReading,
  clockAt: number,
  { readings }: Judgement,
): number | undefined => {
  const config = sourceOf<ConfigReading>(readings, 'slurm.config')?.good?.value;
  if (!config || backfillAt === undefined) return undefined;
  // Without its name only that it has run proves that it is the scheduler of the site.
  const { schedulerType = backfillCycles > 0 ? 'sched/backfill' : '' } = config;
  const { backfillIntervalS = defaultIntervalS, backfillMaxTimeS = backfillIntervalS } = config;
  if (schedulerType !== 'sched/backfill' || backfillIntervalS < 0) return undefined;
  const allowedMs = Math.max(standsMs, 3 * (backfillIntervalS + backfillMaxTimeS) * 1000);
  const forMs = clockAt - backfillAt;
  return forMs > allowedMs ? forMs : undefined;
};

/** How many of its nodes are idle in the open partition with the fewest: whichever one the jobs wait for, that share could take them. */
const idleShare = (judgement: Judgement): number => {
  const { readings } = judgement;
  const partitions = sourceOf<PartitionsReading>(readings, 'slurm.partitions')?.good?.value.partitions ?? [];
  const { byPartition } = clusterOf(readings)?.index ?? {};
  const idle = new Set(idleNodes(judgement));
  const shares = partitions.flatMap(({ partitionName, state }) => {
    const nodes = byPartition?.get(partitionName) ?? [];
    return state === 'UP' && nodes.length > 0
      ? [nodes.filter(({ name }) => idle.has(name)).length / nodes.length]
      : [];
  });
  return shares.length === 0 ? 0 : Math.min(...shares);
};

/**
 * Nodes that could take a job now: idle, not planned for anything, in no reservation: before a maintenance a whole cluster runs empty
 * while jobs wait that would not end in time. None where reservations are not known.
 */
const idleNodes = (judgement: Judgement): readonly string[] => {
  const reserved = reservedNodes(judgement);
  const plans = plansOf(judgement);
  const { nodes = [], troubledNames } = clusterOf(judgement.readings)?.index ?? {};
  if (!reserved) return [];
  return nodes.flatMap(({ name, state, flags }) =>
    state === 'IDLE' &&
    !troubledNames?.has(name) &&
    !plans.has(name) &&
    !reserved.has(name) &&
    !flags.some((flag) => withheld.has(flag))
      ? [name]
      : [],
  );
};

/** Kept for somebody, or switched off: a job would have to wait. */
const withheld = new Set([
  'RESERVED',
  'PLANNED',
  'COMPLETING',
  'POWERED_DOWN',
  'POWERING_DOWN',
  'POWERING_UP',
]);

const reservedNodes = ({ readings }: Judgement): ReadonlySet<string> | undefined => {
  const source = sourceOf<ReservationsReading>(readings, 'slurm.reservations');
  const hidden: readonly string[] | undefined = sourceOf<ConfigReading>(readings, 'slurm.config')?.good?.value
    .privateData;
  if (source?.state !== 'fresh' || !source.good || hidden?.includes('reservations')) return undefined;
  return new Set(source.good.value.reservations.flatMap(({ nodes }) => namesIn(nodes)));
};
