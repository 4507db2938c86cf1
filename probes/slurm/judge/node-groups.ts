import type { Judgement } from '../../../src/model/system.ts';
import { clusterOf, nodeSubject } from './cluster.ts';
import { clusterName, eachCluster } from './clusters.ts';

/** The partitions with their nodes, for `@slurm:batch`; one whose name two clusters have is `gpu/batch`. */
export const partitionGroups = (judgement: Judgement): ReadonlyMap<string, readonly string[]> => {
  const all = eachCluster(judgement).flatMap(({ cluster, judgement: own }) =>
    [...(clusterOf(own.readings)?.index.byPartition ?? [])].map(([name, nodes]) => ({
      name,
      cluster: clusterName(cluster),
      nodes: nodes.map((node) => nodeSubject(judgement.site, node.name).id),
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
