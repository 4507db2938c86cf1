import { safeWidth, blank, cell, joined, paint, type Painted } from '../paint.ts';
import type { Cell, GridBlock } from '../../src/model/view.ts';
import { age } from '../../src/text/ages.ts';
import { styleOf, type Theme } from '../theme.ts';
import { cellText, MARGIN, type RowState } from './table.ts';

type GridRow = GridBlock['rows'][number];

/** Texts as they are drawn, and their widths: row titles, columns (all alike, so that the eye can run down them), the gap before each. */
interface Layout {
  title: number;
  column: number;
  gap: number;
  titleOf(row: GridRow): string;
  textOf(one: Cell): string;
}

const layouts = new WeakMap<GridBlock, { width: number; now: number; layout: Layout }>();

/** Measured once for all rows of a frame. */
const layoutOf = (block: GridBlock, width: number, now: number): Layout => {
  const known = layouts.get(block);
  if (known?.width === width && known.now === now) return known.layout;
  const layout = makeLayout(block, width, now);
  layouts.set(block, { width, now, layout });
  return layout;
};

/** Where cells and their ages do not fit, a row shows its oldest age once, behind its title: figures are not cut. */
const makeLayout = (block: GridBlock, width: number, now: number): Layout => {
  const aged = block.rows.some((row) => row.cells.some((one) => one.age !== undefined));
  const full = measured(block, width, { titleOf: (row) => row.title, textOf: (one) => cellText(one, now) });
  return full.cut && aged
    ? measured(block, width, {
        titleOf: (row) => [row.title, oldestOf(row, now)].filter(Boolean).join(' '),
        textOf: ({ text, sign }) => cellText({ text, ...(sign && { sign }) }, now),
      })
    : full;
};

const oldestOf = ({ cells }: GridRow, now: number): string => {
  const ages = cells.flatMap((one) => one.age ?? []);
  return ages.length === 0 ? '' : age(now - Math.min(...ages));
};

const measured = (
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
  return { ...texts, title, column, gap, cut: column < wanted };
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
  const { title, column, gap } = layoutOf(block, width, now);
  const heads = block.columns.map((name) =>
    joined(blank(gap), cell(theme, ending(name, column), column, 'dim', 'right')),
  );
  return cut([blank(MARGIN + title), ...heads], [MARGIN + title, ...heads.map(() => column + gap)], width);
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
  const cells = row.cells.map((one) =>
    joined(blank(gap), cell(theme, textOf(one), column, styleOf(one.sign), 'right')),
  );
  const margin = joined(
    paint(theme, state.cursor && state.focused ? '>' : ' ', 'accent'),
    blank(1),
    paint(theme, state.marked ? '*' : ' ', 'accent'),
    cell(theme, titleOf(row), title, state.cursor && state.focused ? 'bold' : 'plain'),
  );
  return cut([margin, ...cells], [MARGIN + title, ...cells.map(() => column + gap)], width);
};
