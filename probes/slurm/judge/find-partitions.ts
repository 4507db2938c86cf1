import type { FindingDraft } from '../../../src/model/finding.ts';
import { trendOf, type Course } from '../../../src/kit/trends.ts';
import type { Severity } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { memoPerJudgement } from '../../../src/kit/memo.ts';
import { count, percent } from '../../../src/text/units.ts';
import type { PartitionsReading, SlurmNode } from '../readings.ts';
import { settingsOf } from '../settings.ts';
import { clusterOf } from './cluster.ts';
import { groupsOf } from './groups.ts';
import { findLostTogether } from './lost.ts';
import { plansOf } from './planned.ts';
import { finding, membersOf, nodesEvidence, setOf, summary } from './sentence.ts';
import { groupSeverity, isClosed, isOnPurpose, shareSeverity } from './severity.ts';
import { sourceOf } from './clusters.ts';

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

/** Nodes of a partition that are out of service. */
export const outSeries = (partition: string): string => `slurm/partition/${partition}/out`;
/** What leaves a mark whenever the nodes were read. */
export const NODES_READ = 'slurm.nodes';

/** Nodes of a partition out of service; drawn against all of them. */
export const outCourse = (partition: string, total: number): Course => ({
  series: outSeries(partition),
  read: [NODES_READ],
  top: total,
});

/** Partitions below their limit, and partitions that are closed. */
export const partitionFindings = (judgement: Judgement): FindingDraft[] => {
  const index = clusterOf(judgement.readings)?.index;
  const low = [...(index?.byPartition.keys() ?? [])].flatMap((name) => lowFinding(name, judgement));
  return [...low, ...closedFindings(judgement)];
};

/** Just over the limit it is not shown as the limit itself. */
const shareText = (share: number, limit: number): string =>
  percent(share) === percent(limit) ? `${(share * 100).toFixed(1)} %` : percent(share);

/** What is in maintenance, reboots on order or has not been heard of yet is not missing. */
const lowFinding = (name: string, judgement: Judgement): FindingDraft[] => {
  const { total, out } = partitionShare(name, judgement);
  const limit = settingsOf(judgement.site).partitionOut;
  const plans = plansOf(judgement);
  const missing = out.filter((one) => !plans.has(one));
  const share = total === 0 ? 0 : missing.length / total;
  // One node of a small partition is no more than one node.
  if (share <= limit || missing.length < 2) return [];
  const index = clusterOf(judgement.readings)?.index;
  const nodes = missing.flatMap((one) => index?.byName.get(one) ?? []);
  const aside = setAside(judgement);
  const lost = missing.filter((one) => !aside.has(one)).length;
  // Who closed a partition and set its nodes aside meant it so.
  if (isClosed(name, judgement) && lost <= total * limit) return [];
  const severity = lost > total * limit ? shareSeverity(lost, total) : 'warning';
  const planned = out.length - missing.length;
  const trend = trendOf(judgement, outCourse(name, total));
  return [
    finding({
      kind: 'partition-below-limit',
      key: name,
      severity,
      subject: { kind: 'partition', id: name },
      members: membersOf(nodes, judgement),
      summary: summary(
        `partition ${name}`,
        `: ${missing.length} of ${total} nodes out of service (${shareText(share, limit)}, limit ${percent(limit)})`,
      ),
      advice: 'Start with the largest group of nodes below.',
      evidence: [
        {
          ...nodesEvidence(`out of service: ${setOf(nodes)}`, judgement),
          values: { toldByOthers: isTold(nodes, total * limit, severity, judgement) },
        },
        ...(planned > 0
          ? [nodesEvidence(`${count(planned, 'node')} more out as planned, not counted`, judgement)]
          : []),
      ],
      hurt: { nodes: missing.length },
      ...(lost <= total * limit && { deliberate: true as const }),
      ...(trend && { trend }),
    }),
  ];
};

/** Nodes that persons took out. */
const setAside = memoPerJudgement(
  (judgement): ReadonlySet<string> =>
    new Set(
      groupsOf(judgement).flatMap((group) =>
        isOnPurpose(group, judgement) ? group.nodes.map(({ name }) => name) : [],
      ),
    ),
);

const weight: Readonly<Record<Severity, number>> = { notice: 0, warning: 1, critical: 2 };

/**
 * Whether findings that are as bad tell of so many of these nodes that what is left would be no finding: only then may this one be
 * folded under them.
 */
const isTold = (
  nodes: readonly SlurmNode[],
  allowed: number,
  severity: Severity,
  judgement: Judgement,
): boolean => {
  const explainedNodes = new Set<string>();
  for (const loss of findLostTogether(judgement)) for (const { name } of loss.nodes) explainedNodes.add(name);
  for (const group of groupsOf(judgement))
    if (weight[groupSeverity(group, judgement)] >= weight[severity])
      for (const { name } of group.nodes) explainedNodes.add(name);
  return nodes.filter(({ name }) => !explainedNodes.has(name)).length <= allowed;
};

/** slurm.conf(5) and scontrol(1), `State` of a partition. */
const closed: Readonly<Record<string, { text: string; severity: Severity }>> = {
  DRAIN: { text: 'takes no new jobs, those queued already still start', severity: 'notice' },
  INACTIVE: { text: 'takes no new jobs and starts none of those queued', severity: 'notice' },
  DOWN: { text: 'takes jobs but starts none', severity: 'warning' },
};

const closedFindings = (judgement: Judgement): FindingDraft[] => {
  const source = sourceOf<PartitionsReading>(judgement.readings, 'slurm.partitions');
  return (source?.good?.value.partitions ?? [])
    .filter(({ state }) => state !== undefined && state !== 'UP')
    .map(({ partitionName, state = '' }): FindingDraft => {
      const { text, severity } = closed[state] ?? {
        text: 'a state unknown to this console',
        severity: 'warning',
      };
      return finding({
        kind: 'partition-closed',
        key: partitionName,
        // Who sets a partition down for a maintenance of all its nodes means it so.
        severity: isInMaintenance(partitionName, judgement) ? 'notice' : severity,
        subject: { kind: 'partition', id: partitionName },
        summary: summary(`partition ${partitionName}`, ` is ${state}: ${text}`),
        advice: 'A person set this state: ask, then scontrol update PartitionName=NAME State=UP.',
        evidence: [
          {
            text: `State=${state}`,
            probe: 'slurm.partitions',
            ...(source?.good && { host: source.host, at: source.good.at }),
          },
        ],
        plannedUntil: allPlannedUntil(partitionName, judgement),
      });
    });
};

/** UTC ms: all of the partition's nodes are in a maintenance reservation until then. */
const allPlannedUntil = (name: string, judgement: Judgement): number | undefined => {
  const nodes = clusterOf(judgement.readings)?.index.byPartition.get(name) ?? [];
  const plans = plansOf(judgement);
  const until = Math.min(...nodes.map((node) => plans.get(node.name)?.until ?? -Infinity));
  return Number.isFinite(until) ? until : undefined;
};

const isInMaintenance = (name: string, judgement: Judgement): boolean => {
  const nodes = clusterOf(judgement.readings)?.index.byPartition.get(name) ?? [];
  const plans = plansOf(judgement);
  return nodes.length > 0 && nodes.every((node) => plans.get(node.name)?.why === 'maintenance');
};
