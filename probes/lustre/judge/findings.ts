import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { evictedFindings } from './find-evicted.ts';
import { flagFindings } from './find-flags.ts';
import { quotaFindings } from './find-quota.ts';
import { reachFindings } from './find-reach.ts';
import { serverFindings } from './find-servers.ts';
import { spaceFindings } from './find-space.ts';
import { taskFindings } from './find-tasks.ts';
import { viewFindings } from './find-views.ts';

/** Everything wrong with the file systems, by the three views joined. */
export const findings = (judgement: Judgement): readonly FindingDraft[] => [
  ...reachFindings(judgement),
  ...serverFindings(judgement),
  ...quotaFindings(judgement),
  ...flagFindings(judgement),
  ...viewFindings(judgement),
  ...spaceFindings(judgement),
  ...evictedFindings(judgement),
  ...taskFindings(judgement),
];
