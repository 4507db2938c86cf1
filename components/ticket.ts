import type { RankedFinding } from '../src/model/finding.ts';
import type { RawEvidence } from '../src/model/wire.ts';
import { block, code } from '../src/text/markdown.ts';

export interface TicketParts {
  site: string;
  finding: RankedFinding;
  /** All findings: for the cause and the effects. */
  all: readonly RankedFinding[];
  answers: readonly RawEvidence[];
  now: number;
}

const utc = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

const line = (name: string, value: string | undefined): string[] =>
  value === undefined || value === '' ? [] : [`- ${name}: ${code(value)}`];

/**
 * A finding with its evidence, commands and times as Markdown for the ticket. Times are UTC: the ticket is read elsewhere. Whatever
 * machines or people wrote stands in code spans and blocks, made visible.
 */
export const ticketText = ({ site, finding, all, answers, now }: TicketParts): string => {
  const { hurt, subject, acked, notes = [] } = finding;
  const cause = all.find(({ id }) => id === finding.explainedBy);
  const effects = all.filter(({ explainedBy }) => explainedBy === finding.id);
  const hurts = [
    hurt.nodes === undefined ? '' : `${hurt.nodes} nodes`,
    hurt.jobs === undefined ? '' : `${hurt.jobs} jobs`,
    hurt.users?.join(', ') ?? '',
  ].filter(Boolean);
  return [
    `## ${code(finding.summary)}`,
    '',
    ...line('site', site),
    ...line('severity', finding.severity),
    ...line('on', `${subject.kind} ${subject.id}`),
    `- since: ${utc(finding.since)}, copied ${utc(now)}`,
    ...(finding.lastRead === undefined
      ? []
      : [`- as of ${utc(finding.lastRead)}: what it rests on could not be read again since`]),
    ...line('hurts', hurts.join('; ')),
    ...line('advice', finding.advice),
    ...line('caused by', cause?.summary),
    ...(acked ? [`- acknowledged by ${code(acked.who)} until ${utc(acked.until)}: ${code(acked.text)}`] : []),
    ...line('runbook', finding.runbook),
    ...line('contact', finding.contact),
    ...line('finding', finding.id),
    '',
    '### Evidence',
    '',
    ...finding.evidence.map(
      ({ text, host, at }) =>
        `- ${code(text)}${host === undefined ? '' : ` on ${code(host)}`}${at === undefined ? '' : ` at ${utc(at)}`}`,
    ),
    ...(effects.length === 0
      ? []
      : ['', '### Explains', '', ...effects.map(({ summary }) => `- ${code(summary)}`)]),
    ...(notes.length === 0
      ? []
      : [
          '',
          '### Notes',
          '',
          ...notes.map(
            ({ at, who, subject: on, text }) =>
              `- ${utc(at)} ${code(who)} on ${code(on.id)}: ${code(text, 3000)}`,
          ),
        ]),
    ...answers.flatMap((one) => [
      '',
      `### ${code(one.probe)} on ${code(one.host)}`,
      '',
      `Asked ${utc(one.at)}, took ${Math.round(one.durationMs)} ms: ${code(one.ended)}`,
      '',
      ...block(one.command, 30),
      ...(one.stdout === '' ? [] : ['', ...block(one.stdout)]),
      ...(one.stderr === '' ? [] : ['', ...block(one.stderr, 20)]),
    ]),
    '',
  ].join('\n');
};
