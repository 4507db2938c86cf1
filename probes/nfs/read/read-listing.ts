import { CommandFailed } from '../../../src/model/errors.ts';
import type { Answer } from '../../../src/model/answer.ts';
import { firstLine } from '../../../src/kit/answers.ts';
import { dropUndefined } from '../../../src/kit/known.ts';
import { findPart, sectionsOf } from '../../../src/kit/sections.ts';
import type { ListingReading, SnippetState } from '../readings.ts';
import { snippets } from '../snippets.ts';
import { parseListing } from './parse-listing.ts';

/** listing.sh ends with this where the file is not there. */
const NOT_THERE = 4;
/** A clock that is kept is moved by less than this. */
const CLOCK_SLACK_S = 60;

/** Reads the answer of listing.sh. `now`: UTC ms; times by the host's clock become ours. */
export const readListing = (
  answer: Answer,
  now: number,
): { value: ListingReading; notUnderstood?: number } => {
  const sections = sectionsOf(answer, 'listings');
  const kept = findPart(sections, 'listings');
  if (kept?.code !== 0) throw new CommandFailed('other', `listings: ${firstLine(kept?.text ?? '')}`);
  // Nothing was measured there yet.
  const { listings, notUnderstood } =
    kept.text.trim() === '' ? { listings: [] } : parseListing({ stdout: kept.text });
  const [seconds] = /^\d{1,12}$/.exec(findPart(sections, 'clock')?.text.trim() ?? '') ?? [];
  const clock = seconds === undefined ? undefined : Number(seconds);
  const [, mounts] = /^(\d{1,6})$/.exec(findPart(sections, 'mounts')?.text.trim() ?? '') ?? [];
  const stateOf = (name: 'sh' | 'csh'): SnippetState => {
    const part = findPart(sections, name);
    if (part?.code === NOT_THERE) return 'absent';
    if (part?.code !== 0) return 'unread';
    return part.text === snippets[name].text ? 'ours' : 'other';
  };
  // A clock that was set back since leaves no age.
  const timeOf = (atS: number): number | undefined =>
    clock === undefined || atS > clock + CLOCK_SLACK_S ? undefined : now - Math.max(0, clock - atS) * 1000;
  return {
    value: {
      ...dropUndefined({ nfsMounts: mounts === undefined ? undefined : Number(mounts) }),
      listings: listings.map(({ atS, ...listing }) => ({
        ...listing,
        stamp: atS,
        ...dropUndefined({ at: timeOf(atS) }),
      })),
      snippets: { sh: stateOf('sh'), csh: stateOf('csh') },
    },
    ...(notUnderstood !== undefined && { notUnderstood }),
  };
};
