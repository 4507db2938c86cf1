import type { Fact } from '../../../src/model/fact.ts';
import type { SiteView } from '../../../src/model/site.ts';
import { memoPerJudgement } from '../../../src/kit/memo.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { clusterOf, jobsOn, nodeSubject } from './cluster.ts';
import { clusterName, eachCluster } from './clusters.ts';
import type { SlurmNode } from '../readings.ts';
import { hasFlag, isBusy, whyOff } from './trouble.ts';

type Jobs = ReturnType<typeof jobsOn>;

const nodesIn = ({ readings }: Judgement): readonly SlurmNode[] | undefined =>
  clusterOf(readings)?.index.nodes;

/**
 * What Slurm knows that others need: which nodes have jobs, are drained, are being rebooted, and what partitions they are in. Of two nodes
 * with one name it is both.
 */
export const facts = memoPerJudgement(
  (judgement): readonly Fact[] => [
    ...eachCluster(judgement).flatMap(({ judgement: own }) =>
      factsOf(judgement.site, jobsOn(own.readings), nodesIn(own) ?? [], isCurrent(own)),
    ),
    ...groupFacts(judgement),
  ],
  (judgement) => [
    partitionGroups(judgement),
    ...eachCluster(judgement).flatMap(({ judgement: own }) => [
      jobsOn(own.readings),
      nodesIn(own),
      isCurrent(own),
    ]),
  ],
);

/** What Slurm said long ago excuses no host that does not answer now. */
const isCurrent = ({ readings }: Judgement): boolean => clusterOf(readings)?.source.old !== true;

const factsOf = (
  site: SiteView,
  jobsByNode: Jobs,
  nodes: readonly SlurmNode[],
  current: boolean,
): readonly Fact[] => {
  const list: Fact[] = [];
  for (const [name, jobs] of jobsByNode) {
    const users = new Set(jobs.map((job) => job.userName));
    const value = { jobs: jobs.map((job) => job.jobId), users: [...users].sort() };
    list.push({ name: 'node.busy', subject: nodeSubject(site, name), value });
  }
  for (const node of nodes) {
    const isListed = !isBusy(node) || jobsByNode.has(node.name);
    if (node.flags.length === 0 && isListed) continue;
    const subject = nodeSubject(site, node.name);
    // A job that is not listed (no right to see it, a line that was not understood) holds its node all the same.
    if (!isListed) list.push({ name: 'node.busy', subject, value: { jobs: [], users: [] } });
    if (hasFlag(node, 'DRAIN')) {
      const value = {
        reason: node.reason ?? '',
        ...(node.reasonAt !== undefined && { since: node.reasonAt }),
      };
      list.push({ name: 'node.drained', subject, value });
    }
    if (hasFlag(node, 'REBOOT_ISSUED') || hasFlag(node, 'REBOOT_REQUESTED')) {
      list.push({ name: 'node.rebooting', subject, value: true });
    }
    const why = current ? whyOff(node) : undefined;
    if (why) list.push({ name: 'node.off', subject, value: { why } });
  }
  return list;
};

/** The partitions with their nodes, for `@slurm:batch`; one whose name two clusters have is `gpu/batch`. By the last good reading. */
export const partitionGroups = memoPerJudgement(
  (judgement): ReadonlyMap<string, readonly string[]> => partitionsOf(judgement),
  (judgement) =>
    eachCluster(judgement).flatMap(({ cluster, judgement: own }) => [
      clusterName(cluster),
      own.site,
      clusterOf(own.readings)?.index,
    ]),
);

const groupFacts = (judgement: Judgement): readonly Fact[] =>
  [...partitionGroups(judgement)].map(([id, members]) => ({
    name: 'group',
    subject: { kind: 'partition', id },
    value: { name: `slurm:${id}`, members },
  }));

const partitionsOf = (judgement: Judgement): ReadonlyMap<string, readonly string[]> => {
  const all = eachCluster(judgement).flatMap(({ cluster, judgement: own }) =>
    [...(clusterOf(own.readings)?.index.byPartition ?? [])].map(([name, nodes]) => ({
      name,
      cluster: clusterName(cluster),
      nodes: nodes.map((node) => nodeSubject(own.site, node.name).id),
    })),
  );
  const times = Map.groupBy(all, ({ name }) => name);
  return new Map(
    all.map(({ name, cluster, nodes }) => [
      times.get(name)?.length === 1 ? name : `${cluster}/${name}`,
      nodes,
    ]),
  );
};
