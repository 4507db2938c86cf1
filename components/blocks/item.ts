import type { Block, GridBlock } from '../../src/model/view.ts';
import type { Area } from '../ui.ts';
import type { Item } from '../list.ts';
import { blank, cell, joinPieces, type Painted } from '../paint.ts';
import type { Theme } from '../theme.ts';
import { fixedLines } from './fixed.ts';
import { gridHeadLine, gridRowLine, hasShades } from './grid.ts';
import { scaleText } from './picture.ts';
import { headLine, rowLine, type RowState } from './table.ts';

/** Everything a line of a list needs to be drawn. */
export interface Look {
  theme: Theme;
  width: number;
  /** Columns of text, facts and charts, where these are not to fill the whole width. */
  prose?: number;
  now: number;
  focused: boolean;
  area: Pick<Area, 'sort' | 'marks' | 'filter'>;
  cursor: string | undefined;
  /** What to say of an empty table: its own words, or why they may not be said. */
  drawEmpty(words: string): string;
}

const stateOf = (look: Look, key: string): RowState => ({
  cursor: look.cursor === key,
  marked: look.area.marks.has(key),
  focused: look.focused,
});

/** Lines of blocks without rows, drawn once per frame and block. */
const fixedOnce = (theme: Theme, width: number, now: number): ((block: Block) => readonly Painted[]) => {
  const made = new Map<Block, readonly Painted[]>();
  return (block) => {
    const known = made.get(block) ?? fixedLines(theme, block, width, now);
    made.set(block, known);
    return known;
  };
};

/** A scale without its shades would explain what nobody sees. */
const scaleLine = (block: GridBlock, width: number, now: number): string =>
  hasShades(block, width, now) ? scaleText(block.scale) : 'figures without shades: too narrow';

/** The lines of a window, each exactly as wide as the pane. */
export const itemLines = (items: readonly Item[], look: Look): readonly Painted[] => {
  const { theme, width, now, area, prose = width } = look;
  const drawFixed = fixedOnce(theme, prose, now);
  return items.map((item) => {
    if (item.type === 'row') return rowLine(theme, item.block, item.row, width, now, stateOf(look, item.key));
    if (item.type === 'gridRow')
      return gridRowLine(theme, item.block, item.row, width, now, stateOf(look, item.key));
    if (item.type === 'head') return headLine(theme, item.block, width, area.sort);
    if (item.type === 'gridHead') return gridHeadLine(theme, item.block, width, now);
    if (item.type === 'scale') return cell(theme, `   ${scaleLine(item.block, width, now)}`, width, 'dim');
    if (item.type === 'title') return cell(theme, ` ${item.text}`, width, 'bold');
    if (item.type === 'empty') return cell(theme, `   ${look.drawEmpty(item.block.empty)}`, width, 'dim');
    if (item.type === 'fixed')
      return joinPieces(drawFixed(item.block)[item.line] ?? blank(prose), blank(width - prose));
    return blank(width);
  });
};
