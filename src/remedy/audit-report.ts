import { problemText } from '../audit/audit-problems.ts';
import type { Outcome } from '../model/action.ts';
import type { AuditRecord } from '../model/run.ts';
import { fold } from '../text/nodeset.ts';
import { code } from '../text/markdown.ts';
import { loggedActions, type LoggedAction, isOpen } from '../audit/logged-actions.ts';
import { worstOutcome } from '../audit/log-entries.ts';

export interface ReportParts {
  site: string;
  /** Records of the time in question, oldest first. */
  records: readonly AuditRecord[];
  /** All records, with those carried over from a sealed log: an intent before that time may still be open. */
  all: readonly AuditRecord[];
  /** What is wrong with the log. */
  problems: readonly { line: number; text: string }[];
  since?: number;
  now: number;
  /** An instant as people here write it. */
  time(at: number): string;
}

/** The night's hand-over as Markdown: what is open first, then what was done by whom, what was refused, and the rest. */
export const auditReport = (parts: ReportParts): string => {
  const { records, site, problems, time } = parts;
  const everything = loggedActions(parts.all);
  const open = everything.filter(isOpen);
  const inTime = new Set(records.map(({ hash }) => hash));
  const runs = [...Map.groupBy(everything, ({ run }) => run).values()].filter((items) =>
    items.some(({ intent }) => inTime.has(intent.hash)),
  );
  const refused = records.filter(({ kind }) => kind === 'refused');
  const other = records.filter(({ kind }) =>
    ['sealed', 'lockBroken', 'shell', 'note', 'recovered'].includes(kind),
  );
  const from = parts.since === undefined ? 'the beginning' : time(parts.since);
  return [
    `# Hand-over: ${code(site)}`,
    '',
    `From ${from} to ${time(parts.now)}.`,
    problems.length === 0
      ? 'The audit log is whole.'
      : `**The audit log is damaged:** ${problems.map(problemText).join('; ')}.`,
    ...section(
      'Outcome unknown',
      open.map((one) => openLine(one, time)),
      'nothing',
    ),
    ...section(
      'Done',
      runs.map((items) => runLine(items, time)),
      'nothing was changed',
    ),
    ...section(
      'Refused',
      refused.map((one) => recordLine(one, time)),
      'nothing',
    ),
    ...section(
      'Other records',
      other.map((one) => recordLine(one, time)),
      'nothing',
    ),
    '',
  ].join('\n');
};

const section = (title: string, lines: readonly string[], empty: string): string[] => [
  '',
  `## ${title}`,
  '',
  ...(lines.length === 0 ? [empty] : lines),
];

const openLine = ({ intent, action, subject, text }: LoggedAction, time: (at: number) => string): string =>
  `- **${subject.kind}** ${code(subject.id)}: ${code(action)} by ${code(intent.operator)} at ${time(Date.parse(intent.at))}: ${text === undefined ? 'no result was written' : code(text)}`;

/** One run: when, who, what, on what, with what outcome; each target that is not simply done on a line of its own. */
const runLine = (items: readonly LoggedAction[], time: (at: number) => string): string => {
  const [first] = items;
  if (first === undefined) return '';
  const { intent, detail, action } = first;
  const outcomes = items.map((one): Outcome => one.outcome ?? 'unknown');
  const undone = items.every((one) => one.undone) ? ', undone later' : '';
  const exceeded = detail.exceeded.map(
    ({ guard, reason }) => `guard ${code(guard)} exceeded: ${code(reason)}`,
  );
  const reason = detail.parameters['reason'];
  return [
    `- ${time(Date.parse(intent.at))} ${code(intent.operator)}: ${code(detail.title)} (${code(action)}) on ${code(fold(items.map(({ subject }) => subject.id)))}: **${worstOutcome(outcomes)}**${undone}`,
    ...(typeof reason === 'string' && reason !== '' ? [`  - reason: ${code(reason)}`] : []),
    ...exceeded.map((text) => `  - ${text}`),
    ...items
      .filter(({ outcome }) => outcome !== 'done')
      .map(
        (one) => `  - ${code(one.subject.id)}: ${one.outcome ?? 'no result was written'}${saidOf(one, ': ')}`,
      ),
    ...(items.length === 1 && first.outcome === 'done' ? [saidOf(first, '  - ')] : []),
  ]
    .filter((line) => line !== '')
    .join('\n');
};

/** What was written of how it ended, after these characters; nothing: of an older version. */
const saidOf = ({ text = '' }: LoggedAction, before: string): string =>
  text === '' ? '' : before + code(text);

const recordLine = (record: AuditRecord, time: (at: number) => string): string => {
  const { at, operator, kind, action, target, detail } = record;
  const what = [action, target]
    .filter((one): one is string => one !== undefined && one !== '')
    .map((one) => code(one));
  const said = [
    detail['guard'],
    detail['group'],
    detail['owner'],
    kind === 'sealed' ? '' : detail['reason'],
    detail['text'],
  ]
    .filter((one) => typeof one === 'string' && one !== '')
    .map((one) => code(String(one)));
  return `- ${time(Date.parse(at))} ${code(operator)}: ${kind} ${[...what, ...said].join(': ')}`;
};
