import { age } from '../../text/ages.ts';
import type { Check } from './report.ts';
import type { Section } from './script.ts';

/** More than this is a fault: log lines of two hosts can't be put in order any more. */
const LIMIT_MS = 2000;

/**
 * The host's clock against ours. `date +%s` has whole seconds and was read some time between `before` and `after` (UTC
 * ms), so the skew is known to lie in a span; what counts is the end of that span nearest to zero.
 */
export const clockCheck = (
  section: Section | undefined,
  { before, after }: { before: number; after: number },
  mend: string,
): Check => {
  if (!section || section.exitCode !== 0 || !/^\d{9,11}$/.test(section.text)) {
    return { name: 'clock', state: 'skipped', text: 'clock: "date +%s" gave no time' };
  }
  const theirs = Number(section.text) * 1000;
  const least = theirs - after;
  const most = theirs + 1000 - before;
  const skew = least > 0 ? least : most < 0 ? most : 0;
  if (Math.abs(skew) <= LIMIT_MS) return { name: 'clock', state: 'ok', text: 'clock agrees' };
  const text = `its clock is ${age(Math.abs(skew))} ${skew > 0 ? 'ahead of' : 'behind'} ours`;
  return {
    name: 'clock',
    state: 'fail',
    text,
    mend: [`${mend}     one of the two does not follow a time server`],
  };
};
