import { evidenceFrom } from '../../../src/kit/findings.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { groupThousands, percent } from '../../../src/text/units.ts';
import type { ConfigReading, SdiagReading } from '../readings.ts';
import { sourceOf } from './clusters.ts';
import { finding } from './sentence.ts';

/** From this share of MaxJobCount on it is told. */
const nearly = 0.9;
/** Jobs that ended count as well until they are purged (MinJobAge, 300 s): submissions fail before these two reach the limit. */
const reached = 0.98;
/** Tasks of an array are counted at two moments. */
const overLimit = 1.02;

/**
 * slurm.conf(5), MaxJobCount: once so many jobs are in memory, all users' submissions fail. Each task of an array counts, as in what
 * sdiag says of pending jobs.
 */
export const jobLimitFindings = ({ readings }: Judgement): FindingDraft[] => {
  const source = sourceOf<SdiagReading>(readings, 'slurm.sdiag');
  const limit = sourceOf<ConfigReading>(readings, 'slurm.config')?.good?.value.maxJobCount ?? 0;
  const { jobsPending, jobsRunning } = source?.good?.value ?? {};
  if (source?.state !== 'fresh' || limit <= 0 || jobsPending === undefined || jobsRunning === undefined)
    return [];
  const jobs = jobsPending + jobsRunning;
  const share = jobs / limit;
  // More than it allows: another one is in force, for a change takes a restart.
  if (share < nearly || share > overLimit) return [];
  const isReached = share >= reached;
  const { host } = source;
  return [
    finding({
      kind: 'job-limit',
      key: host,
      severity: isReached ? 'warning' : 'notice',
      subject: { kind: 'host', id: host },
      summary: `slurmctld on ${host}: ${groupThousands(jobs)} jobs, MaxJobCount is ${groupThousands(limit)}: ${isReached ? 'sbatch is refused' : 'beyond it sbatch is refused'}`,
      advice:
        'See whose jobs they are (squeue -h -r -o %u | sort | uniq -c | sort -n | tail): large arrays of one user are the usual cause, MaxSubmitJobs of accounts limits them. A larger MaxJobCount takes a restart of slurmctld.',
      evidence: [
        evidenceFrom(
          source,
          `${groupThousands(jobsPending)} jobs pending and ${groupThousands(jobsRunning)} running, ${percent(share)} of MaxJobCount; jobs that ended lately count, too`,
        ),
      ],
    }),
  ];
};
