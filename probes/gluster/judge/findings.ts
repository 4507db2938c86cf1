import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { clientFindings } from './find-clients.ts';
import { lockFindings } from './find-locks.ts';
import { blindFindings, peerFindings } from './find-peers.ts';
import { volumeFindings } from './find-volumes.ts';

/** Everything wrong with the pool. */
export const findings = (judgement: Judgement): readonly FindingDraft[] => [
  ...lockFindings(judgement),
  ...peerFindings(judgement),
  ...blindFindings(judgement),
  ...volumeFindings(judgement),
  ...clientFindings(judgement),
];
