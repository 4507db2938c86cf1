import { clock, moment } from '../../../src/text/ages.ts';
import { visible } from '../../../src/text/safe.ts';
import { grouped } from '../../../src/text/units.ts';
import { wrap } from '../../../src/text/width.ts';
import type { AuditRecord } from '../../../src/model/run.ts';
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

const recordLine = (record: AuditRecord, now: number): string =>
  [
    `${record.seq}`,
    moment(Date.parse(record.at), now),
    record.operator,
    record.kind,
    record.action,
    record.target,
    record.outcome === undefined ? undefined : `-> ${record.outcome}`,
  ]
    .filter((part) => part !== undefined)
    .join('  ');

const auditStyle = (record: AuditRecord): Style => {
  if (record.outcome === 'failed' || record.outcome === 'unknown') return 'critical';
  return record.kind === 'refused' || record.outcome === 'refused' ? 'warning' : 'plain';
};

const auditLines = (
  theme: Theme,
  content: Extract<PagerContent, { type: 'audit' }>,
  width: number,
  now: number,
) => {
  const { records, verified, problem } = content.audit;
  const state: Painted = verified
    ? cell(
        theme,
        ` ✓ the chain of hashes is whole (${grouped(records.length)} records shown, newest first)`,
        width,
        'good',
      )
    : cell(theme, ` ✖ the log does not verify: ${problem ?? 'no reason given'}`, width, 'critical');
  const lines = records
    .toReversed()
    .flatMap((record) => [
      ...prose(theme, recordLine(record, now), width, auditStyle(record)),
      ...Object.entries(record.detail).flatMap(([name, value]) => detailEntry(theme, name, value, width)),
    ]);
  return [
    state,
    blank(width),
    ...lines,
    ...(records.length === 0 ? prose(theme, 'no records', width, 'dim') : []),
  ];
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
  if (content.type === 'audit') return auditLines(theme, content, width, now);
  if (content.type === 'help') return helpLines(theme, content, readOnly, width);
  return content.lines.flatMap((line) => raw(theme, line, width));
};

/** All lines of a pager; made once per content and width (evidence can be a megabyte). */
export const pagerLines = keepPer(
  contentLines,
  (content, { colour, unicode }, width, now) =>
    `${width}|${colour}|${unicode}|${content.type === 'blocks' ? now : ''}`,
);
