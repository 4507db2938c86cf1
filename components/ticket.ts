import type { RankedFinding } from '../src/model/finding.ts';
import type { RawEvidence } from '../src/model/wire.ts';
import { block, code } from '../src/text/markdown.ts';
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

const answerLines = ({ probe, host, at, durationMs, ended, command, stdout, stderr }: RawEvidence) =>
  part(`${code(probe)} on ${code(host)}`, [
    `Asked ${utc(at)}, took ${Math.round(durationMs)} ms: ${code(ended)}`,
    '',
    ...block(command, 30),
    ...(stdout === '' ? [] : ['', ...block(stdout)]),
    ...(stderr === '' ? [] : ['', ...block(stderr, 20)]),
  ]);

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
    ...answers.flatMap(answerLines),
    '',
  ].join('\n');
};
