import type { PaneHead } from '../../../src/model/wire.ts';
import type { Block } from '../../../src/model/view.ts';
import { freshArea } from '../../ui.ts';
import { fixedLines } from '../../blocks/fixed.ts';
import { itemLines } from '../../blocks/item.ts';
import { narrowTable } from '../../blocks/narrow-table.ts';
import type { HelpSection } from '../../help.ts';
import { availableKeys, keysShown, type Key } from '../../keys.ts';
import { memoPerObject } from '../../keep.ts';
import { makeList } from '../../list.ts';
import { blank, cell, joinPieces, paintWrapped, type Painted } from '../../paint.ts';
import { themeKey, type Theme } from '../../theme.ts';
import type { PagerContent } from '../../overlays.ts';
import { entryLines } from './entry.ts';
import { evidencePage } from './evidence.ts';
import { hangingLines, prose } from './text-lines.ts';

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
    drawEmpty: (words: string) => words,
  };
  return itemLines(list.items, look);
};

/** Columns of the help are as wide as this at least, with so much between them. */
const LEAST_COLUMN = 80;
const COLUMN_GAP = 2;

const sectionLines = (
  theme: Theme,
  { title, keys }: HelpSection,
  readOnly: boolean,
  width: number,
): readonly Painted[] => [
  cell(theme, ` ${title}`, width, 'bold'),
  ...availableKeys(keys, readOnly).flatMap((key) =>
    paintWrapped(theme, key.text, Math.max(10, width - 25)).map((text, index) =>
      joinPieces(blank(3), cell(theme, index === 0 ? keysShown(key) : '', 22, 'accent'), text),
    ),
  ),
  blank(width),
];

/** Sections one after the other in as many columns as have room; none is torn apart, and no column is much longer than the others. */
const inColumns = (
  width: number,
  sectionsOf: (width: number) => readonly (readonly Painted[])[],
): readonly Painted[] => {
  const most = Math.max(1, Math.floor((width + COLUMN_GAP) / (LEAST_COLUMN + COLUMN_GAP)));
  const wide = Math.floor((width - COLUMN_GAP * (most - 1)) / most);
  const sections = sectionsOf(wide);
  const share = sections.flat().length / most;
  const columns: Painted[][] = Array.from({ length: most }, () => []);
  let used = 0;
  for (const lines of sections) {
    // By its middle: a long section stays where most of it belongs.
    const column = Math.min(most - 1, Math.floor((used + lines.length / 2) / share));
    columns[column]?.push(...lines);
    used += lines.length;
  }
  const height = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: height }, (_, row) => {
    const pieces = columns.flatMap((column, at) => [
      ...(at === 0 ? [] : [blank(COLUMN_GAP)]),
      column[row] ?? blank(wide),
    ]);
    return joinPieces(...pieces, blank(width - wide * most - COLUMN_GAP * (most - 1)));
  });
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
  ...inColumns(width, (columns) =>
    sections.map((section) => sectionLines(theme, section, readOnly, columns)),
  ),
  ...prose(theme, 'signs: ✖ critical  ! warning  · notice  ✓ fine  ? unknown  ⏸ stale', width),
  ...prose(
    theme,
    'mouse: a click selects, a second one opens, the wheel moves; it confirms nothing. With Shift it is the terminal’s.',
    width,
  ),
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
  keys: readonly Key[],
): readonly Painted[] => {
  if (content.type === 'waiting') return [cell(theme, ` ${content.text}`, width, 'dim')];
  if (content.type === 'blocks') return blockLines(theme, content.blocks, width, now);
  if (content.type === 'evidence') return evidencePage(content, theme, width, now).lines;
  if (content.type === 'entry') return entryLines(theme, content, width, now, keys);
  if (content.type === 'help') return helpLines(theme, content, readOnly, width);
  return content.lines.flatMap((line) => hangingLines(theme, line, width));
};

/** All lines of a pager; made once per content and width (evidence can be a megabyte). */
export const pagerLines = memoPerObject(
  contentLines,
  (content, theme, width, now) => `${width}|${themeKey(theme)}|${content.type === 'blocks' ? now : ''}`,
);
