import { blank, cell, type Painted } from '../../paint.ts';
import type { Size } from '../../state.ts';
import type { Theme } from '../../theme.ts';
import type { Confirm } from '../../overlays.ts';
import { innerWidth } from '../dialog.ts';
import { reasonLines, sideLines, changesOf, entry, headLine, planLines } from './plan-lines.ts';

/** Frame, rule above the foot, and the foot's two lines. */
const AROUND = 5;
/** From this size on something of the board is left around it; on less, all of the screen shows the plan. */
const ROOMY = { columns: 100, rows: 30 };
const BOARD = 2;
const SIDES = 4;
/** So many lines of what changes something are on the first screen, whatever stands beside it. */
const LEAST = 3;

/** What the dialog shows of a plan at a size. */
export interface Body {
  width: number;
  lines: readonly Painted[];
  /** Of what scrolls: how many lines there are, how many are shown, and from which on. */
  length: number;
  height: number;
  top: number;
  /** The last line of what changes something is on the screen. */
  atEnd: boolean;
}

/** The first screen: what changes something scrolls where it does not fit, and all else stands around it. With `whole` all of the plan scrolls. */
export const confirmBody = (theme: Theme, confirm: Confirm, size: Size, now: number): Body => {
  const { card, whole } = confirm;
  const width = size.columns < ROOMY.columns ? size.columns - SIDES : innerWidth(size);
  const room = size.rows - (size.rows < ROOMY.rows ? AROUND : AROUND + BOARD);
  if (whole) return windowOf(planLines(theme, card, width), Math.max(1, room), confirm.top, width);
  const news = newsOf(theme, confirm, width);
  const beside = sideLines(theme, card, width, now);
  const changes = changesOf(theme, card, width);
  const because = reasonLines(theme, card, width);
  const fixed = 1 + news.length + beside.length;
  const fits = (more: number): boolean => fixed + changes.length + more <= room;
  const gap = fits(2) ? [blank(width)] : [];
  const why = fits(2 + because.length) ? because : [];
  const around = fixed + why.length + 2 * gap.length;
  const shown = windowOf(changes, Math.max(LEAST, room - around), confirm.top, width);
  const left = Math.max(1, room - 1 - shown.height - 2 * gap.length);
  const under = [...news, ...why, ...beside];
  const kept =
    under.length <= left ? under : [...under.slice(0, left - 1), cell(theme, '… all of it: d', width, 'dim')];
  return { ...shown, lines: [headLine(theme, card, width), ...gap, ...shown.lines, ...gap, ...kept] };
};

const windowOf = (lines: readonly Painted[], most: number, wanted: number, width: number): Body => {
  const height = Math.min(lines.length, most);
  const top = Math.max(0, Math.min(wanted, lines.length - height));
  const atEnd = top + height >= lines.length;
  return { width, lines: lines.slice(top, top + height), length: lines.length, height, top, atEnd };
};

/** What has happened to the plan while it is read. */
const newsOf = (theme: Theme, { blocked, changed }: Confirm, width: number): readonly Painted[] => [
  ...entry(theme, 'not now', blocked === undefined ? [] : [blocked], width, 'critical'),
  ...entry(theme, 'changed', changed === undefined ? [] : [changed], width, 'warning'),
];
