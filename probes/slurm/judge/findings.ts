import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { accountingFindings } from './find-accounting.ts';
import { busyFindings } from './find-busy.ts';
import { clockFindings } from './find-clock.ts';
import { clusterFindings } from './find-clusters.ts';
import { completingFindings } from './find-completing.ts';
import { controllerFindings } from './find-controller.ts';
import { drainingFindings } from './find-draining.ts';
import { groupFindings } from './find-groups.ts';
import { hiddenFindings } from './find-hidden.ts';
import { lostFindings } from './find-lost.ts';
import { oftenFindings } from './find-often.ts';
import { partitionFindings } from './find-partitions.ts';
import { slowFindings } from './find-slow.ts';

/** Everything wrong with the cluster. What rests on an old reading stays, with its age in the evidence. */
export const findings = (judgement: Judgement): readonly FindingDraft[] => [
  ...controllerFindings(judgement),
  ...clusterFindings(judgement),
  ...clockFindings(judgement),
  ...slowFindings(judgement),
  ...busyFindings(judgement),
  ...accountingFindings(judgement),
  ...hiddenFindings(judgement),
  ...lostFindings(judgement),
  ...groupFindings(judgement),
  ...drainingFindings(judgement),
  ...completingFindings(judgement),
  ...partitionFindings(judgement),
  ...oftenFindings(judgement),
];
