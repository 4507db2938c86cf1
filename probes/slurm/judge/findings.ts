import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { cut } from '../../../src/text/width.ts';
import { clusterName, eachCluster, type SlurmCluster } from './clusters.ts';
import { accountingFindings } from './find-accounting.ts';
import { busyFindings } from './find-busy.ts';
import { clockFindings } from './find-clock.ts';
import { clusterFindings } from './find-clusters.ts';
import { completingFindings } from './find-completing.ts';
import { controllerFindings } from './find-controller.ts';
import { drainingFindings } from './find-draining.ts';
import { groupFindings } from './find-groups.ts';
import { hiddenFindings } from './find-hidden.ts';
import { jobLimitFindings } from './find-job-limit.ts';
import { lostFindings } from './find-lost.ts';
import { oftenFindings } from './find-often.ts';
import { partitionFindings } from './find-partitions.ts';
import { reservedFindings } from './find-reserved.ts';
import { schedulerFindings } from './find-scheduler.ts';
import { slowFindings } from './find-slow.ts';

/** Everything wrong with each cluster. What rests on an old reading stays, with its age in the evidence. */
export const findings = (judgement: Judgement): readonly FindingDraft[] => [
  ...eachCluster(judgement).flatMap(({ cluster, judgement: own, sharesNames }, at) => {
    const found = findingsOfOne(own);
    const isPlain = at === 0 && !sharesNames;
    return isPlain ? found : found.map((one) => inCluster(one, cluster, at > 0));
  }),
  ...clusterFindings(judgement),
  ...oftenFindings(judgement),
];

/** Nodes and partitions of two clusters may have one name; hosts don't. The first one's keep their ids, by which they were acknowledged. */
const inCluster = (found: FindingDraft, cluster: SlurmCluster, marked: boolean): FindingDraft => {
  if (found.subject.kind === 'host') return found;
  const name = clusterName(cluster);
  return {
    ...found,
    ...(marked && { id: `${found.id}@${name}` }),
    summary: cut(`${name}: ${found.summary}`, 100),
  };
};

const findingsOfOne = (judgement: Judgement): readonly FindingDraft[] => [
  ...controllerFindings(judgement),
  ...clockFindings(judgement),
  ...slowFindings(judgement),
  ...busyFindings(judgement),
  ...schedulerFindings(judgement),
  ...jobLimitFindings(judgement),
  ...accountingFindings(judgement),
  ...hiddenFindings(judgement),
  ...lostFindings(judgement),
  ...groupFindings(judgement),
  ...drainingFindings(judgement),
  ...completingFindings(judgement),
  ...partitionFindings(judgement),
  ...reservedFindings(judgement),
];
