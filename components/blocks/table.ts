import { age, clock } from '../../src/text/ages.ts';
import type { Sign } from '../../src/model/subject.ts';
import type { Cell, Row, TableBlock } from '../../src/model/view.ts';
import type { Sort } from '../ui.ts';
import { blank, cell, joinPieces, paint, paintBar, type Painted } from '../paint.ts';
import { signOf, styleOf, themeKey, type Style, type Theme } from '../theme.ts';
import { memoPerObject } from '../keep.ts';
import { layoutColumns } from './columns.ts';
import { pictureOf } from './picture.ts';

/** Cursor, sign and mark stand before the cells. */
export const MARGIN = 3;

const columnsOf = memoPerObject(
  (block: TableBlock, width: number) => layoutColumns(block.columns, width - MARGIN),
  (_, width) => width,
);

/** Columns that a column of a table gets at a width; 0 where it has no room. */
export const columnWidth = (block: TableBlock, width: number, id: string): number =>
  columnsOf(block, width).list.find(({ column }) => column.id === id)?.width ?? 0;

/** A cell before it is known whether its whole width is there. */
interface Part {
  text: string;
  width: number;
  painted: Painted;
  align?: 'left' | 'right';
}

/** Exactly `width` columns whatever the pieces add up to. */
const fitParts = (parts: readonly Part[], width: number, theme: Theme) => {
  let used = 0;
  const kept: Painted[] = [];
  for (const part of parts) {
    if (used >= width) break;
    const room = width - used;
    kept.push(part.width <= room ? part.painted : cell(theme, part.text, room, 'plain', part.align));
    used += Math.min(part.width, room);
  }
  return joinPieces(...kept, blank(width - used));
};

export const headLine = (theme: Theme, block: TableBlock, width: number, sort?: Sort): Painted => {
  const parts = columnsOf(block, width).list.map(({ column, width: columns }) => {
    const mark = sort?.block === block.id && sort.column === column.id ? (sort.down ? '↓' : '↑') : '';
    const text = `${column.title}${mark}`;
    const align = column.align ?? 'left';
    return { text, width: columns, painted: cell(theme, text, columns, 'dim', align), align };
  });
  return fitParts(spaceOut(parts, MARGIN), width, theme);
};

const spaceOut = (parts: readonly Part[], margin: number): readonly Part[] => [
  { text: '', width: margin, painted: blank(margin) },
  ...parts.flatMap((part, index) =>
    index === 0 ? [part] : [{ text: '', width: 2, painted: blank(2) }, part],
  ),
];

const DAY_MS = 24 * 3600 * 1000;

const momentOf = (at: number, now: number): string =>
  now - at < DAY_MS ? clock(at).slice(0, 5) : age(now - at);

/** What a cell shows: its age keeps counting; a sign that neither its row nor its text shows stands before the text. */
export const cellText = (value: Cell, now: number, rowSign?: Sign): string => {
  const when =
    value.age === undefined ? (value.at === undefined ? '' : momentOf(value.at, now)) : age(now - value.age);
  const text = [pictureOf(value), value.text, when].filter(Boolean).join(' ');
  const { sign, showsSign } = value;
  return sign === undefined || sign === 'fine' || sign === rowSign || showsSign
    ? text
    : `${signOf(sign)} ${text}`;
};

export interface RowState {
  cursor: boolean;
  marked: boolean;
  /** The pane has the focus: its cursor is drawn strong. */
  focused: boolean;
}

const drawn = new WeakMap<Row, { key: string; line: Painted }>();

/** One row as one preformatted string, kept until the row, the layout, an age or its state changes. */
export const rowLine = (
  theme: Theme,
  block: TableBlock,
  row: Row,
  width: number,
  now: number,
  state: RowState,
): Painted => {
  const columns = columnsOf(block, width);
  const texts = columns.list.map(({ column }) => {
    const one = row.cells[column.id];
    return one ? cellText(one, now, row.sign) : '';
  });
  const flags = `${state.cursor ? 'c' : ''}${state.marked ? 'm' : ''}${state.focused ? 'f' : ''}`;
  const key = `${width}|${themeKey(theme)}|${flags}|${columns.key}|${texts.join('\0')}`;
  const known = drawn.get(row);
  if (known?.key === key) return known.line;
  const base: Style = row.stale || row.dim ? 'dim' : state.cursor && state.focused ? 'bold' : 'plain';
  const parts = columns.list.map(({ column, width: wide }, index) => {
    const own = row.cells[column.id]?.sign;
    const style = row.stale || row.dim || own === undefined ? base : styleOf(own);
    const text = texts[index] ?? '';
    const align = column.align ?? 'left';
    return { text, width: wide, painted: cell(theme, text, wide, style, align), align };
  });
  const sign = row.stale ? 'stale' : row.sign;
  const margin = joinPieces(
    paint(theme, state.cursor && state.focused ? '>' : ' ', 'accent'),
    paint(theme, signOf(sign), row.dim ? 'dim' : styleOf(sign)),
    paint(theme, state.marked ? '*' : row.note === undefined ? ' ' : '+', 'accent'),
  );
  const [, ...cells] = spaceOut(parts, MARGIN);
  const line = fitParts([{ text: '', width: MARGIN, painted: margin }, ...cells], width, theme);
  const made = state.cursor && state.focused ? paintBar(theme, line) : line;
  drawn.set(row, { key, line: made });
  return made;
};
