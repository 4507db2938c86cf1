import { standingOf, type Standing } from './member-states.ts';
import { bondStandings } from './platforms/linux-bonding.ts';
import type { LagRow } from './rows.ts';

/** What each member of an answer does: by the word in its row, of a bond of Linux by all that its file says. */
export const memberStandings = (
  platform: string,
  stdout: string,
): ((row: LagRow) => Standing | undefined) => {
  if (platform !== 'cumulus' && platform !== 'linux')
    return ({ memberState }) => standingOf(platform, memberState);
  const bonds = bondStandings(stdout);
  return ({ lag, member }) => (lag === undefined || member === undefined ? undefined : bonds(lag, member));
};
