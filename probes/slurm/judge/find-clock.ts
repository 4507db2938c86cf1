import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { evidenceFrom } from '../../../src/kit/findings.ts';
import { age } from '../../../src/text/ages.ts';
import { clockDifference, clockShift } from './clock.ts';
import { finding } from './sentence.ts';

/** The clocks of slurmctld and of this console differ: which of the two is wrong is not seen from here. */
export const clockFindings = ({ readings }: Judgement): FindingDraft[] => {
  const found = clockDifference(readings);
  if (!found) return [];
  const { aheadMs, source } = found;
  const { host } = source;
  const by = `${age(Math.abs(clockShift(readings)))} ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
  return [
    finding({
      kind: 'clock-differs',
      key: host,
      severity: 'warning',
      subject: { kind: 'host', id: host },
      summary: `slurmctld on ${host}: clock ${by} this console's`,
      advice:
        'Ask both for their time source (chronyc tracking): nodes 5 min off are refused by munge; times of Slurm are shown by the clock of this console.',
      evidence: [
        evidenceFrom(
          source,
          `sdiag says ${new Date(source.good?.value.clockAt ?? 0).toISOString().slice(0, 19)}Z, answered at ${new Date(source.good?.at ?? 0).toISOString().slice(0, 19)}Z here`,
        ),
      ],
    }),
  ];
};
