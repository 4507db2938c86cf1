import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { clientFindings } from './seen-locks.ts';
import { clockFindings } from './find-clocks.ts';
import { healUnreadFindings } from './find-heal-unread.ts';
import { lockFindings } from './find-locks.ts';
import { diskFindings } from './find-disks.ts';
import { blindFindings, peerFindings } from './find-peers.ts';
import { quorumFindings } from './find-quorum.ts';
import { splitFindings } from './find-split.ts';
import { volumeFindings } from './find-volumes.ts';

/** Everything wrong with the pool. */
export const findings = (judgement: Judgement): readonly FindingDraft[] => [
  ...lockFindings(judgement),
  ...peerFindings(judgement),
  ...clockFindings(judgement),
  ...blindFindings(judgement),
  ...quorumFindings(judgement),
  ...diskFindings(judgement),
  ...splitFindings(judgement),
  ...volumeFindings(judgement),
  ...healUnreadFindings(judgement),
  ...clientFindings(judgement),
];
