import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { evidenceFrom } from '../../../src/kit/findings.ts';
import { count } from '../../../src/text/units.ts';
import type { ConfigReading } from '../readings.ts';
import { clusterOf, jobsOn } from './cluster.ts';
import { finding } from './sentence.ts';
import { sourceOf } from './clusters.ts';

const hides: Readonly<Record<string, string>> = {
  jobs: 'jobs of others',
  reservations: 'reservations',
};

/** PrivateData keeps lists short without an error: said only where nodes show that something is missing from them. */
export const hiddenFindings = ({ readings }: Judgement): FindingDraft[] => {
  const config = sourceOf<ConfigReading>(readings, 'slurm.config');
  const hidden: readonly string[] = (config?.good?.value.privateData ?? []).filter(
    (word) => hides[word] !== undefined,
  );
  const nodes = clusterOf(readings)?.index.nodes ?? [];
  const byNode = jobsOn(readings);
  const held = nodes.filter(
    ({ state, name }) => (state === 'ALLOCATED' || state === 'MIXED') && !byNode.has(name),
  );
  if (!config || !hidden.includes('jobs') || held.length === 0) return [];
  return [
    finding({
      kind: 'partly-hidden',
      key: config.host,
      severity: 'notice',
      subject: { kind: 'host', id: config.host },
      summary: `Slurm on ${config.host} hides ${hidden.map((word) => hides[word]).join(' and ')} from this account (PrivateData)`,
      advice:
        'Make the account an operator (sacctmgr modify user where name=ACCOUNT set adminlevel=operator): until then the jobs that hold a node are not known.',
      evidence: [
        evidenceFrom(config, `PrivateData=${config.good?.value.privateData?.join(',') ?? ''}`),
        evidenceFrom(config, `${count(held.length, 'node')} with jobs of which none is listed`),
      ],
    }),
  ];
};
