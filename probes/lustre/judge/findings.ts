import { memoPerJudgement } from '../../../src/kit/memo.ts';
import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { clientFindings } from './find-clients.ts';
import { evictedFindings } from './find-evicted.ts';
import { flagFindings } from './find-flags.ts';
import { lackFindings } from './find-lacking.ts';
import { mdtFlagFindings } from './find-mdt-flags.ts';
import { mdtFindings } from './find-mdts.ts';
import { mgsFindings } from './find-mgs.ts';
import { hsmFindings } from './find-hsm.ts';
import { lnetDownFindings } from './find-lnet-down.ts';
import { nidFindings } from './find-nids.ts';
import { quotaFindings } from './find-quota.ts';
import { quotaTypeFindings } from './find-quota-types.ts';
import { railFindings } from './find-rails.ts';
import { reachFindings } from './find-reach.ts';
import { recoveryFindings } from './find-recovery.ts';
import { serverFindings } from './find-servers.ts';
import { slowFindings } from './find-slow.ts';
import { spaceFindings } from './find-space.ts';
import { heldMdtFindings } from './find-held-mdts.ts';
import { inodeFindings } from './find-inodes.ts';
import { precreateFindings } from './find-precreate.ts';
import { taskFindings } from './find-tasks.ts';
import { twiceFindings } from './find-twice.ts';
import { unloadedFindings } from './find-unloaded.ts';
import { unusedFindings } from './find-unused.ts';
import { unusedSettingsFindings } from './find-unused-settings.ts';
import { unservedFindings } from './find-unserved.ts';
import { viewFindings } from './find-views.ts';

/** Everything wrong with the file systems, by the three views joined; the pane's sign is of the same judgement. */
export const findings = memoPerJudgement((judgement: Judgement): readonly FindingDraft[] => [
  ...unservedFindings(judgement),
  ...mdtFindings(judgement),
  ...twiceFindings(judgement),
  ...lnetDownFindings(judgement),
  ...nidFindings(judgement),
  ...reachFindings(judgement),
  ...recoveryFindings(judgement),
  ...mgsFindings(judgement),
  ...railFindings(judgement),
  ...serverFindings(judgement),
  ...unloadedFindings(judgement),
  ...quotaFindings(judgement),
  ...quotaTypeFindings(judgement),
  ...heldMdtFindings(judgement),
  ...mdtFlagFindings(judgement),
  ...flagFindings(judgement),
  ...viewFindings(judgement),
  ...clientFindings(judgement),
  ...lackFindings(judgement),
  ...unusedFindings(judgement),
  ...slowFindings(judgement),
  ...spaceFindings(judgement),
  ...inodeFindings(judgement),
  ...precreateFindings(judgement),
  ...evictedFindings(judgement),
  ...hsmFindings(judgement),
  ...taskFindings(judgement),
  ...unusedSettingsFindings(judgement),
]);
