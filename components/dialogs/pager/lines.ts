import { clock, moment } from '../../../src/text/ages.ts';
import { visible } from '../../../src/text/safe.ts';
import { grouped } from '../../../src/text/units.ts';
import { wrap } from '../../../src/text/width.ts';
import type { LogEntry } from '../../../src/model/run.ts';
import type { PaneHead, RawEvidence } from '../../../src/model/wire.ts';
import type { Block } from '../../../src/model/view.ts';
import { freshArea } from '../../ui.ts';
import { fixedLines } from '../../blocks/fixed.ts';
import { itemLines } from '../../blocks/item.ts';
import { narrowTable } from '../../blocks/narrow-table.ts';
import { availableKeys, keysShown } from '../../keys.ts';
import { keepPer } from '../../keep.ts';
import { makeList } from '../../list.ts';
import { blank, cell, joinPieces, paintWrapped, type Painted } from '../../paint.ts';
import { ruleLine } from '../../frame.ts';
import type { Style, Theme } from '../../theme.ts';
import type { PagerContent } from '../../ui.ts';

/** Lines of text longer than this are hard to read on: the eye does not find the next one. */
const PROSE = 160;

/** Blocks from top to bottom without a cursor: a row's detail, a host's page. No table is wider than what stands in it. */
export const blockLines = (
  theme: Theme,
  blocks: readonly Block[],
  width: number,
  now: number,
): readonly Painted[] => {
  const head: PaneHead = {
    id: '',
    title: '',
    summary: '',
    sign: 'fine',
    wall: '',
    sources: [],
    notUnderstood: 0,
    blocks: blocks.map((block) => (block.type === 'table' ? narrowTable(block, now) : block)),
  };
  const prose = Math.min(width, PROSE);
  const list = makeList(head, new Map(), freshArea, (block) => fixedLines(theme, block, prose, now).length);
  const look = {
    theme,
    width,
    prose,
    now,
    focused: false,
    area: freshArea,
    cursor: undefined,
    empty: (words: string) => words,
  };
  return itemLines(list.items, look);
};

const raw = (theme: Theme, text: string, width: number, style: Style = 'plain'): readonly Painted[] =>
  text
    .split('\n')
    .flatMap((line) =>
      hardWrap(visible(line, Infinity), width - 2).map((part) =>
        joinPieces(blank(2), cell(theme, part, width - 2, style)),
      ),
    );

/** Raw output keeps its blanks: cut at the width, not at words. */
const hardWrap = (text: string, width: number): readonly string[] => {
  if (text.length <= width) return [text];
  if (!/^[\x20-\x7e]*$/.test(text)) return wrap(text, width);
  return Array.from({ length: Math.ceil(text.length / width) }, (_, index) =>
    text.slice(index * width, (index + 1) * width),
  );
};

const prose = (theme: Theme, text: string, width: number, style: Style = 'plain'): readonly Painted[] =>
  paintWrapped(theme, text, width - 1, style).map((line) => joinPieces(blank(1), line));

const evidenceLines = (
  theme: Theme,
  answers: readonly RawEvidence[],
  width: number,
  now: number,
): readonly Painted[] =>
  answers.flatMap((answer) => [
    ruleLine(
      theme,
      `${answer.probe} on ${answer.host}`,
      { text: answer.ended, style: answer.ended === 'exit 0' ? 'dim' : 'warning' },
      width,
      false,
    ),
    ...prose(
      theme,
      `asked ${clock(answer.at)}, took ${grouped(Math.round(answer.durationMs))} ms, ${moment(answer.at, now)}`,
      width,
      'dim',
    ),
    ...raw(theme, answer.command, width, 'bold'),
    ...section(theme, 'reading', answer.reading, width),
    ...section(theme, 'stdout', answer.stdout, width),
    ...section(theme, 'stderr', answer.stderr, width),
    blank(width),
  ]);

const section = (theme: Theme, name: string, text: string, width: number): readonly Painted[] => [
  cell(theme, ` ${name}${text === '' ? ': empty' : `, ${grouped(text.length)} characters`}`, width, 'accent'),
  ...(text === '' ? [] : raw(theme, text, width)),
];

/** A run or another entry of the audit log: what it was and what came of it; then its records, or how they are shown. */
const entryLines = (
  theme: Theme,
  { entry, raw: isRaw }: Extract<PagerContent, { type: 'entry' }>,
  width: number,
  now: number,
): readonly Painted[] => {
  const { operator, console: host, what, title, on, at, endedAt, commands, records } = entry;
  const shown = commands.slice(0, MOST_COMMANDS);
  return [
    cell(theme, ` ${title}`, width, 'bold'),
    ...detailEntry(theme, 'when', momentsText(at, endedAt, now), width),
    ...detailEntry(theme, 'who', `${operator} on ${host}`, width),
    ...detailEntry(theme, 'what', what, width),
    ...detailEntry(theme, 'on', on, width),
    ...detailEntry(theme, 'outcome', outcomeText(entry), width),
    ...detailEntry(theme, 'run', entry.run ?? '', width),
    ...detailEntry(theme, 'undo', undoLine(entry), width),
    ...(entry.targets.length === 0 ? detailEntry(theme, 'why', entry.text, width) : [blank(width)]),
    ...entry.targets.flatMap(({ subject, outcome = 'unknown', text }) =>
      prose(theme, `${subject.id}  ${outcome}: ${text}`, width, outcomeStyle(outcome)),
    ),
    ...(shown.length > 0 ? [blank(width), cell(theme, ' commands', width, 'accent')] : []),
    ...shown.flatMap((command) => raw(theme, command, width)),
    ...(commands.length > shown.length
      ? prose(
          theme,
          `${grouped(commands.length - shown.length)} more commands: d shows every record`,
          width,
          'dim',
        )
      : []),
    blank(width),
    ...(isRaw
      ? records.flatMap((record) => [
          cell(theme, ` record ${record.seq}, ${record.kind}, ${record.at}`, width, 'accent'),
          ...Object.entries({ ...record, ...record.detail }).flatMap(([name, value]) =>
            name === 'detail' ? [] : detailEntry(theme, name, value, width),
          ),
        ])
      : prose(theme, `${grouped(records.length)} records as written: d`, width, 'dim')),
  ];
};

/** A run of hundreds of targets sends as many commands: the first say what they are like. */
const MOST_COMMANDS = 20;

const momentsText = (at: number, endedAt: number, now: number): string => {
  const day = moment(at, now);
  const from = clock(at).startsWith(day) ? clock(at) : `${day} ${clock(at)}`;
  return endedAt - at < 1000 ? from : `${from} to ${clock(endedAt)}`;
};

/** `done, undone later`. */
export const outcomeText = ({ outcome, open, undone }: LogEntry): string =>
  [
    open ? 'no result yet' : outcome,
    undone === 'whole' ? 'undone later' : undone === 'part' ? 'undone in part' : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(', ');

const undoLine = ({ run, undoable, undoText }: LogEntry): string => {
  if (run === undefined) return '';
  return undoable.length === 0
    ? `none${undoText === undefined ? '' : `: ${undoText}`}`
    : `u, or faultline act undo:${run}`;
};

export const outcomeStyle = (outcome: LogEntry['outcome']): Style => {
  if (outcome === 'failed' || outcome === 'unknown') return 'critical';
  return outcome === 'refused' || outcome === 'undone' ? 'warning' : 'plain';
};

/** `name   value`, the value over as many lines as it takes; empty ones are left out. */
const detailEntry = (theme: Theme, name: string, value: unknown, width: number): readonly Painted[] => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === '' || text === '[]' || text === '{}' || text === undefined) return [];
  const label = 22;
  return hardWrap(visible(text), Math.max(10, width - label - 1)).map((part, index) =>
    joinPieces(
      cell(theme, index === 0 ? `      ${name}` : '', label, 'dim'),
      cell(theme, part, width - label, 'dim'),
    ),
  );
};

/** What the system has to say, the keys of the place where `?` was pressed, then all others. */
const helpLines = (
  theme: Theme,
  { sections, about }: Extract<PagerContent, { type: 'help' }>,
  readOnly: boolean,
  width: number,
): readonly Painted[] => [
  ...(about ? [cell(theme, ` ${about.title}`, width, 'bold')] : []),
  ...(about ? [...about.lines.flatMap((line) => prose(theme, line, width)), blank(width)] : []),
  ...sections.flatMap(({ title, keys }) => [
    cell(theme, ` ${title}`, width, 'bold'),
    ...availableKeys(keys, readOnly).flatMap((key) =>
      paintWrapped(theme, key.text, Math.max(10, width - 25)).map((text, index) =>
        joinPieces(blank(3), cell(theme, index === 0 ? keysShown(key) : '', 22, 'accent'), text),
      ),
    ),
    blank(width),
  ]),
  ...prose(theme, 'signs: ✖ critical  ! warning  · notice  ✓ fine  ? unknown  ⏸ stale', width),
  ...prose(
    theme,
    'No single key changes a machine: an action shows its exact commands first and asks.',
    width,
  ),
];

const contentLines = (
  content: PagerContent,
  theme: Theme,
  width: number,
  now: number,
  readOnly: boolean,
): readonly Painted[] => {
  if (content.type === 'waiting') return [cell(theme, ` ${content.text}`, width, 'dim')];
  if (content.type === 'blocks') return blockLines(theme, content.blocks, width, now);
  if (content.type === 'evidence') return evidenceLines(theme, content.answers, width, now);
  if (content.type === 'entry') return entryLines(theme, content, width, now);
  if (content.type === 'help') return helpLines(theme, content, readOnly, width);
  return content.lines.flatMap((line) => raw(theme, line, width));
};

/** All lines of a pager; made once per content and width (evidence can be a megabyte). */
export const pagerLines = keepPer(
  contentLines,
  (content, { colour, unicode }, width, now) =>
    `${width}|${colour}|${unicode}|${content.type === 'blocks' ? now : ''}`,
);
