import type { RankedFinding } from '../src/model/finding.ts';
import type { Excerpt, RawEvidence } from '../src/model/evidence.ts';
import { block, code } from '../src/text/markdown.ts';
import { count } from '../src/text/units.ts';
import { hurtTexts, relatives } from './findings.ts';
import { textOf } from '../src/model/words.ts';

export interface TicketParts {
  site: string;
  finding: RankedFinding;
  /** All findings: for the cause and the effects. */
  all: readonly RankedFinding[];
  answers: readonly RawEvidence[];
  now: number;
}

const utc = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

const line = (name: string, value: string | undefined): readonly string[] =>
  value === undefined || value === '' ? [] : [`- ${name}: ${code(value)}`];

/** A part with its heading; nothing where there is nothing to list. */
const part = (heading: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : ['', `### ${heading}`, '', ...lines];

/** Lines of all answers together that a ticket gets: it is read on a telephone, too. */
const MOST_LINES = 30;
/** A script that asks is long; its begin says what it asks. */
const COMMAND_LINES = 4;

/** Lines of a text with their numbers; those that are marked first, then those around them, the nearest first. */
const byNearness = ({ parts }: Excerpt): readonly { at: number; text: string }[] => {
  const lines = parts.flatMap((part) =>
    'folded' in part ? [] : part.lines.map((line, index) => ({ ...line, at: part.at + index })),
  );
  const marks = lines.filter(({ mark }) => mark).map(({ at }) => at);
  const distance = (at: number): number =>
    marks.length === 0 ? at : Math.min(...marks.map((mark) => Math.abs(mark - at)));
  return lines.toSorted((a, b) => distance(a.at) - distance(b.at) || a.at - b.at);
};

/** The lines of a text that a ticket gets, in their order; what is left out is said. */
const excerptBlock = (excerpt: Excerpt, most: number): { used: number; lines: readonly string[] } => {
  const kept = byNearness(excerpt)
    .slice(0, most)
    .toSorted((a, b) => a.at - b.at);
  if (kept.length === 0) return { used: 0, lines: [] };
  const texts = kept.flatMap(({ at, text }, index) => {
    const skipped = at - (kept[index - 1]?.at ?? 0) - 1;
    return skipped > 0 ? [`(${count(skipped, 'line')})`, text] : [text];
  });
  const after = excerpt.lines - (kept.at(-1)?.at ?? 0);
  const all = after > 0 ? [...texts, `(${count(after, 'line')})`] : texts;
  return { used: kept.length, lines: ['', ...block(all.join('\n'), Infinity)] };
};

/** Each answer with its share of the lines; what one does not need goes to those behind it. */
const allAnswers = (answers: readonly RawEvidence[]): readonly string[] => {
  let room = MOST_LINES;
  return answers.flatMap((answer, index) => {
    const { probe, host, at, durationMs, ended, command } = answer;
    const share = Math.ceil(room / (answers.length - index));
    const said = excerptBlock(answer.stdout, share);
    const complained = excerptBlock(answer.stderr, share - said.used);
    room -= said.used + complained.used;
    return part(`${code(probe)} on ${code(host)}`, [
      `Asked ${utc(at)}, took ${Math.round(durationMs)} ms: ${code(ended)}`,
      '',
      ...block(command, COMMAND_LINES),
      ...said.lines,
      ...complained.lines,
    ]);
  });
};

/**
 * A finding with its evidence, commands and times as Markdown for the ticket. Times are UTC: the ticket is read elsewhere. Whatever
 * machines or people wrote stands in code spans and blocks, made visible.
 */
export const ticketText = ({ site, finding, all, answers, now }: TicketParts): string => {
  const { subject, acked, lastRead, notes = [] } = finding;
  const { cause, effects } = relatives(finding, all);
  const evidence = finding.evidence.map(
    ({ text, host, at }) =>
      `- ${code(textOf(text))}${host === undefined ? '' : ` on ${code(host)}`}${at === undefined ? '' : ` at ${utc(at)}`}`,
  );
  const noteLines = notes.map(
    ({ at, who, subject: on, text }) => `- ${utc(at)} ${code(who)} on ${code(on.id)}: ${code(text, 3000)}`,
  );
  return [
    `## ${code(textOf(finding.summary))}`,
    '',
    ...line('site', site),
    ...line('severity', finding.severity),
    ...line('on', `${subject.kind} ${subject.id}`),
    `- since: ${utc(finding.since)}, copied ${utc(now)}`,
    ...(lastRead === undefined
      ? []
      : [`- as of ${utc(lastRead)}: what it rests on could not be read again since`]),
    ...line('hurts', hurtTexts(finding).join('; ')),
    ...line('advice', textOf(finding.advice)),
    ...line('caused by', textOf(cause?.summary)),
    ...(acked ? [`- acknowledged by ${code(acked.who)} until ${utc(acked.until)}: ${code(acked.text)}`] : []),
    ...line('runbook', finding.runbook),
    ...line('contact', finding.contact),
    ...line('finding', finding.id),
    '',
    '### Evidence',
    '',
    ...evidence,
    ...part(
      'Explains',
      effects.map(({ summary }) => `- ${code(textOf(summary))}`),
    ),
    ...part('Notes', noteLines),
    ...allAnswers(answers),
    '',
  ].join('\n');
};
