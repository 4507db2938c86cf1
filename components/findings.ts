import type { RankedFinding } from '../src/model/finding.ts';
import { clock, clockTime } from '../src/text/ages.ts';
import { count, percent } from '../src/text/units.ts';
import { fixedTable } from './fixed-table.ts';
import { memoPerObject } from './keep.ts';
import { textOf } from '../src/model/words.ts';
import type { Note } from '../src/model/note.ts';
import type { EvidenceSource } from '../src/model/evidence.ts';
import type { Fixed, PaneHead } from '../src/model/wire.ts';
import type { Block, Cell, FactsBlock, Row, TableBlock, TextBlock } from '../src/model/view.ts';

/** The findings are a pane like any other: cursor, filter, marks, zoom and actions come for free. */
export const FINDINGS = 'findings';

const columns: TableBlock['columns'] = [
  { id: 'system', title: 'SYSTEM', min: 7 },
  // What and where stand in the first 55 columns of a summary: these never go.
  { id: 'summary', title: 'WHAT', min: 55, grow: 1 },
  { id: 'hurt', title: 'HURTS', min: 26, drop: 1 },
  { id: 'since', title: 'SINCE', align: 'right', min: 10 },
];

/** Where at least one finding has a course to show. */
const trendColumn: TableBlock['columns'][number] = { id: 'trend', title: 'LAST HOUR', min: 12, drop: 2 };

const columnsFor = (findings: readonly RankedFinding[]): TableBlock['columns'] =>
  findings.some(({ trend }) => trend !== undefined)
    ? columns.flatMap((column) => (column.id === 'since' ? [trendColumn, column] : column))
    : columns;

/** `repair (optic): swapped` */
const noteText = ({ kind, part, text }: Note): string =>
  kind === 'repair' ? `repair${part === undefined ? '' : ` (${part})`}: ${text}` : text;

/** In front of what a finding says that could not be read again: whether it is still so, nobody knows. */
export const lastReadText = ({ lastRead }: Pick<RankedFinding, 'lastRead'>): string =>
  lastRead === undefined ? '' : `⏸ as of ${clock(lastRead)}: `;

/** `explains 3 more`, and that the worst of them is worse. */
export const explainsText = ({ explains, worst }: RankedFinding): string =>
  explains === 0 ? '' : `explains ${explains} more${worst === undefined ? '' : `, up to ${worst}`}`;

/** `depth`: how many causes stand above it. */
const summaryOf = (finding: RankedFinding, depth: number): string => {
  const { acked, explains, summary } = finding;
  const more = explains > 0 ? ` (${explainsText(finding)}: →)` : '';
  const until = acked && ` · acked by ${acked.who} until ${clockTime(acked.until, acked.at)}: ${acked.text}`;
  return `${'  '.repeat(depth)}${lastReadText(finding)}${textOf(summary)}${more}${until ?? ''}`;
};

/** `3 nodes`, `12 jobs of alice, bob`, `36 clients`, `12 % of batch`. */
export const hurtTexts = ({ hurt }: RankedFinding): readonly string[] =>
  [
    hurt.jobs === undefined ? '' : count(hurt.jobs, 'job'),
    hurt.users === undefined || hurt.users.length === 0 ? '' : usersText(hurt.users),
    hurt.clients === undefined ? '' : count(hurt.clients, 'client'),
    hurt.nodes === undefined ? '' : count(hurt.nodes, 'node'),
    hurt.share === undefined ? '' : `${percent(hurt.share.part)} of ${hurt.share.of}`,
  ].filter(Boolean);

const usersText = (users: readonly string[]): string =>
  users.length > 2 ? count(users.length, 'user') : users.join(' and ');

/** What its evidence was read from, each once. */
const sourcesOf = ({ evidence }: RankedFinding): readonly { probe: string; host: string }[] => {
  const named = evidence.flatMap(({ probe, host }) =>
    probe === undefined || host === undefined ? [] : [{ probe, host }],
  );
  return [...new Map(named.map((source) => [`${source.probe} ${source.host}`, source])).values()];
};

/** The same with what of each the finding is about. */
export const evidenceSources = (finding: RankedFinding): readonly EvidenceSource[] => {
  const { evidence, subject, members = [subject], beside = [] } = finding;
  return sourcesOf(finding).map(({ probe, host }) => {
    const own = evidence.filter((one) => one.probe === probe && one.host === host);
    const words = own.flatMap((one) => one.words ?? []);
    const about = [...new Set([...own.flatMap((one) => one.about ?? []), ...members, ...beside])];
    return { probe, host, about, ...(words.length > 0 && { words }) };
  });
};

/** The age of what began then; of what was only seen then, when that was. */
const sinceCell = ({ since, sinceIs }: RankedFinding): Cell =>
  sinceIs === 'seen' ? { text: 'seen', at: since } : { text: '', age: since };

const rowOf = memoPerObject(
  (finding: RankedFinding, depth: number): Row => ({
    key: finding.id,
    subject: finding.subject,
    sign: finding.worst ?? finding.severity,
    ...(finding.explainedBy !== undefined && { under: finding.explainedBy }),
    cells: {
      system: { text: finding.system },
      summary: { text: summaryOf(finding, depth) },
      ...(hurtTexts(finding).length > 0 && { hurt: { text: hurtTexts(finding).join(', ') } }),
      ...(finding.trend && { trend: { text: '', trend: finding.trend } }),
      since: sinceCell(finding),
    },
    search: `${finding.kind} ${finding.subject.id}`,
    sources: sourcesOf(finding),
    ...(finding.members && { members: finding.members }),
    ...(finding.beside && { beside: finding.beside }),
    ...(finding.acked && { dim: true as const }),
    ...(finding.notes?.[0] && { note: noteText(finding.notes[0]) }),
  }),
  (_, depth) => depth,
);

/** Each cause followed by what it explains, one step further in, in the order of the ranking. */
const treeRows = (findings: readonly RankedFinding[]): readonly Row[] => {
  const effects = Map.groupBy(findings, ({ explainedBy }) => explainedBy);
  const place = (finding: RankedFinding, depth: number): readonly Row[] => [
    rowOf(finding, depth),
    ...(effects.get(finding.id) ?? []).flatMap((effect) => place(effect, depth + 1)),
  ];
  return (effects.get(undefined) ?? []).flatMap((finding) => place(finding, 0));
};

/** A head for the findings, so that what draws panes draws them too; one object per list, so that its list is made once. */
const headOf = memoPerObject(
  (findings: readonly RankedFinding[], fixed: readonly Fixed[]): PaneHead => ({
    id: FINDINGS,
    title: 'Findings',
    summary: 'worst first',
    sign: findings[0]?.worst ?? findings[0]?.severity ?? 'fine',
    wall: '',
    sources: [],
    notUnderstood: 0,
    blocks: [
      {
        type: 'table',
        id: FINDINGS,
        columns: columnsFor(findings),
        rows: treeRows(findings),
        empty: 'nothing found: all fine',
      },
      ...(fixed.length === 0 ? [] : [fixedTable(fixed)]),
    ],
  }),
  (_, fixed) => fixed,
);

const none: readonly RankedFinding[] = [];

const noneFixed: readonly Fixed[] = [];

export const findingsHead = (
  findings: readonly RankedFinding[] = none,
  fixed: readonly Fixed[] = noneFixed,
): PaneHead => headOf(findings, fixed);

const fact = (name: string, text: string | 0 | false | undefined): readonly { name: string; cell: Cell }[] =>
  !text ? [] : [{ name, cell: { text } }];

/** A finding's cause and what it explains itself. */
export const relatives = ({ id, explainedBy }: RankedFinding, all: readonly RankedFinding[]) => ({
  cause: all.find((other) => other.id === explainedBy),
  effects: all.filter((other) => other.explainedBy === id),
});

const textBlock = (id: string, title: string, lines: TextBlock['lines']): readonly TextBlock[] =>
  lines.length === 0 ? [] : [{ type: 'text', id, title, lines }];

const findingFacts = (
  finding: RankedFinding,
  cause: RankedFinding | undefined,
  now: number,
): FactsBlock['facts'] => {
  const { summary, severity, subject, since, sinceIs, lastRead, acked, plannedUntil } = finding;
  return [
    { name: 'what', cell: { text: textOf(summary), sign: severity } },
    { name: 'on', cell: { text: `${subject.kind} ${subject.id}` } },
    sinceIs === 'seen'
      ? { name: 'first seen', cell: { text: `${clockTime(since, now)},`, age: since } }
      : { name: 'since', cell: { text: `${clockTime(since, now)},`, age: since } },
    ...fact('as of', lastRead && `${clock(lastRead)}: what it rests on could not be read again since`),
    ...fact('hurts', hurtTexts(finding).join(' · ')),
    ...fact('users', (finding.hurt.users?.length ?? 0) > 2 && finding.hurt.users?.join(', ')),
    ...fact('advice', textOf(finding.advice)),
    ...fact('caused by', textOf(cause?.summary)),
    ...fact('because', textOf(finding.explainedWhy)),
    ...fact(
      'acked',
      acked &&
        `by ${acked.who} at ${clockTime(acked.at, now)} until ${clockTime(acked.until, now)}: ${acked.text}`,
    ),
    ...fact('planned until', plannedUntil && clockTime(plannedUntil, now)),
    ...fact('runbook', finding.runbook),
    ...fact('contact', finding.contact),
  ];
};

/** What a finding says of itself, above what its system knows of the subject. */
export const findingDetail = (
  finding: RankedFinding,
  all: readonly RankedFinding[],
  now: number,
): readonly Block[] => {
  const { cause, effects } = relatives(finding, all);
  const { evidence, notes = [] } = finding;
  return [
    { type: 'facts', id: 'finding', facts: findingFacts(finding, cause, now) },
    {
      type: 'text',
      id: 'evidence',
      title: 'Evidence',
      lines: evidence.map(({ text, host, probe, at }) => ({
        text: host === undefined ? textOf(text) : `${textOf(text)} (${host}${probe ? `, ${probe}` : ''})`,
        ...(at !== undefined && { age: at }),
      })),
    },
    ...textBlock(
      'notes',
      'Notes',
      notes.map((note) => ({
        text: `${clockTime(note.at, now)} ${note.who} on ${note.subject.id}: ${noteText(note)}`,
      })),
    ),
    ...textBlock(
      'effects',
      'Explains',
      effects.map(({ summary, severity }) => ({ text: textOf(summary), sign: severity })),
    ),
  ];
};
