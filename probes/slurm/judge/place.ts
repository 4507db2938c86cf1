import type { Judgement } from '../../../src/model/system.ts';
import { clusterOf, hostOf } from './cluster.ts';
import type { Group } from './groups.ts';

/** Fewer than this at once is no common cause. */
export const fewest = 3;

/** A label explains a loss only when at least this share of what carries it is gone. */
export const coverage = 0.5;

/** Nodes that went for one reason come back to slurmctld within a boot's scatter, ms. */
const togetherMs = 180_000;

/**
 * The narrowest label that nodes share and that not all of the cluster carries: what it stands for (a rack's power, its switch) is looked
 * at before each of them. They went in one moment, or are half of it and more: of those that a check took out the moment tells
 * nothing, and of what a person did the place, neither.
 */
export const placeOf = (
  group: Pick<Group, 'nodes' | 'trouble' | 'owner' | 'plan'>,
  judgement: Judgement,
): { label: string; id: string; of: number; withinMs?: number } | undefined => {
  const { nodes, owner, plan } = group;
  if (plan || (owner.kind !== 'slurm' && owner.kind !== 'health') || nodes.length < fewest) return undefined;
  const withinMs = scatterOf(group);
  const [first, ...others] = nodes.map(({ name }) => labelsOf(name, judgement));
  const total = clusterOf(judgement.readings)?.index.total ?? 0;
  const [shared] = Object.entries(first ?? {})
    .filter(([name, value]) => others.every((labels) => labels[name] === value))
    .map(([name, value]) => ({ name, value, hosts: carriersOf({ name, value }, judgement) }))
    .filter(({ hosts }) => hosts < total)
    // Three of many may stand in one place by chance; without a moment so may those of one kind of node.
    .filter(
      ({ hosts }) => nodes.length >= hosts * coverage || (withinMs !== undefined && nodes.length > fewest),
    )
    .toSorted((a, b) => a.hosts - b.hosts);
  return (
    shared && {
      label: `${shared.name} ${shared.value}`,
      id: `${shared.name}=${shared.value}`,
      of: shared.hosts,
      ...(withinMs !== undefined && { withinMs }),
    }
  );
};

/** In how many ms all of them went, where that is a moment; undefined: it tells nothing. */
const scatterOf = ({
  nodes,
  trouble,
  owner,
}: Pick<Group, 'nodes' | 'trouble' | 'owner'>): number | undefined => {
  const times = nodes.flatMap(({ reasonAt }) => reasonAt ?? []);
  const isGone = trouble === 'down' || trouble === 'notResponding';
  if (!isGone || owner.kind !== 'slurm' || times.length < nodes.length) return undefined;
  const withinMs = Math.max(...times) - Math.min(...times);
  return withinMs <= togetherMs ? withinMs : undefined;
};

const labelsOf = (node: string, { site }: Judgement): Readonly<Record<string, string>> => {
  const host = hostOf(site, node);
  return (host === undefined ? undefined : site.host(host)?.location) ?? {};
};

/** Slurm's nodes whose host carries the label: a host need not have the role of a compute node to be one. */
export const carriersOf = (
  { name, value }: { name: string; value: string },
  { readings, site }: Judgement,
): number =>
  (clusterOf(readings)?.index.nodes ?? []).filter((node) => {
    const host = hostOf(site, node.name);
    return host !== undefined && site.host(host)?.location[name] === value;
  }).length;
