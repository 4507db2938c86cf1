import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { age, clockTime } from '../../../src/text/ages.ts';
import { clusterOf, jobsOn } from './cluster.ts';
import { type Group, groupsOf, findStillBusy } from './groups.ts';
import type { SlurmJob } from '../readings.ts';
import { finding, findHurt, membersOf, setOf, subjectOf, summary } from './sentence.ts';

/** Nodes that are drained but still held by jobs: which, whose, and until when at the latest. */
export const drainingFindings = (judgement: Judgement): FindingDraft[] =>
  groupsOf(judgement)
    .filter((group) => group.trouble === 'drain' && findStillBusy(group).length > 0)
    .map((group) => drainingFinding(group, judgement));

const drainingFinding = (group: Group, judgement: Judgement): FindingDraft => {
  const nodes = findStillBusy(group);
  const byNode = jobsOn(judgement.readings);
  const jobs = new Map(nodes.flatMap((node) => (byNode.get(node.name) ?? []).map((job) => [job.jobId, job])));
  const source = clusterOf(judgement.readings)?.source;
  return finding({
    kind: 'draining',
    key: group.key,
    severity: 'notice',
    subject: subjectOf(nodes, judgement),
    members: membersOf(nodes, judgement),
    summary: summary(setOf(nodes), ` draining${holders([...jobs.values()], nodes.length, judgement.now)}`),
    evidence: [...jobs.values()].slice(0, 12).map((job) => ({
      text: jobLine(job, judgement.now),
      probe: 'slurm.jobs',
      ...(source && { host: source.host }),
    })),
    hurt: findHurt(nodes, judgement),
    since: group.since,
    plannedUntil: group.plannedUntil,
  });
};

const holders = (jobs: readonly SlurmJob[], nodes: number, now: number): string => {
  const [only] = jobs;
  if (!only) return ', its jobs are not known';
  const ends = jobs.map((job) => job.endTime ?? Infinity);
  const last = Math.max(...ends);
  const until = !Number.isFinite(last)
    ? 'without a time limit'
    : last <= now
      ? `since its end at ${clockTime(last, now)}`
      : `until ${clockTime(last, now)}`;
  if (jobs.length === 1)
    return `, job ${only.jobId} (${only.userName}) holds ${nodes === 1 ? 'it' : 'them'} ${until}`;
  return `: ${jobs.length} jobs hold ${nodes === 1 ? 'it' : 'them'}, the last ${until}`;
};

/** `job 4711 of bob, running, at most 2 h 10 m more`. */
export const jobLine = (job: SlurmJob, now: number): string => {
  const left =
    job.endTime === undefined
      ? 'no time limit'
      : job.endTime <= now
        ? `its end was ${age(now - job.endTime)} ago`
        : `at most ${age(job.endTime - now)} more`;
  return `job ${job.jobId} of ${job.userName}, ${job.jobState.toLowerCase()}, ${left}`;
};
