import type { Subject } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { Block } from '../../../src/model/view.ts';
import { percent } from '../../../src/text/units.ts';
import { clusterOf, namesIn, nodeOfSubject, nodesOnHost } from '../judge/cluster.ts';
import { eachCluster, sourceOf } from '../judge/clusters.ts';
import { controllerDetail } from './detail-controller.ts';
import { nodeDetail } from './detail-node.ts';
import { partitionShare } from '../judge/find-partitions.ts';
import type { PartitionsReading, SlurmNode } from '../readings.ts';
import { setOf } from '../judge/sentence.ts';
import { nodesTable } from './nodes.ts';

/** Everything Slurm knows of a node, a set of nodes, a partition or a host; empty for what it does not know. */
export const detail = (subject: Subject, judgement: Judgement): readonly Block[] => {
  const all = eachCluster(judgement);
  const asked =
    subject.kind === 'host' ? all.find(({ cluster }) => cluster.hosts.includes(subject.id)) : undefined;
  const known = all.length > 0 ? all.map((one) => one.judgement) : [judgement];
  const sights = asked ? [asked.judgement] : known;
  return sights.map((one) => detailOfOne(subject, one)).find((blocks) => blocks.length > 0) ?? [];
};

const detailOfOne = (subject: Subject, judgement: Judgement): readonly Block[] => {
  const { readings, site } = judgement;
  const index = clusterOf(readings)?.index;
  if (subject.kind === 'partition') return partitionDetail(subject.id, judgement);
  if (subject.kind === 'host') {
    const nodes = nodesOnHost(readings, site, subject.id).flatMap((node) => nodeDetail(node, judgement));
    const controls = site.host(subject.id)?.roles.includes('slurm-controller') ?? false;
    return [...(controls ? controllerDetail(subject.id, judgement) : []), ...nodes];
  }
  if (subject.kind !== 'node' || !index) return [];
  const one = nodeOfSubject(index, site, subject.id);
  if (one) return nodeDetail(one, judgement);
  const nodes = namesIn(subject.id).flatMap((name) => nodeOfSubject(index, site, name) ?? []);
  return nodes.length === 0 ? [] : setDetail(nodes, judgement);
};

const setDetail = (nodes: readonly SlurmNode[], judgement: Judgement): Block[] => {
  const names = new Set(nodes.map((node) => node.name));
  const table = nodesTable(judgement, '');
  return [
    { type: 'text', id: 'set', lines: [{ text: `${nodes.length} nodes: ${setOf(nodes)}` }] },
    { ...table, id: 'members', rows: table.rows.filter((row) => names.has(row.key)) },
  ];
};

const partitionDetail = (name: string, judgement: Judgement): Block[] => {
  const { total, out } = partitionShare(name, judgement);
  const source = sourceOf<PartitionsReading>(judgement.readings, 'slurm.partitions');
  const found = source?.good?.value.partitions.find((one) => one.partitionName === name);
  if (total === 0 && !found) return [];
  const index = clusterOf(judgement.readings)?.index;
  const nodes = out.flatMap((one) => index?.byName.get(one) ?? []);
  return [
    {
      type: 'facts',
      id: 'partition',
      facts: [
        { name: 'state', cell: { text: found?.state ?? '' } },
        { name: 'time limit', cell: { text: found?.maxTime ?? '' } },
        { name: 'nodes', cell: { text: String(total) } },
        {
          name: 'out of service',
          cell: { text: `${out.length} (${percent(total === 0 ? 0 : out.length / total)})` },
        },
      ].filter((fact) => fact.cell.text !== ''),
    },
    ...(nodes.length > 0 ? setDetail(nodes, judgement) : []),
  ];
};
