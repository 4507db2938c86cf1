import type { Sign } from '../../../src/model/subject.ts';
import type { Judgement } from '../../../src/model/system.ts';
import type { PaneView } from '../../../src/model/view.ts';
import { clockTime } from '../../../src/text/ages.ts';
import { count, groupThousands } from '../../../src/text/units.ts';
import { whyAllUnread } from '../../../src/kit/unread.ts';
import { clusterOf } from '../judge/cluster.ts';
import { clusterName, eachCluster } from '../judge/clusters.ts';
import { controllerState } from '../judge/controller-state.ts';
import { groupsOf } from '../judge/groups.ts';
import { findLostTogether } from '../judge/lost.ts';
import { groupSign, groupsTable } from './groups.ts';
import { nodesTable } from './nodes.ts';
import { partitionsTable } from './partitions.ts';

/** The pane: each cluster with its name, where there is more than one. */
export const view = (judgement: Judgement): PaneView => {
  const clusters = eachCluster(judgement);
  if (clusters.length < 2) return viewOfOne(clusters[0]?.judgement ?? judgement);
  const all = clusters.map((one) => ({ name: clusterName(one.cluster), pane: viewOfOne(one.judgement) }));
  const worst = bySeverity.find((sign) => all.some(({ pane }) => pane.sign === sign));
  return {
    summary: all.map(({ name, pane }) => `${name}: ${pane.summary}`).join('; '),
    sign: worst ?? 'unknown',
    wall: all.map(({ pane }) => pane.wall).join(' + '),
    blocks: all.flatMap(({ name, pane }, at) =>
      pane.blocks.map((block) => ({
        ...block,
        id: at === 0 ? block.id : `${block.id} ${name}`,
        title: 'title' in block ? `${block.title} (${name})` : name,
      })),
    ),
  };
};

/** The worst first. */
const bySeverity: readonly Sign[] = ['critical', 'warning', 'unknown', 'stale', 'notice', 'fine'];

/** Groups out of service, all nodes, partitions. What was never read is "not known", never "none". */
const viewOfOne = (judgement: Judgement): PaneView => {
  const cluster = clusterOf(judgement.readings);
  const good = cluster?.source.good;
  if (!cluster || !good) {
    const why = whyAllUnread('slurm.nodes', judgement.readings, judgement.now) ?? 'not read yet';
    const empty = `not known: ${why}`;
    return {
      summary: 'nodes not known',
      sign: 'unknown',
      wall: 'not known',
      blocks: [
        groupsTable(judgement, empty),
        nodesTable(judgement, empty),
        partitionsTable(judgement, empty),
      ],
    };
  }
  const { total, troubled } = cluster.index;
  const current = cluster.source.state === 'fresh';
  const when = current ? '' : ` at ${clockTime(good.at, judgement.now)}`;
  const none = current ? 'no nodes out of service' : `none out of service${when}, not known since`;
  return {
    summary: `${count(total, 'node')}, ${troubled.length === 0 ? 'all in service' : `${groupThousands(troubled.length)} out of service`}${when}`,
    sign: signOf(judgement, current),
    wall: `${groupThousands(total - troubled.length)}/${groupThousands(total)} nodes up${when}`,
    blocks: [
      groupsTable(judgement, none),
      nodesTable(judgement, 'Slurm lists no nodes'),
      partitionsTable(judgement, 'no partitions'),
    ],
  };
};

const signOf = (judgement: Judgement, current: boolean): Sign => {
  const controller = controllerState(judgement).state;
  if (controller === 'down' || controller === 'hung' || controller === 'auth') return 'critical';
  if (!current) return 'stale';
  if (findLostTogether(judgement).length > 0) return 'critical';
  const signs = new Set(groupsOf(judgement).map((group) => groupSign(group, judgement)));
  return signs.has('warning') ? 'warning' : signs.has('notice') ? 'notice' : 'fine';
};
