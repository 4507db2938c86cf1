import type { Fact } from '../../src/model/fact.ts';
import type { Judgement } from '../../src/model/system.ts';
import { clusterOf, jobsOn, nodeSubject } from './cluster.ts';
import { has } from './trouble.ts';

/** What Slurm knows that others need: which nodes have jobs, are drained, are being rebooted. */
export const facts = ({ readings, site }: Judgement): readonly Fact[] => {
  const cluster = clusterOf(readings);
  const list: Fact[] = [];
  for (const [name, jobs] of jobsOn(readings)) {
    const users = new Set(jobs.map((job) => job.userName));
    const value = { jobs: jobs.map((job) => job.jobId), users: [...users].sort() };
    list.push({ name: 'node.busy', subject: nodeSubject(site, name), value });
  }
  for (const node of cluster?.index.nodes ?? []) {
    if (node.flags.length === 0) continue;
    const subject = nodeSubject(site, node.name);
    if (has(node, 'DRAIN')) {
      const value = {
        reason: node.reason ?? '',
        ...(node.reasonAt !== undefined && { since: node.reasonAt }),
      };
      list.push({ name: 'node.drained', subject, value });
    }
    if (has(node, 'REBOOT_ISSUED') || has(node, 'REBOOT_REQUESTED')) {
      list.push({ name: 'node.rebooting', subject, value: true });
    }
  }
  return list;
};
