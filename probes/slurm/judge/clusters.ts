import { memoPer } from '../../../src/kit/memo.ts';
import type { Readings, Source } from '../../../src/model/reading.ts';
import type { SiteView } from '../../../src/model/site.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Safe } from '../../../src/text/safe.ts';
import type { ConfigReading, NodesReading, PingReading } from '../readings.ts';
import { settingsOf, siteFor } from '../settings.ts';
import { type NamedNodes, narrowSite } from './narrow-site.ts';

/** One Slurm cluster of the site: its ClusterName, where that was read, and the hosts whose commands ask it. */
export interface SlurmCluster {
  name?: string;
  hosts: readonly string[];
}

interface Member {
  host: string;
  name: string | undefined;
  nodes: ReadonlySet<string> | undefined;
  /** Its controllers as `scontrol ping` lists them, without their domains. */
  controllers: ReadonlySet<string> | undefined;
}

/**
 * The clusters that the controllers' hosts belong to, in the order of the site file. Two hosts ask one cluster unless they tell of
 * different ClusterNames, of nodes of which none is the same, or of other controllers: several controllers of one cluster are the rule,
 * and ClusterName is `cluster` where nobody chose one. Where two have one name they go by their first hosts.
 */
export const clustersOf = (readings: Readings): readonly SlurmCluster[] => {
  const sources = readings.sources<NodesReading>('slurm.nodes');
  const clusters: Member[][] = [];
  for (const source of sources) {
    const member = memberOf(source, readings);
    const mine = clusters.find((members) => members.every((one) => mayBeOne(one, member)));
    if (mine) mine.push(member);
    else clusters.push([member]);
  }
  const named = clusters.map((members) => ({
    name: members.find((one) => one.name !== undefined)?.name,
    hosts: members.map(({ host }) => host),
  }));
  return named.map(({ name, hosts }) => {
    const isOnly = named.filter((one) => one.name === name).length === 1;
    return { ...(name !== undefined && isOnly && { name }), hosts };
  });
};

/** Hosts of which it is not known whose cluster they ask, where nodes were read by several, or a cluster has settings of its own. */
export const unnamedHosts = (readings: Readings, site: SiteView): readonly string[] => {
  const read = readings.sources<NodesReading>('slurm.nodes').filter(({ good }) => good !== undefined);
  const matters = settingsOf(site).clusters.length > 0 ? 1 : 2;
  return read.length < matters
    ? []
    : read
        .map((source) => memberOf(source, readings))
        .flatMap(({ host, name }) => (name === undefined ? [host] : []));
};

const memberOf = ({ host, good }: Source<NodesReading>, readings: Readings): Member => ({
  host,
  name: readings.source<ConfigReading>('slurm.config', host)?.good?.value.clusterName,
  nodes: good && namesIn(good.value),
  controllers: controllersOf(readings.source<PingReading>('slurm.ping', host)?.good?.value),
});

const controllersOf = (ping: PingReading | undefined): ReadonlySet<string> | undefined => {
  const names = (ping?.controllers ?? []).map(({ host }) => host.toLowerCase().split('.')[0] ?? '');
  return names.length === 0 ? undefined : new Set(names);
};

const namesIn = memoPer(
  (value: NodesReading): ReadonlySet<string> => new Set(value.nodes.map(({ name }) => name)),
);

const mayBeOne = (a: Member, b: Member): boolean =>
  (a.name === undefined || b.name === undefined || a.name === b.name) &&
  mayBeSame(a.nodes, b.nodes) &&
  // A controller whose nodes were never read is left to `otherControllers`, which tells why it is another cluster's.
  (a.nodes === undefined || b.nodes === undefined || mayBeSame(a.controllers, b.controllers));

const mayBeSame = (a: ReadonlySet<string> | undefined, b: ReadonlySet<string> | undefined): boolean =>
  a === undefined || b === undefined || !a.isDisjointFrom(b);

/** `hpc on ctl1`, `ctl1` where the name was not read. */
export const clusterText = ({ name, hosts }: SlurmCluster): string =>
  name === undefined ? hosts.join(', ') : `${name} on ${hosts.join(', ')}`;

/**
 * The source to believe: the freshest that answers, else the one with the newest good reading, else the first. Of several clusters it
 * is the first of the site file: two controllers of one cluster say the same, those of two clusters do not (`eachCluster`).
 */
export const sourceOf = <T>(readings: Readings, probe: string): Source<Safe<T>> | undefined => {
  const sources = readings.sources<T>(probe);
  const [first, second] = sources.length > 1 ? clustersOf(readings) : [];
  let best: Source<Safe<T>> | undefined;
  for (const one of sources) {
    if (second && !first?.hosts.includes(one.host)) continue;
    if (best === undefined || rank(one) > rank(best)) best = one;
  }
  return best;
};

const rank = (source: Source): number =>
  (source.good ? source.good.at : 0) + (source.state === 'fresh' ? 1e15 : 0);

/** The user that Slurm's daemons write as: what it takes out for a reason that is not known here is no person's plan. */
export const daemonOf = ({ readings }: Judgement): string =>
  sourceOf<ConfigReading>(readings, 'slurm.config')?.good?.value.slurmUser ?? 'slurm';

/** These are asked of nodes, which tell nothing of a cluster. */
const ofNodes: ReadonlySet<string> = new Set(['slurm.check', 'slurm.alive']);

/** What one cluster's hosts told, and all that no cluster's hosts are asked. */
export const readingsOf = (readings: Readings, { hosts }: SlurmCluster): Readings => {
  const controllers = new Set(readings.sources('slurm.nodes').map(({ host }) => host));
  const others = new Set([...controllers].filter((host) => !hosts.includes(host)));
  const isTheirs = (probe: string, host: string): boolean =>
    !others.has(host) || ofNodes.has(probe) || !probe.startsWith('slurm.');
  return {
    source: (probe, host) => (isTheirs(probe, host) ? readings.source(probe, host) : undefined),
    sources: (probe) => readings.sources<never>(probe).filter(({ host }) => isTheirs(probe, host)),
    listOnHost: (host) => readings.listOnHost(host).filter(({ probe }) => isTheirs(probe, host)),
    listUnreached: () => readings.listUnreached(),
    listUnread: () => readings.listUnread().filter(({ probe, host }) => isTheirs(probe, host)),
  };
};

/** The site as its settings hold for a cluster: by the ClusterName that its hosts tell, also where another cluster has the same. */
export const siteOfCluster = (site: SiteView, { hosts }: SlurmCluster, readings: Readings): SiteView => {
  const names = hosts.map(
    (host) => readings.source<ConfigReading>('slurm.config', host)?.good?.value.clusterName,
  );
  return siteFor(
    site,
    names.find((name) => name !== undefined),
  );
};

/** Clusters have health checks of their own, and whose this is was not read: what a check drained can't be told from what a person did. */
export const isCheckUnknown = ({ site, readings }: Judgement): boolean =>
  settingsOf(site).clusters.length > 0 &&
  sourceOf<ConfigReading>(readings, 'slurm.config')?.good?.value.clusterName === undefined;

/** What is known of one cluster of the site: a judgement as if there were no other, with the settings of this one. */
export interface ClusterView {
  cluster: SlurmCluster;
  judgement: Judgement;
  /** Nodes of it have names that another cluster's have, too. */
  sharesNames: boolean;
}

/** A judgement for each cluster, in the order of the site file. A host of which nothing is known yet is the first one's. */
export const eachCluster = memoPer((judgement: Judgement): readonly ClusterView[] => {
  const { readings } = judgement;
  const clusters = clustersOf(readings);
  if (clusters.length < 2)
    return clusters.map((cluster) => {
      const site = siteOfCluster(judgement.site, cluster, readings);
      const own = site === judgement.site ? judgement : { ...judgement, site };
      return { cluster, judgement: own, sharesNames: false };
    });
  const named = clusters.map((cluster) => ({ cluster, own: nodesIn(cluster, judgement.readings) }));
  return named.map(({ cluster, own }) => {
    const others = named.flatMap((one) => (one.own === own ? [] : [one.own]));
    const set = siteOfCluster(judgement.site, cluster, readings);
    const site = narrowSite(set, own, others);
    return {
      cluster,
      judgement: { ...judgement, site, readings: readingsOf(readings, cluster) },
      sharesNames: site !== set,
    };
  });
});

const nodesIn = (cluster: SlurmCluster, readings: Readings): NamedNodes => ({
  cluster: clusterName(cluster),
  nodes: new Set(
    cluster.hosts.flatMap((host) => {
      const good = readings.source<NodesReading>('slurm.nodes', host)?.good;
      return good ? [...namesIn(good.value)] : [];
    }),
  ),
});

/** `gpu`, or its first host where the name was not read. */
export const clusterName = ({ name, hosts }: SlurmCluster): string => name ?? hosts[0] ?? '?';
