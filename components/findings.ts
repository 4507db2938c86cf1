import type { RankedFinding } from '../src/model/finding.ts';
import { clock, moment } from '../src/text/ages.ts';
import { count } from '../src/text/units.ts';
import { asOf } from './as-of.ts';
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

const made = new WeakMap<RankedFinding, { depth: number; row: Row }>();

/** `repair (optic): swapped` */
const noteText = ({ kind, part, text }: Note): string =>
  kind === 'repair' ? `repair${part === undefined ? '' : ` (${part})`}: ${text}` : text;

/** `explains 3 more`, and that the worst of them is worse. */
export const explainsText = ({ explains, worst }: RankedFinding): string =>
  explains === 0 ? '' : `explains ${explains} more${worst === undefined ? '' : `, up to ${worst}`}`;

const summaryOf = (finding: RankedFinding, depth: number): string => {
  const more = finding.explains > 0 ? ` (${explainsText(finding)}: →)` : '';
  const effect = '  '.repeat(depth);
  const acked =
    finding.acked === undefined
      ? ''
      : ` · acked by ${finding.acked.who} until ${moment(finding.acked.until, finding.acked.at)}: ${finding.acked.text}`;
  return `${effect}${asOf(finding)}${finding.summary}${more}${acked}`;
};

const rowOf = ({ finding, depth }: Placed): Row => {
  const known = made.get(finding);
  if (known?.depth === depth) return known.row;
  const sources = finding.evidence.flatMap((one) =>
    one.probe !== undefined && one.host !== undefined ? [{ probe: one.probe, host: one.host }] : [],
  );
  const row: Row = {
    key: finding.id,
    subject: finding.subject,
    sign: finding.worst ?? finding.severity,
    ...(finding.explainedBy !== undefined && { under: finding.explainedBy }),
    cells: {
      system: { text: finding.system },
      summary: { text: summaryOf(finding, depth) },
      since: { text: '', age: finding.since },
    },
    search: `${finding.kind} ${finding.subject.id}`,
    sources: sources.filter(
      (one, index) =>
        sources.findIndex((other) => other.probe === one.probe && other.host === one.host) === index,
    ),
    ...(finding.members && { members: finding.members }),
    ...(finding.beside && { beside: finding.beside }),
    ...(finding.acked && { dim: true as const }),
    ...(finding.notes?.[0] && { note: noteText(finding.notes[0]) }),
  };
  made.set(finding, { depth, row });
  return row;
};

interface Placed {
  finding: RankedFinding;
  /** How many causes stand above it. */
  depth: number;
}

/** Each cause followed by what it explains, in the order of the ranking. */
const asTree = (findings: readonly RankedFinding[]): readonly Placed[] => {
  const under = Map.groupBy(findings, ({ explainedBy }) => explainedBy);
  const place = (finding: RankedFinding, depth: number): readonly Placed[] => [
    { finding, depth },
    ...(under.get(finding.id) ?? []).flatMap((one) => place(one, depth + 1)),
  ];
  return (under.get(undefined) ?? []).flatMap((finding) => place(finding, 0));
};

const findingsBlock = (findings: readonly RankedFinding[]): TableBlock => ({
  type: 'table',
  id: FINDINGS,
  columns,
  rows: asTree(findings).map(rowOf),
  empty: 'nothing found: all fine',
});

/** A head for the findings, so that what draws panes draws them too. */
export const findingsHead = (findings: readonly RankedFinding[]): PaneHead => ({
  id: FINDINGS,
  title: 'Findings',
  summary: 'worst first',
  sign: findings[0]?.worst ?? findings[0]?.severity ?? 'fine',
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
        ...fact(
          'as of',
          finding.lastRead === undefined
            ? ''
            : `${clock(finding.lastRead)}: what it rests on could not be read again since`,
        ),
        ...fact('hurts', hurts.join(' · ')),
        ...fact('advice', finding.advice),
        ...fact('caused by', cause?.summary),
        ...fact('because', finding.explainedWhy),
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
