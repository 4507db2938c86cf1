import { safeWidth, blank, cell, joined, paint, type Painted } from '../paint.ts';
import type { GridBlock } from '../../src/model/view.ts';
import { styleOf, type Theme } from '../theme.ts';
import { cellText, MARGIN, type RowState } from './table.ts';

/** Widths: the row titles, each column (all alike, so that the eye can run down them) and the gap before it. */
const widths = (block: GridBlock, width: number, now: number) => {
  const title = Math.max(4, ...block.rows.map((row) => safeWidth(row.title)));
  const texts = [
    ...block.columns,
    ...block.rows.flatMap((row) => row.cells.map((one) => cellText(one, now))),
  ];
  const wanted = Math.max(3, ...texts.map(safeWidth));
  const each = Math.floor((width - MARGIN - title) / Math.max(1, block.columns.length));
  const gap = each >= wanted + 2 ? 2 : 1;
  return { title, column: Math.max(3, Math.min(wanted, each - gap)), gap };
};

/** Names of rows and columns differ at their ends: `…-d-01`. */
const ending = (name: string, columns: number): string =>
  safeWidth(name) <= columns ? name : `…${name.slice(name.length - columns + 1)}`;

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
  const { title, column, gap } = widths(block, width, now);
  const heads = block.columns.map((name) =>
    joined(blank(gap), cell(theme, ending(name, column), column, 'dim', 'right')),
  );
  return cut([blank(MARGIN + title), ...heads], [MARGIN + title, ...heads.map(() => column + gap)], width);
};

export const gridRowLine = (
  theme: Theme,
  block: GridBlock,
  row: GridBlock['rows'][number],
  width: number,
  now: number,
  state: RowState,
): Painted => {
  const { title, column, gap } = widths(block, width, now);
  const cells = row.cells.map((one) =>
    joined(blank(gap), cell(theme, cellText(one, now), column, styleOf(one.sign), 'right')),
  );
  const margin = joined(
    paint(theme, state.cursor && state.focused ? '>' : ' ', 'accent'),
    blank(1),
    paint(theme, state.marked ? '*' : ' ', 'accent'),
    cell(theme, row.title, title, state.cursor && state.focused ? 'bold' : 'plain'),
  );
  return cut([margin, ...cells], [MARGIN + title, ...cells.map(() => column + gap)], width);
};
