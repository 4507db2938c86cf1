import { memoPerJudgement } from '../../../src/kit/memo.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type {
  ConfigReading,
  ReservationsReading,
  SdiagReading,
  SlurmNode,
  SlurmReservation,
} from '../readings.ts';
import { clockShift } from './clock.ts';
import { clusterOf, namesIn } from './cluster.ts';
import { daemonOf, sourceOf } from './clusters.ts';
import { hasFlag, isReportedFailed, whyOff } from './trouble.ts';

/**
 * Why a node that is out of service is as it should be: it is in a maintenance reservation, a reboot was ordered, slurmctld has just
 * started and has not heard of it yet, or a cloud's scaler set it down and had it powered off.
 */
export interface Plan {
  why: 'maintenance' | 'reboot' | 'starting' | 'scaled in';
  /** UTC ms at which the reservation ends, by this console's clock; not known where the account may not see reservations. */
  until?: number;
}

/**
 * All nodes whose state is planned or passes by itself. Every rule asks here: none of these is lost, too many in a partition or
 * worth waking anybody. The same map as long as nothing begins or ends.
 */
export const plansOf = memoPerJudgement(
  (judgement): ReadonlyMap<string, Plan> => {
    const nodes = clusterOf(judgement.readings)?.index.nodes ?? [];
    const until = reservedUntil(judgement);
    const starting = hasJustStarted(judgement);
    const daemon = daemonOf(judgement);
    const plans = new Map<string, Plan>();
    for (const node of nodes) {
      const plan = planOf(node, until.get(node.name), starting, daemon);
      if (plan) plans.set(node.name, plan);
    }
    return plans;
  },
  (judgement) => [
    clusterOf(judgement.readings)?.source.good,
    hasJustStarted(judgement),
    daemonOf(judgement),
    ...inForce(judgement),
  ],
);

const planOf = (
  node: SlurmNode,
  until: number | undefined,
  starting: boolean,
  daemon: string,
): Plan | undefined => {
  if (until !== undefined) return { why: 'maintenance', until };
  // The flags that slurmctld sets itself; power saving is no trouble to begin with.
  const off = whyOff(node);
  if (off === 'maintenance' || off === 'reboot') return { why: off };
  if (off === 'power saving' && isScaledIn(node, daemon)) return { why: 'scaled in' };
  const isSilent = node.state === 'DOWN' || hasFlag(node, 'NOT_RESPONDING');
  // It waits for the node's jobs: until then the node has to answer.
  if (hasFlag(node, 'REBOOT_REQUESTED') && !isSilent) return { why: 'reboot' };
  if (node.state === 'UNKNOWN') return { why: 'starting' };
  return starting && node.state !== 'DOWN' && hasFlag(node, 'NOT_RESPONDING')
    ? { why: 'starting' }
    : undefined;
};

/** What is written of a node that did not come, or was lost, before it was powered off. */
const wentWrong =
  /not responding|unexpected|exceeded|capacity|unavailable|health|refused|denied|panic|crash|broken|\bbad\b|faulty?\b|hung|\bhangs?\b|\bdead\b|\boom\b|out of memory|\b(?:ecc|xid|mce)\b|hardware/i;

/** Who may be a scaler: programs write as root or as the user of Slurm's daemons, and no person's words are theirs. */
const isByDaemon = ({ reasonUser = '' }: SlurmNode, daemon: string): boolean =>
  ['', 'root', daemon].includes(reasonUser);

/**
 * Clouds' scalers set nodes that they give back to DOWN, and let Slurm power them off (azure/cyclecloud-slurm, aws-parallelcluster's
 * clustermgtd): they cost nothing, and are no loss. One that did not come within ResumeTimeout is DOWN and POWERED_DOWN, too, with
 * NOT_RESPONDING or its reason; and one that was drained before somebody wanted out.
 */
const isScaledIn = (node: SlurmNode, daemon: string): boolean =>
  node.state === 'DOWN' &&
  hasFlag(node, 'CLOUD') &&
  !['NOT_RESPONDING', 'DRAIN', 'FAIL'].some((flag) => hasFlag(node, flag)) &&
  isByDaemon(node, daemon) &&
  !isReportedFailed(node.reason) &&
  !wentWrong.test(node.reason ?? '');

/** The maintenance reservations that are in force now, by slurmctld's clock. */
const inForce = ({ readings, now }: Judgement): readonly SlurmReservation[] => {
  const theirs = now + clockShift(readings);
  const { reservations = [] }: Partial<ReservationsReading> =
    sourceOf<ReservationsReading>(readings, 'slurm.reservations')?.good?.value ?? {};
  return reservations.filter(
    ({ flags, startTime = -Infinity, endTime }) =>
      flags.includes('MAINT') && endTime !== undefined && startTime <= theirs && theirs < endTime,
  );
};

const reservedUntil = (judgement: Judgement): ReadonlyMap<string, number> => {
  const shift = clockShift(judgement.readings);
  const until = new Map<string, number>();
  for (const { nodes, endTime = 0 } of inForce(judgement))
    for (const name of namesIn(nodes)) until.set(name, Math.max(until.get(name) ?? 0, endTime - shift));
  return until;
};

/** For so long after its start slurmctld may not have heard of every node (4 s observed on 22.05; more nodes take longer). */
const startingMs = 60_000;
const dayMs = 24 * 3600 * 1000;

/** UTC ms at which slurmctld was started, by its own clock, as far as can be told. */
const startedAt = (judgement: Judgement): number | undefined => {
  const { readings } = judgement;
  const config = sourceOf<ConfigReading>(readings, 'slurm.config')?.good;
  const booted = config?.value.startedAt;
  // sdiag counts from the start, from midnight UTC or from `sdiag --reset` on (sdiag(1)); the configuration is read every 10 min only.
  const sdiag = sourceOf<SdiagReading>(readings, 'slurm.sdiag');
  const counts = sdiag?.good?.value.dataSince;
  if (!sdiag || counts === undefined || counts % dayMs <= 5_000) return booted;
  const isAsked = booted !== undefined && config && config.at + clockShift(readings) >= counts;
  return isAsked || isResetOften(sdiag.host, judgement) ? booted : Math.max(counts, booted ?? counts);
};

/** Since when sdiag counts. */
export const countsSeries = (host: string): string => `slurm/controller/${host}/counts-since`;

/** An exporter resets what sdiag counts at each of its rounds; slurmctld is not started three times in an hour. */
const isResetOften = (host: string, { history, now }: Judgement): boolean =>
  history.changes(countsSeries(host), now - 3600_000).length >= 3;

const hasJustStarted = (judgement: Judgement): boolean => {
  const { readings, now } = judgement;
  const at = startedAt(judgement);
  const since = at === undefined ? Infinity : now + clockShift(readings) - at;
  return since >= -startingMs && since < startingMs;
};
