import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { programTexts } from './program-texts.ts';

const REPOSITORY = join(import.meta.dirname, '../..');

/** The left column of docs/style.md and its like, and what is said in its place. */
const OLD: readonly (readonly [old: RegExp, now: string])[] = [
  [/found in one sweep|no location label shared:/, 'lost together (seen 14:01): breaker b7'],
  [/runs? out of locks|lock volume 1\b/, 'out of LDLM locks (SLV collapsed)'],
  [/orphaned since|a command on \S+ frees/, 'stale lock of gl1 on gl3 since 13:54'],
  [/look there|\b(?:far|this) end first\b|[Ll]ook first at/, 'suspect nfs-sw1 te1/12'],
  [/\bcan't be asked|all alike \(/, '14 hosts unreachable by SSH'],
  [/sources? not read\b/, 'no answer from 4 of 11 hosts'],
  [/taken out by somebody|reason of their own/, 'not drained by a person'],
  [/nor twice within/, 'fewer than 2 in 24 h'],
  [/was shut from a console|brings it back unless/, 'shut by root; restored in 98 s unless kept'],
  [/Refused by guard/, 'the reason'],
  [/as it seems/, 'looks deliberate'],
  [/[Ii]t is not known what\b/, 'outcome unknown'],
  [/\b[Ii]t (?:is|was) found/, 'the subject first'],
  [/[Nn]obody (?:means|tells)|[Ss]omebody set it/, 'who it is, or that it is not known'],
  [/can(?:'t)? be had\b/, 'available'],
  [/\bsays of itself|by their own words/, 'reports'],
  [/\b(?:can(?:not| not|'t)) be told\b|\b(?:does|did) not tell\b/, 'not known; does not report'],
  [/\bwhat loses\b|not ended again/, 'the losing copies; not stopped again'],
  [/why all the same|stands? for (?:it|them)\b/, 'why anyway; is set instead'],
  [/\bnot told\b|\bwere not told\b/, 'not known, unknown'],
];

const pages = ['README.md', ...globSync('docs/{guide.md,systems/*.md}', { cwd: REPOSITORY })];

describe('the words of docs/style.md', () => {
  const texts = programTexts();

  test.each(OLD)('no text says %s', (old) => {
    expect(
      texts.filter(({ text }) => old.test(text)).map(({ file, line, text }) => `${file}:${line} ${text}`),
    ).toEqual([]);
  });

  test.each(pages)('%s uses none of them', (page) => {
    const lines = readFileSync(join(REPOSITORY, page), 'utf8').split('\n');
    expect(lines.filter((line) => OLD.some(([old]) => old.test(line)))).toEqual([]);
  });
});
