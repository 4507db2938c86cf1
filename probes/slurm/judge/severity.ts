import type { Severity } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { settingsOf } from '../settings.ts';
import { clusterOf } from './cluster.ts';
import { daemonOf, isCheckUnknown, sourceOf } from './clusters.ts';
import type { Group } from './groups.ts';
import type { PartitionsReading, SlurmNode } from '../readings.ts';
import { isReportedFailed } from './trouble.ts';

/** From this share of a partition on nobody can wait for the morning. */
const halfOf = 0.5;

const passing = new Set(['reboot', 'unknown', 'odd']);
/** So many texts that differ in their figures alone nobody types. */
const filledIn = 3;

/**
 * Whether nobody's name stands beside these nodes: the daemon's, or root's with the word that something failed. A person who drains as
 * root writes that, too, but one text for all, and not a figure for each.
 */
const isByProgram = ({ trouble, owner, rawReason, nodes }: Purpose, judgement: Judgement): boolean => {
  if (owner.kind !== 'person') return false;
  if (owner.name !== 'root') return owner.name === daemonOf(judgement);
  const isDown = trouble === 'down' || trouble === 'error';
  return (
    isReportedFailed(rawReason) && (isDown || new Set(nodes.map(({ reason }) => reason)).size >= filledIn)
  );
};

type Purpose = Pick<Group, 'trouble' | 'owner' | 'rawReason' | 'nodes'>;

/** Whether a person, and nothing that failed, took these nodes out. */
export const isOnPurpose = (group: Purpose, judgement: Judgement): boolean =>
  group.owner.kind === 'faultline' ||
  (group.owner.kind === 'person' && !isByProgram(group, judgement) && !isCheckUnknown(judgement));

/** Whether somebody has closed a partition: it loses nothing when its nodes are set aside. Where that was not read it is open. */
export const isClosed = (name: string, { readings }: Judgement): boolean => {
  const { partitions = [] } = sourceOf<PartitionsReading>(readings, 'slurm.partitions')?.good?.value ?? {};
  const state = partitions.find(({ partitionName }) => partitionName === name)?.state;
  return state !== undefined && state !== 'UP';
};

/** How much of which open partition these nodes are, where that alone is past the limit: the largest share. */
export const partitionTaken = (
  nodes: readonly SlurmNode[],
  judgement: Judgement,
): { name: string; out: number; total: number } | undefined => {
  const index = clusterOf(judgement.readings)?.index;
  const limit = settingsOf(judgement.site).partitionOut;
  const counts = new Map<string, number>();
  for (const { partitions } of nodes)
    for (const name of partitions) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .map(([name, out]) => ({ name, out, total: index ? sizeOf(name, index) : 0 }))
    .filter(({ name, out, total }) => out >= 2 && out > total * limit && !isClosed(name, judgement))
    .toSorted((a, b) => b.out / b.total - a.out / a.total)[0];
};

/**
 * Persons know what they did and plans pass: a notice, and a warning where jobs of a partition wait for it. The rest may be a fault that
 * grows: a warning, critical past the limit or when the group alone is half of a partition.
 */
export const groupSeverity = (group: Group, judgement: Judgement): Severity => {
  const { trouble, owner, nodes, plan } = group;
  const { readings, site } = judgement;
  if (passing.has(trouble) || plan) return 'notice';
  if (isOnPurpose(group, judgement)) return partitionTaken(nodes, judgement) ? 'warning' : 'notice';
  if (owner.kind === 'person') return 'warning';
  const index = clusterOf(readings)?.index;
  if (!index) return 'warning';
  const share = nodes.length / Math.max(1, index.total);
  // A debug partition of two nodes is no reason to wake anybody for its group; that it is gone is the partition's own finding.
  if (nodes.length <= 3) return 'warning';
  if (share >= settingsOf(site).partitionOut) return 'critical';
  const inPartition = new Map<string, number>();
  for (const { partitions } of nodes)
    for (const name of partitions) inPartition.set(name, (inPartition.get(name) ?? 0) + 1);
  return [...inPartition].some(([name, count]) => shareSeverity(count, sizeOf(name, index)) === 'critical')
    ? 'critical'
    : 'warning';
};

const sizeOf = (name: string, { byPartition }: { byPartition: ReadonlyMap<string, readonly unknown[]> }) =>
  byPartition.get(name)?.length ?? 0;

/** How bad it is that so many nodes of a partition are out; one node of a small partition is no more than one node. */
export const shareSeverity = (out: number, total: number): Severity =>
  out >= 2 && out >= total * halfOf ? 'critical' : 'warning';
