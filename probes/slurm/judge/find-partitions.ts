import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { percent } from '../../../src/text/units.ts';
import { clusterOf, sourceOf } from './cluster.ts';
import { plannedUntil } from './planned.ts';
import type { PartitionsReading } from '../readings.ts';
import { finding, membersOf, nodesEvidence, setOf, summary } from './sentence.ts';
import { settingsOf } from '../settings.ts';

/** How much of a partition is out of service, whoever took it out. */
export interface PartitionShare {
  name: string;
  total: number;
  out: readonly string[];
}

export const partitionShare = (name: string, { readings }: Judgement): PartitionShare => {
  const index = clusterOf(readings)?.index;
  const nodes = index?.byPartition.get(name) ?? [];
  return {
    name,
    total: nodes.length,
    out: nodes.filter((node) => index?.troubledNames.has(node.name)).map((node) => node.name),
  };
};

/** Partitions below their limit, and partitions that start no jobs at all. */
export const partitionFindings = (judgement: Judgement): FindingDraft[] => {
  const index = clusterOf(judgement.readings)?.index;
  const low = [...(index?.byPartition.keys() ?? [])].flatMap((name) => lowFinding(name, judgement));
  return [...low, ...closedFindings(judgement)];
};

const lowFinding = (name: string, judgement: Judgement): FindingDraft[] => {
  const { total, out } = partitionShare(name, judgement);
  const limit = settingsOf(judgement.site).partitionOut;
  const share = total === 0 ? 0 : out.length / total;
  // One node of a small partition is no more than one node.
  if (share <= limit || out.length < 2) return [];
  const index = clusterOf(judgement.readings)?.index;
  const nodes = out.flatMap((one) => index?.byName.get(one) ?? []);
  const plans = plannedUntil(judgement);
  const ends = out.map((one) => plans.get(one) ?? -Infinity);
  const until = Math.min(...ends);
  return [
    finding({
      kind: 'partition-below-limit',
      key: name,
      severity: share >= 0.5 ? 'critical' : 'warning',
      subject: { kind: 'partition', id: name },
      members: membersOf(nodes, judgement),
      summary: summary(
        `partition ${name}`,
        `: ${out.length} of ${total} nodes out of service (${percent(share)}, limit ${percent(limit)})`,
      ),
      evidence: [nodesEvidence(`out of service: ${setOf(nodes)}`, judgement)],
      hurt: { nodes: out.length },
      ...(Number.isFinite(until) && { plannedUntil: until }),
    }),
  ];
};

const closedFindings = ({ readings }: Judgement): FindingDraft[] => {
  const source = sourceOf<PartitionsReading>(readings, 'slurm.partitions');
  return (source?.good?.value.partitions ?? [])
    .filter(({ state }) => state !== undefined && state !== 'UP')
    .map(({ partitionName, state = '' }): FindingDraft =>
      finding({
        kind: 'partition-closed',
        key: partitionName,
        severity: state === 'INACTIVE' || state === 'DRAIN' ? 'notice' : 'warning',
        subject: { kind: 'partition', id: partitionName },
        summary: summary(`partition ${partitionName}`, ` is ${state}: no job starts there`),
        evidence: [
          {
            text: `State=${state}`,
            probe: 'slurm.partitions',
            ...(source?.good && { host: source.host, at: source.good.at }),
          },
        ],
      }),
    );
};
