import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { evidenceFrom } from '../../../src/kit/findings.ts';
import { count } from '../../../src/text/units.ts';
import type { NodesReading } from '../readings.ts';
import { indexOf } from './cluster.ts';
import { clustersOf, clusterText, type SlurmCluster } from './clusters.ts';
import { finding } from './sentence.ts';

/** Two clusters in one site file: each is judged and acted on by itself. */
export const clusterFindings = (judgement: Judgement): FindingDraft[] => {
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
