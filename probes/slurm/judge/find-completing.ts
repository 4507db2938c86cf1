import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { evidenceFrom } from '../../../src/kit/findings.ts';
import { age } from '../../../src/text/ages.ts';
import { count } from '../../../src/text/units.ts';
import type { JobsReading, SlurmJob, SlurmNode } from '../readings.ts';
import { clusterOf, jobsOn } from './cluster.ts';
import { plansOf } from './planned.ts';
import { finding, membersOf, setOf, subjectOf, summary } from './sentence.ts';
import { sourceOf } from './clusters.ts';

/**
 * Epilogs may run for minutes, processes that can't be killed drain their node after UnkillableStepTimeout (60 s by default): what
 * still completes after this does not end by itself.
 */
const stuckMs = 30 * 60_000;

/** Jobs that ended long ago and still hold their nodes: nothing starts there. One finding, the oldest job first. */
export const completingFindings = (judgement: Judgement): FindingDraft[] => {
  const { now, readings } = judgement;
  const stuck = stuckJobs(judgement);
  const [oldest] = stuck;
  if (!oldest) return [];
  const nodes = [...new Set(stuck.flatMap((one) => one.nodes))];
  const source = sourceOf<JobsReading>(readings, 'slurm.jobs');
  const { job, endedAt } = oldest;
  const more = stuck.length > 1 ? `, ${count(stuck.length - 1, 'job')} more` : '';
  return [
    finding({
      kind: 'stuck-completing',
      key: 'jobs',
      severity: 'warning',
      subject: subjectOf(nodes, judgement),
      members: membersOf(nodes, judgement),
      summary: summary(
        setOf(nodes),
        ` completing for ${age(now - endedAt)}: job ${job.jobId} of ${job.userName} does not end${more}`,
      ),
      advice:
        'Look on the node for the epilog and for processes of the job in state D (a hung file system); then restart slurmd, or set the node down and resume it.',
      evidence: stuck
        .slice(0, 12)
        .map((one) =>
          evidenceFrom(
            source,
            `job ${one.job.jobId} of ${one.job.userName} ended ${age(now - one.endedAt)} ago, completes on ${setOf(one.nodes)}`,
          ),
        ),
      // The jobs have ended: what is lost is their nodes, not a user's work.
      hurt: { nodes: nodes.length, jobs: 0 },
      since: endedAt,
    }),
  ];
};

interface Stuck {
  job: SlurmJob;
  endedAt: number;
  nodes: readonly SlurmNode[];
}

/** Oldest first. Nodes that do not answer or are out as planned can't complete anything: that is told of elsewhere. */
const stuckJobs = (judgement: Judgement): Stuck[] => {
  const { now, readings } = judgement;
  const index = clusterOf(readings)?.index;
  const plans = plansOf(judgement);
  const nodesOf = new Map<SlurmJob, SlurmNode[]>();
  for (const [name, jobs] of jobsOn(readings)) {
    const node = index?.byName.get(name);
    if (!node || plans.has(name) || isUnreached(node)) continue;
    for (const job of jobs)
      if (/^COMPLETING|^CG$/.test(job.jobState)) nodesOf.set(job, [...(nodesOf.get(job) ?? []), node]);
  }
  return [...nodesOf]
    .flatMap(([job, nodes]): Stuck[] =>
      // Of a job that ended, squeue's end is when it did (squeue(1), %e).
      job.endTime !== undefined && now - job.endTime >= stuckMs ? [{ job, endedAt: job.endTime, nodes }] : [],
    )
    .sort((a, b) => a.endedAt - b.endedAt);
};

const isUnreached = ({ state, flags }: SlurmNode): boolean =>
  state === 'DOWN' || flags.includes('NOT_RESPONDING');
