import { safeWidth, blank, cell, joinPieces, paint, paintBar, type Painted } from '../paint.ts';
import type { Cell, GridBlock } from '../../src/model/view.ts';
import { age } from '../../src/text/ages.ts';
import { memoPerObject } from '../keep.ts';
import { styleOf, type Theme } from '../theme.ts';
import { cellText, MARGIN, type RowState } from './table.ts';

type GridRow = GridBlock['rows'][number];

/** Texts as they are drawn, and their widths: row titles, columns (all alike, so that the eye can run down them), the gap before each. */
interface Layout {
  title: number;
  column: number;
  gap: number;
  /** Cells show how bad they are. */
  shades: boolean;
  titleOf(row: GridRow): string;
  textOf(value: Cell): string;
}

/** Where cells and their ages do not fit, a row shows its oldest age once, behind its title, and then no shades: figures are not cut. */
const makeLayout = (block: GridBlock, width: number, now: number): Layout => {
  const cells = block.rows.flatMap((row) => row.cells);
  const full = measure(block, width, {
    titleOf: (row) => row.title,
    textOf: (value) => cellText(value, now),
  });
  if (!full.cut) return full;
  const titleOf = (row: GridRow): string => [row.title, oldestOf(row, now)].filter(Boolean).join(' ');
  const makeBare = ({ text, sign }: Cell): Cell => ({ text, ...(sign && { sign }) });
  const ageless = cells.some(({ age: at }) => at !== undefined)
    ? measure(block, width, {
        titleOf,
        textOf: (value) =>
          cellText({ ...makeBare(value), ...(value.heat !== undefined && { heat: value.heat }) }, now),
      })
    : full;
  return ageless.cut && cells.some(({ heat }) => heat !== undefined)
    ? {
        ...measure(block, width, { titleOf, textOf: (value) => cellText(makeBare(value), now) }),
        shades: false,
      }
    : ageless;
};

/** Measured once for all rows of a frame. */
const layoutOf = memoPerObject(makeLayout, (_, width, now) => `${width} ${now}`);

/** Whether cells of this grid are drawn with their shades in so many columns. */
export const hasShades = (block: GridBlock, width: number, now: number): boolean =>
  layoutOf(block, width, now).shades;

const oldestOf = ({ cells }: GridRow, now: number): string => {
  const ages = cells.flatMap((value) => value.age ?? []);
  return ages.length === 0 ? '' : age(now - Math.min(...ages));
};

const measure = (
  block: GridBlock,
  width: number,
  texts: Pick<Layout, 'titleOf' | 'textOf'>,
): Layout & { cut: boolean } => {
  const title = Math.max(4, ...block.rows.map((row) => safeWidth(texts.titleOf(row))));
  const all = [...block.columns, ...block.rows.flatMap((row) => row.cells.map(texts.textOf))];
  const wanted = Math.max(3, ...all.map(safeWidth));
  const each = Math.floor((width - MARGIN - title) / Math.max(1, block.columns.length));
  const gap = each >= wanted + 2 ? 2 : 1;
  const column = Math.max(3, Math.min(wanted, each - gap));
  return { ...texts, title, column, gap, shades: true, cut: column < wanted };
};

/** Names of rows and columns differ at their ends: `…-d-01`. */
const cutStart = (name: string, columns: number): string =>
  safeWidth(name) <= columns ? name : `…${name.slice(name.length - columns + 1)}`;

const fitParts = (parts: readonly Painted[], each: readonly number[], width: number): Painted => {
  let used = 0;
  const kept: Painted[] = [];
  parts.forEach((part, index) => {
    const wide = each[index] ?? 0;
    if (used + wide > width) return;
    kept.push(part);
    used += wide;
  });
  return joinPieces(...kept, blank(width - used));
};

export const gridHeadLine = (theme: Theme, block: GridBlock, width: number, now: number): Painted => {
  const { title, column, gap } = layoutOf(block, width, now);
  const heads = block.columns.map((name) =>
    joinPieces(blank(gap), cell(theme, cutStart(name, column), column, 'dim', 'right')),
  );
  return fitParts(
    [blank(MARGIN + title), ...heads],
    [MARGIN + title, ...heads.map(() => column + gap)],
    width,
  );
};

export const gridRowLine = (
  theme: Theme,
  block: GridBlock,
  row: GridRow,
  width: number,
  now: number,
  state: RowState,
): Painted => {
  const { title, column, gap, titleOf, textOf } = layoutOf(block, width, now);
  const cells = row.cells.map((value) =>
    joinPieces(blank(gap), cell(theme, textOf(value), column, styleOf(value.sign), 'right')),
  );
  const margin = joinPieces(
    paint(theme, state.cursor && state.focused ? '>' : ' ', 'accent'),
    blank(1),
    paint(theme, state.marked ? '*' : ' ', 'accent'),
    cell(theme, titleOf(row), title, state.cursor && state.focused ? 'bold' : 'plain'),
  );
  const line = fitParts([margin, ...cells], [MARGIN + title, ...cells.map(() => column + gap)], width);
  return state.cursor && state.focused ? paintBar(theme, line) : line;
};
