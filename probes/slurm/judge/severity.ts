import type { Severity } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { settingsOf } from '../settings.ts';
import { clusterOf } from './cluster.ts';
import type { Group } from './groups.ts';

/** From this share of a partition on nobody can wait for the morning. */
const halfOf = 0.5;

const passing = new Set(['reboot', 'unknown', 'odd']);
/** Slurm's daemons write as this user by default; what it sets down for a reason that is not known here is no person's plan. */
const daemon = 'slurm';

/**
 * Persons know what they did and plans pass: a notice. The rest may be a fault that grows: a warning, critical past the limit or when
 * the group alone is half of a partition.
 */
export const groupSeverity = (
  { trouble, owner, nodes, plan }: Group,
  { readings, site }: Judgement,
): Severity => {
  if (passing.has(trouble) || plan || owner.kind === 'faultline') return 'notice';
  const isFault = trouble === 'down' || trouble === 'error';
  if (owner.kind === 'person') return isFault && owner.name === daemon ? 'warning' : 'notice';
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
