import type { EvidenceDraft, Hurt } from '../../../src/model/finding.ts';
import { evidenceFrom, findingsOf } from '../../../src/kit/findings.ts';
import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { fold } from '../../../src/text/nodeset.ts';
import { cut, width } from '../../../src/text/width.ts';
import { clusterOf, jobsOn, nodeSubject } from './cluster.ts';
import type { SlurmNode } from '../readings.ts';

/** A finding of Slurm. */
export const finding = findingsOf('slurm');

/** Columns of a summary. */
const limit = 100;

/** A summary of at most 100 columns: the node set is cut first, then the whole. */
export const summary = (set: string, rest: string): string =>
  cut(`${cut(set, Math.max(16, limit - width(rest)))}${rest}`, limit);

/** `"HDFS mount lost"`, cut so that it leaves room for the rest. */
export const quoteReason = (reason: string, columns = 40): string =>
  reason === '' ? 'no reason given' : `"${cut(reason, columns)}"`;

export const setOf = (nodes: readonly SlurmNode[]): string => fold(nodes.map((node) => node.name));

/** The subject of a group: the node itself, or the folded set. */
export const subjectOf = (nodes: readonly SlurmNode[], { site }: Judgement): Subject => {
  const [only] = nodes;
  if (only && nodes.length === 1) return nodeSubject(site, only.name);
  return { kind: 'node', id: fold(nodes.map((node) => nodeSubject(site, node.name).id)) };
};

export const membersOf = (nodes: readonly SlurmNode[], { site }: Judgement): Subject[] =>
  nodes.map((node) => nodeSubject(site, node.name));

/** Who is hurt when these nodes are gone: their jobs and users. */
export const findHurt = (nodes: readonly SlurmNode[], { readings }: Judgement): Hurt => {
  const jobs = new Set<string>();
  const users = new Set<string>();
  const byNode = jobsOn(readings);
  for (const node of nodes) {
    for (const job of byNode.get(node.name) ?? []) {
      jobs.add(job.jobId);
      users.add(job.userName);
    }
  }
  return { nodes: nodes.length, ...(jobs.size > 0 && { jobs: jobs.size, users: [...users].sort() }) };
};

/** A line of proof from the reading of the nodes. */
export const nodesEvidence = (text: string, { readings }: Judgement): EvidenceDraft =>
  evidenceFrom(clusterOf(readings)?.source, text);
