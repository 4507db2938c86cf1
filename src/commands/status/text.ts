import type { RankedFinding } from '../../model/finding.ts';
import { textOf } from '../../model/words.ts';
import { age, clockTime } from '../../text/ages.ts';
import { count } from '../../text/units.ts';
import type { Report } from './report.ts';

/** Failing readings that are named one by one. */
const NAMED = 20;

const NOT_ASKED = { quick: 'not asked (--quick)', readOnly: 'not asked (read-only)' } as const;

/** Suspects of a finding that are named one by one. */
const SUSPECTS = 5;

/**
 * The report for people: findings worst first, one line each and below it, indented, where to look and what to do, on standard output;
 * readings that failed on standard error.
 */
export const statusLines = (report: Report, now: number): { out: string[]; err: string[] } => {
  const { document, findings, unreadable, leftOut } = report;
  const errors = document.readings.flatMap(({ state, error }) =>
    state === 'failed' && error ? [error] : [],
  );
  // A host that can't be reached has a finding of its own.
  const named = errors.filter(({ kind }) => kind !== 'connect').map(({ message }) => message);
  const good = document.readings.filter(({ state }) => state === 'fresh').length;
  return {
    out: [
      ...findings.flatMap((finding) => [findingText(finding, now), ...moreLines(finding)]),
      ...unreadable.map(({ system, reason }) => columns('unknown', system, `could not be read: ${reason}`)),
      ...(findings.length + unreadable.length === 0 ? [calmLine(document.site, good, errors.length)] : []),
    ],
    err: [
      ...named.slice(0, NAMED).map((message) => `not read: ${message}`),
      ...(named.length > NAMED ? [`not read: ${named.length - NAMED} more`] : []),
      ...leftOut.map(({ how, probes }) => `${NOT_ASKED[how]}: ${probes.join(', ')}`),
    ],
  };
};

const columns = (severity: string, system: string, text: string): string =>
  `${severity.padEnd(8)}  ${system.padEnd(7)}  ${text}`;

const findingText = (
  { severity, worst, system, summary, since, explainedBy, acked, notes = [] }: RankedFinding,
  now: number,
): string => {
  const when = `since ${clockTime(since, now)}, ${age(now - since)}`;
  const itself = worst === undefined ? '' : `itself a ${severity}, explains a ${worst} finding; `;
  const why = explainedBy === undefined ? '' : `; explained by ${explainedBy}`;
  const known = acked
    ? `; acknowledged by ${acked.who} until ${clockTime(acked.until, now)}: "${acked.text}"`
    : '';
  const [note] = notes;
  const noted = note ? `; ${note.who} noted at ${clockTime(note.at, now)}: "${note.text}"` : '';
  return columns(worst ?? severity, system, `${textOf(summary)} (${itself}${when}${why}${known}${noted})`);
};

/** Each suspect with cause and confidence, the first to look at first, and what to do. */
const moreLines = ({ suspects = [], advice }: RankedFinding): string[] =>
  [
    ...suspects
      .slice(0, SUSPECTS)
      .map(({ subject, cause, confidence }) => `suspect ${subject.id}: ${cause}, confidence ${confidence}`),
    ...(suspects.length > SUSPECTS ? [`${count(suspects.length - SUSPECTS, 'suspect')} more: --json`] : []),
    ...(advice === undefined ? [] : [`advice: ${textOf(advice)}`]),
  ].map((text) => `${' '.repeat(19)}${text}`);

const calmLine = (site: string, good: number, failed: number): string => {
  if (good + failed === 0) return `${site}: unknown, no host of the site file has a role that is asked here`;
  if (failed === 0) return `${site}: fine, no findings in ${count(good, 'reading')}`;
  return `${site}: no findings, but ${failed} of ${count(good + failed, 'reading')} failed`;
};
