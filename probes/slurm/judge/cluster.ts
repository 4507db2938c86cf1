import type { Reading, Readings, Source } from '../../../src/model/reading.ts';
import type { SiteView } from '../../../src/model/site.ts';
import type { Subject } from '../../../src/model/subject.ts';
import { memoPer } from '../../../src/kit/memo.ts';
import { expand } from '../../../src/text/nodeset.ts';
import type { JobsReading, NodesReading, SlurmJob, SlurmNode } from '../readings.ts';
import { clockShift, jobsByOurClock, nodesByOurClock } from './clock.ts';
import { clustersOf, readingsOf, sourceOf } from './clusters.ts';
import { isFuture, type Trouble, troubleOf } from './trouble.ts';

/** The nodes, indexed. Computed once for each reading. */
export interface NodeIndex {
  nodes: readonly SlurmNode[];
  byName: ReadonlyMap<string, SlurmNode>;
  /** Nodes out of service with what is wrong. */
  troubled: readonly { node: SlurmNode; trouble: Trouble }[];
  troubledNames: ReadonlySet<string>;
  /** Nodes that exist: placeholders left out. */
  total: number;
  byPartition: ReadonlyMap<string, readonly SlurmNode[]>;
}

export const indexOf = memoPer((reading: Reading<NodesReading>): NodeIndex => {
  const byName = new Map<string, SlurmNode>();
  const byPartition = new Map<string, SlurmNode[]>();
  for (const node of reading.value.nodes) {
    if (byName.has(node.name)) continue;
    byName.set(node.name, node);
    if (isFuture(node)) continue;
    for (const partition of node.partitions) {
      const members = byPartition.get(partition);
      if (members) members.push(node);
      else byPartition.set(partition, [node]);
    }
  }
  const nodes = [...byName.values()];
  const troubled = nodes.flatMap((node) => {
    const trouble = troubleOf(node);
    return trouble === undefined ? [] : [{ node, trouble }];
  });
  return {
    nodes,
    byName,
    troubled,
    troubledNames: new Set(troubled.map(({ node }) => node.name)),
    total: nodes.filter((node) => !isFuture(node)).length,
    byPartition,
  };
});

/** The nodes of the last good reading, indexed; undefined where they were never read. Times are by this console's clock. */
export const clusterOf = (
  readings: Readings,
): { source: Source<NodesReading>; index: NodeIndex } | undefined => {
  const source = sourceOf<NodesReading>(readings, 'slurm.nodes');
  if (!source?.good) return undefined;
  const good = nodesByOurClock(source.good, clockShift(readings));
  return { source: good === source.good ? source : { ...source, good }, index: indexOf(good) };
};

const noJobs: ReadonlyMap<string, readonly SlurmJob[]> = new Map();

const jobsByNode = memoPer(({ value }: Reading<JobsReading>): ReadonlyMap<string, readonly SlurmJob[]> => {
  const byNode = new Map<string, SlurmJob[]>();
  for (const job of value.jobs) {
    for (const name of namesIn(job.nodes)) {
      const jobs = byNode.get(name);
      if (jobs) jobs.push(job);
      else byNode.set(name, [job]);
    }
  }
  return byNode;
});

/** The jobs on each node. A node set that cannot be expanded is left out. */
export const jobsOn = (readings: Readings): ReadonlyMap<string, readonly SlurmJob[]> => {
  const reading = sourceOf<JobsReading>(readings, 'slurm.jobs')?.good;
  return reading ? jobsByNode(jobsByOurClock(reading, clockShift(readings))) : noJobs;
};

/** The names of a folded set that a machine printed; none when it is not one. */
export const namesIn = (set: string | undefined): readonly string[] => {
  if (set === undefined) return [];
  try {
    return expand(set);
  } catch {
    return [];
  }
};

const subjectsOf = memoPer((_site: SiteView) => new Map<string, Subject>());

/** The node's subject: canonical where the inventory knows it, else as Slurm names it. */
export const nodeSubject = (site: SiteView, name: string): Subject => {
  const known = subjectsOf(site);
  const subject = known.get(name) ?? site.resolve('node', name) ?? { kind: 'node', id: name };
  known.set(name, subject);
  return subject;
};

/** The host behind a node, if the inventory has one. */
export const hostOf = (site: SiteView, name: string): string | undefined =>
  site.host(name)?.name ?? site.host(nodeSubject(site, name).id)?.name;

const nodesByHost = memoPer((reading: Reading<NodesReading>) =>
  memoPer((site: SiteView) => Map.groupBy(indexOf(reading).nodes, ({ name }) => hostOf(site, name))),
);

/** The nodes that run on a host, mostly one. */
export const nodesOnHost = (readings: Readings, site: SiteView, host: string): readonly SlurmNode[] => {
  const clusters = clustersOf(readings);
  const sights = clusters.length > 1 ? clusters.map((one) => readingsOf(readings, one)) : [readings];
  return sights.flatMap((one) => {
    const reading = sourceOf<NodesReading>(one, 'slurm.nodes')?.good;
    return (reading && nodesByHost(reading)(site).get(host)) ?? [];
  });
};

/** The node that Slurm knows under a subject's id; undefined when it knows none. */
export const nodeOfSubject = (index: NodeIndex, site: SiteView, id: string): SlurmNode | undefined => {
  const direct = index.byName.get(id);
  if (direct) return direct;
  const canonical = site.resolve('node', id)?.id;
  if (canonical === undefined) return undefined;
  return (
    index.byName.get(canonical) ?? index.nodes.find((node) => nodeSubject(site, node.name).id === canonical)
  );
};
