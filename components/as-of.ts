import type { RankedFinding } from '../src/model/finding.ts';
import { clock } from '../src/text/ages.ts';

/** In front of what a finding says that could not be read again: whether it is still so, nobody knows. */
export const asOf = ({ lastRead }: Pick<RankedFinding, 'lastRead'>): string =>
  lastRead === undefined ? '' : `⏸ as of ${clock(lastRead)}: `;
