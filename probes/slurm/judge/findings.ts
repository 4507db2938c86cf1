import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { controllerFindings } from './find-controller.ts';
import { drainingFindings } from './find-draining.ts';
import { groupFindings } from './find-groups.ts';
import { lostFindings } from './find-lost.ts';
import { oftenFindings } from './find-often.ts';
import { partitionFindings } from './find-partitions.ts';
import { slowFindings } from './find-slow.ts';

/** Everything wrong with the cluster. What rests on an old reading stays, with its age in the evidence. */
export const findings = (judgement: Judgement): readonly FindingDraft[] => [
  ...controllerFindings(judgement),
  ...slowFindings(judgement),
  ...lostFindings(judgement),
  ...groupFindings(judgement),
  ...drainingFindings(judgement),
  ...partitionFindings(judgement),
  ...oftenFindings(judgement),
];
