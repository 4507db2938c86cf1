import type { FindingDraft } from '../../../src/model/finding.ts';
import type { Judgement } from '../../../src/model/system.ts';
import { eachPool } from '../pools.ts';
import { clientFindings } from './seen-locks.ts';
import { clockFindings } from './find-clocks.ts';
import { healUnreadFindings } from './find-heal-unread.ts';
import { lockFindings } from './find-locks.ts';
import { diskFindings } from './find-disks.ts';
import { blindFindings, peerFindings } from './find-peers.ts';
import { poolFindings } from './find-pools.ts';
import { quorumFindings } from './find-quorum.ts';
import { splitFindings } from './find-split.ts';
import { optionFindings } from './find-options.ts';
import { rebalanceFindings } from './find-rebalance.ts';
import { volumeFindings } from './find-volumes.ts';
import { nameInPool } from './volume-ids.ts';

/** Everything wrong with each pool, and with the clocks, which are one site's. */
export const findings = (judgement: Judgement): readonly FindingDraft[] => {
  const pools = eachPool(judgement);
  if (pools.length < 2) return findingsOfOne(judgement, clockFindings(judgement));
  const found = pools.map(({ pool, judgement: own }) => ({ pool, drafts: findingsOfOne(own, []) }));
  const ids = found.flatMap(({ drafts }) => drafts.map(({ id }) => id));
  const isDouble = (id: string): boolean => ids.indexOf(id) !== ids.lastIndexOf(id);
  return [
    ...found.flatMap(({ pool, drafts }) =>
      drafts.map((draft) => nameInPool(draft, pool, judgement, isDouble(draft.id))),
    ),
    ...clockFindings(judgement),
    ...poolFindings(judgement),
  ];
};

const findingsOfOne = (judgement: Judgement, clocks: readonly FindingDraft[]): readonly FindingDraft[] => [
  ...lockFindings(judgement),
  ...peerFindings(judgement),
  ...clocks,
  ...blindFindings(judgement),
  ...quorumFindings(judgement),
  ...diskFindings(judgement),
  ...splitFindings(judgement),
  ...volumeFindings(judgement),
  ...healUnreadFindings(judgement),
  ...rebalanceFindings(judgement),
  ...optionFindings(judgement),
  ...clientFindings(judgement),
];
