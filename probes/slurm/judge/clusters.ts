import type { Readings, Source } from '../../../src/model/reading.ts';
import type { ConfigReading, NodesReading } from '../readings.ts';

/** One Slurm cluster of the site: its ClusterName, where that was read, and the hosts whose commands ask it. */
export interface SlurmCluster {
  name?: string;
  hosts: readonly string[];
}

interface Member {
  host: string;
  name: string | undefined;
  nodes: ReadonlySet<string> | undefined;
}

/**
 * The clusters that the controllers' hosts belong to, in the order of the site file. Two hosts ask one cluster unless they tell of
 * different ClusterNames or of nodes of which none is the same: several controllers of one cluster are the rule.
 */
export const clustersOf = (readings: Readings): readonly SlurmCluster[] => {
  const sources = readings.sources<NodesReading>('slurm.nodes');
  if (sources.length < 2) return sources.map(({ host }) => ({ hosts: [host] }));
  const clusters: Member[][] = [];
  for (const source of sources) {
    const member = memberOf(source, readings);
    const mine = clusters.find((members) => members.every((one) => mayBeOne(one, member)));
    if (mine) mine.push(member);
    else clusters.push([member]);
  }
  return clusters.map((members) => {
    const name = members.find((one) => one.name !== undefined)?.name;
    return { ...(name !== undefined && { name }), hosts: members.map(({ host }) => host) };
  });
};

const memberOf = ({ host, good }: Source<NodesReading>, readings: Readings): Member => ({
  host,
  name: readings.source<ConfigReading>('slurm.config', host)?.good?.value.clusterName,
  nodes: good && namesIn(good.value),
});

const nodeNames = new WeakMap<NodesReading, ReadonlySet<string>>();

const namesIn = (value: NodesReading): ReadonlySet<string> => {
  const known = nodeNames.get(value) ?? new Set(value.nodes.map(({ name }) => name));
  nodeNames.set(value, known);
  return known;
};

const mayBeOne = (a: Member, b: Member): boolean =>
  (a.name === undefined || b.name === undefined || a.name === b.name) &&
  (a.nodes === undefined || b.nodes === undefined || !a.nodes.isDisjointFrom(b.nodes));

/** `hpc on ctl1`, `ctl1` where the name was not read. */
export const clusterText = ({ name, hosts }: SlurmCluster): string =>
  name === undefined ? hosts.join(', ') : `${name} on ${hosts.join(', ')}`;
