import type { CommitsReading } from '../../read/commits.ts';
import { findEverywhere, textAt, xmlIn } from '../../read/parse-tree.ts';

const secondsIn = (text: string): number | undefined => {
  const epochSeconds = /<date-time\b[^>]*\bseconds="(\d{1,12})"/.exec(text)?.[1];
  return epochSeconds === undefined ? undefined : Number(epochSeconds);
};

/** By the device's own clock, seconds since its newest commit; undefined: it does not tell. */
const ageOfNewest = (stdout: string): number | undefined => {
  const newest = stdout
    .split('</commit-history>')
    .find((one) => /<sequence-number>\s*0\s*<\/sequence-number>/.test(one));
  const [at, now] = [newest ?? '', stdout.split('<current-time>')[1] ?? ''].map(secondsIn);
  return at === undefined || now === undefined ? undefined : now - at;
};

/**
 * Junos `show system commit`. While a commit waits to be confirmed newer releases mark the newest entry with `rollback pending`. All of them
 * write `commit confirmed, rollback in 5mins` to the entry, and it stays for good; but what confirms or takes back is a commit too, so at
 * the newest entry it says that it waits as long as those minutes are not over (NAPALM's driver for Junos counts so). A `commit check`
 * confirms as well and leaves no entry: then it reads as waiting for longer than it does.
 */
export const junosCommits = (stdout: string): CommitsReading | undefined => {
  const entries = findEverywhere(xmlIn(stdout), 'commit-history');
  const newest = entries.find((one) => textAt(one, 'sequence-number') === '0');
  if (!newest) return undefined;
  const marked = /pending/i.test(textAt(newest, 'commit-confirmed') ?? '');
  const comment = textAt(newest, 'comment') ?? '';
  const minutes = /commit confirmed, rollback in (\d+) ?min/.exec(comment)?.[1];
  const age = ageOfNewest(stdout);
  const within = minutes !== undefined && age !== undefined && age < Number(minutes) * 60;
  const untold =
    !marked && /commit confirmed/.test(comment) && minutes === undefined
      ? `"${comment}" names no minutes`
      : undefined;
  const missing =
    untold ??
    (age === undefined && !marked
      ? '`show system uptime` gives no time to compare a commit with'
      : undefined);
  return {
    ...((marked || within) && { waiting: textAt(newest, 'log') ?? 'without a comment' }),
    ...(missing !== undefined && { missing }),
    sessions: [],
    saves: false,
  };
};
