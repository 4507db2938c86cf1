import type { RankedFinding } from '../src/model/finding.ts';
import { moment } from '../src/text/ages.ts';
import { count } from '../src/text/units.ts';
import type { Note } from '../src/model/note.ts';
import type { PaneHead } from '../src/model/wire.ts';
import type { Block, Cell, Row, TableBlock } from '../src/model/view.ts';

/** The findings are a pane like any other: cursor, filter, marks, zoom and actions come for free. */
export const FINDINGS = 'findings';

const columns: TableBlock['columns'] = [
  { id: 'system', title: 'SYSTEM', min: 8 },
  { id: 'summary', title: 'WHAT', min: 20, grow: 1 },
  { id: 'since', title: 'SINCE', align: 'right', min: 9 },
];

const made = new WeakMap<RankedFinding, Row>();

/** `repair (optic): swapped` */
const noteText = ({ kind, part, text }: Note): string =>
  kind === 'repair' ? `repair${part === undefined ? '' : ` (${part})`}: ${text}` : text;

const summaryOf = (finding: RankedFinding): string => {
  const more = finding.explains > 0 ? ` (explains ${finding.explains} more)` : '';
  const effect = finding.explainedBy === undefined ? '' : '  ';
  const planned =
    finding.plannedUntil === undefined ? '' : ` · planned until ${moment(finding.plannedUntil, 0)}`;
  const acked =
    finding.acked === undefined
      ? ''
      : ` · acked by ${finding.acked.who} until ${moment(finding.acked.until, finding.acked.at)}: ${finding.acked.text}`;
  return `${effect}${finding.summary}${more}${planned}${acked}`;
};

const rowOf = (finding: RankedFinding): Row => {
  const known = made.get(finding);
  if (known) return known;
  const sources = finding.evidence.flatMap((one) =>
    one.probe !== undefined && one.host !== undefined ? [{ probe: one.probe, host: one.host }] : [],
  );
  const row: Row = {
    key: finding.id,
    subject: finding.subject,
    sign: finding.severity,
    cells: {
      system: { text: finding.system },
      summary: { text: summaryOf(finding) },
      since: { text: '', age: finding.since },
    },
    search: `${finding.kind} ${finding.subject.id}`,
    sources: sources.filter(
      (one, index) =>
        sources.findIndex((other) => other.probe === one.probe && other.host === one.host) === index,
    ),
    ...(finding.members && { members: finding.members }),
    ...(finding.acked && { dim: true as const }),
    ...(finding.notes?.[0] && { note: noteText(finding.notes[0]) }),
  };
  made.set(finding, row);
  return row;
};

const findingsBlock = (findings: readonly RankedFinding[]): TableBlock => ({
  type: 'table',
  id: FINDINGS,
  columns,
  rows: findings.map(rowOf),
  empty: 'nothing found: all fine',
});

/** A head for the findings, so that what draws panes draws them too. */
export const findingsHead = (findings: readonly RankedFinding[]): PaneHead => ({
  id: FINDINGS,
  title: 'Findings',
  summary: 'worst first',
  sign: findings[0]?.severity ?? 'fine',
  wall: '',
  sources: [],
  notUnderstood: 0,
  blocks: [findingsBlock(findings)],
});

const fact = (name: string, text: string | undefined): readonly { name: string; cell: Cell }[] =>
  text === undefined || text === '' ? [] : [{ name, cell: { text } }];

/** What a finding says of itself, above what its system knows of the subject. */
export const findingDetail = (
  finding: RankedFinding,
  all: readonly RankedFinding[],
  now: number,
): readonly Block[] => {
  const { hurt } = finding;
  const hurts = [
    hurt.nodes === undefined ? '' : count(hurt.nodes, 'node'),
    hurt.jobs === undefined ? '' : count(hurt.jobs, 'job'),
    hurt.users === undefined ? '' : hurt.users.join(', '),
  ].filter(Boolean);
  const cause = all.find((one) => one.id === finding.explainedBy);
  const effects = all.filter((one) => one.explainedBy === finding.id);
  return [
    {
      type: 'facts',
      id: 'finding',
      facts: [
        { name: 'what', cell: { text: finding.summary, sign: finding.severity } },
        { name: 'on', cell: { text: `${finding.subject.kind} ${finding.subject.id}` } },
        { name: 'since', cell: { text: `${moment(finding.since, now)},`, age: finding.since } },
        ...fact('hurts', hurts.join(' · ')),
        ...fact('advice', finding.advice),
        ...fact('caused by', cause?.summary),
        ...fact(
          'acked',
          finding.acked &&
            `by ${finding.acked.who} at ${moment(finding.acked.at, now)} until ${moment(finding.acked.until, now)}: ${finding.acked.text}`,
        ),
        ...fact('planned until', finding.plannedUntil === undefined ? '' : moment(finding.plannedUntil, now)),
        ...fact('runbook', finding.runbook),
        ...fact('contact', finding.contact),
      ],
    },
    {
      type: 'text',
      id: 'evidence',
      title: 'Evidence',
      lines: finding.evidence.map((one) => ({
        text: [one.text, one.host === undefined ? '' : `(${one.host}${one.probe ? `, ${one.probe}` : ''})`]
          .filter(Boolean)
          .join(' '),
        ...(one.at !== undefined && { age: one.at }),
      })),
    },
    ...(finding.notes === undefined
      ? []
      : [
          {
            type: 'text' as const,
            id: 'notes',
            title: 'Notes',
            lines: finding.notes.map((one) => ({
              text: `${moment(one.at, now)} ${one.who} on ${one.subject.id}: ${noteText(one)}`,
            })),
          },
        ]),
    ...(effects.length === 0
      ? []
      : [
          {
            type: 'text' as const,
            id: 'effects',
            title: 'Explains',
            lines: effects.map((one) => ({ text: one.summary, sign: one.severity })),
          },
        ]),
  ];
};
