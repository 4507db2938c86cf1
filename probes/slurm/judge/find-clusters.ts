import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { evidenceFrom } from '../../../src/kit/findings.ts';
import { count } from '../../../src/text/units.ts';
import type { ConfigReading, NodesReading } from '../readings.ts';
import { settingsOf } from '../settings.ts';
import { indexOf } from './cluster.ts';
import { clustersOf, clusterText, type SlurmCluster } from './clusters.ts';
import { finding } from './sentence.ts';

/** Of the clusters in one site file: that there are several, and settings for one that is not there. */
export const clusterFindings = (judgement: Judgement): FindingDraft[] => [
  ...severalClusters(judgement),
  ...unusedSettings(judgement),
];

/** Settings of a cluster by a name that no controller tells hold for nobody: the general ones do. Silent until all have told theirs. */
const unusedSettings = ({ site, readings }: Judgement): FindingDraft[] => {
  const { clusters } = settingsOf(site);
  const configs = readings.sources<ConfigReading>('slurm.config');
  const names: readonly string[] = configs.flatMap(({ good }) => good?.value.clusterName ?? []);
  const [first] = configs;
  if (clusters.length === 0 || !first || names.length < configs.length) return [];
  return clusters
    .filter((name) => !names.includes(name))
    .map((name) =>
      finding({
        kind: 'settings-unused',
        key: name,
        severity: 'warning',
        subject: { kind: 'host', id: first.host },
        summary: `slurm.clusters.${name} is for no cluster that is read here: the general settings hold`,
        advice: `ClusterNames here: ${[...new Set(names)].join(', ')}.`,
        evidence: configs.map((one) =>
          evidenceFrom(one, `${one.host}: ClusterName ${one.good?.value.clusterName ?? 'unknown'}`),
        ),
      }),
    );
};

/** Two clusters in one site file: each is judged and acted on by itself. */
const severalClusters = (judgement: Judgement): FindingDraft[] => {
  const [first, ...others] = clustersOf(judgement.readings);
  if (!first || others.length === 0) return [];
  const names = [first, ...others].map(clusterText);
  return [
    finding({
      kind: 'several-clusters',
      key: others.flatMap(({ hosts }) => hosts).join(','),
      severity: 'notice',
      subject: { kind: 'host', id: others[0]?.hosts[0] ?? '' },
      beside: [...first.hosts, ...others.flatMap(({ hosts }) => hosts).slice(1)].map((id) => ({
        kind: 'host',
        id,
      })),
      summary: `${names.length === 2 ? 'two' : names.length} clusters in one site file: ${names.join('; ')}`,
      advice:
        'Each cluster is judged by itself, and an action is on one of them. A node whose name two of them have is CLUSTER/NODE, also for act.',
      evidence: [first, ...others].flatMap((one) => sightOf(one, judgement)),
    }),
  ];
};

/** `gpu on gctl: 8 of 16 nodes out of service`. */
const sightOf = (cluster: SlurmCluster, { readings }: Judgement): FindingDraft['evidence'] =>
  cluster.hosts.flatMap((host) => {
    const source = readings.source<NodesReading>('slurm.nodes', host);
    if (!source?.good) return [];
    const { total, troubled } = indexOf(source.good);
    return [
      evidenceFrom(
        source,
        `${clusterText(cluster)}: ${troubled.length} of ${count(total, 'node')} out of service`,
      ),
    ];
  });
