import { safeWidth, blank, cell, joined, paint, type Painted } from '../paint.ts';
import type { GridBlock } from '../../src/model/view.ts';
import { styleOf, type Theme } from '../theme.ts';
import { cellText, MARGIN, type RowState } from './table.ts';

/** Width of the row titles and of each column: all columns alike, so that the eye can run down them. */
const widths = (block: GridBlock, width: number, now: number): { title: number; column: number } => {
  const title = Math.max(4, ...block.rows.map((row) => safeWidth(row.title)));
  const texts = [
    ...block.columns,
    ...block.rows.flatMap((row) => row.cells.map((one) => cellText(one, now))),
  ];
  const column = Math.max(3, ...texts.map(safeWidth));
  const room = Math.floor((width - MARGIN - title) / Math.max(1, block.columns.length)) - 2;
  return { title, column: Math.max(3, Math.min(column, room)) };
};

const cut = (parts: readonly Painted[], each: readonly number[], width: number): Painted => {
  let used = 0;
  const kept: Painted[] = [];
  parts.forEach((part, index) => {
    const wide = each[index] ?? 0;
    if (used + wide > width) return;
    kept.push(part);
    used += wide;
  });
  return joined(...kept, blank(width - used));
};

export const gridHeadLine = (theme: Theme, block: GridBlock, width: number, now: number): Painted => {
  const { title, column } = widths(block, width, now);
  const heads = block.columns.map((name) => cell(theme, name, column + 2, 'dim', 'right'));
  return cut([blank(MARGIN + title), ...heads], [MARGIN + title, ...heads.map(() => column + 2)], width);
};

export const gridRowLine = (
  theme: Theme,
  block: GridBlock,
  row: GridBlock['rows'][number],
  width: number,
  now: number,
  state: RowState,
): Painted => {
  const { title, column } = widths(block, width, now);
  const cells = row.cells.map((one) =>
    cell(theme, cellText(one, now), column + 2, styleOf(one.sign), 'right'),
  );
  const margin = joined(
    paint(theme, state.cursor && state.focused ? '>' : ' ', 'accent'),
    blank(1),
    paint(theme, state.marked ? '*' : ' ', 'accent'),
    cell(theme, row.title, title, state.cursor && state.focused ? 'bold' : 'plain'),
  );
  return cut([margin, ...cells], [MARGIN + title, ...cells.map(() => column + 2)], width);
};
