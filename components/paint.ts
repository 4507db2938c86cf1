import { makeSafe } from '../src/text/safe.ts';
import { cut, width, wrap } from '../src/text/width.ts';
import { drawBar, applyStyle, type Style, type Theme } from './theme.ts';

declare const painted: unique symbol;

/** A piece of a screen line: safe text in SGR. Made only here, so nothing reaches the screen past `makeSafe`. */
export type Painted = string & { readonly [painted]: true };

const asAscii: Readonly<Record<string, string>> = {
  '✖': 'X',
  '·': '.',
  // Not v: that is the arrow down.
  '✓': '+',
  '⏸': '=',
  '●': '*',
  '○': 'o',
  '─': '-',
  '│': '|',
  '┌': '+',
  '┐': '+',
  '└': '+',
  '┘': '+',
  '…': '~',
  '→': '>',
  '←': '<',
  '↑': '^',
  '↓': 'v',
  '⇄': '=',
  '⏎': '$',
  '“': '"',
  '”': '"',
  '░': '-',
  '▒': ':',
  '▓': '+',
  '▁': '_',
  '▂': '_',
  '▃': '.',
  '▄': '-',
  '▅': '-',
  '▆': '=',
  '▇': '=',
  '█': '#',
};

/** Every character as one or two ASCII ones of the same width; what has no likeness becomes `?`. */
const toAscii = (text: string): string =>
  text.replace(/[^\x20-\x7e]/gu, (char) => asAscii[char] ?? '?'.repeat(width(char)));

const toCharset = (theme: Theme, text: string): string => (theme.unicode ? text : toAscii(text));

/** Any text as it may be drawn. */
export const paint = (theme: Theme, text: string, style: Style = 'plain'): Painted =>
  paintSafe(theme, makeSafe(text), style);

/** What was made safe already, or is a part of such a text. */
const paintSafe = (theme: Theme, safe: string, style: Style): Painted =>
  (safe === '' ? '' : applyStyle(theme, toCharset(theme, safe), style)) as Painted;

/** The same in exactly `columns`, cut or padded. The padding is plain, so that a line's end can be left off. */
export const cell = (
  theme: Theme,
  text: string,
  columns: number,
  style: Style = 'plain',
  align: 'left' | 'right' = 'left',
): Painted => cellSafe(theme, makeSafe(text), columns, style, align);

const cellSafe = (
  theme: Theme,
  safe: string,
  columns: number,
  style: Style,
  align: 'left' | 'right' = 'left',
): Painted => {
  if (columns <= 0) return '' as Painted;
  const short = cut(safe, columns);
  const pad = blank(columns - width(short));
  const painted = paintSafe(theme, short, style);
  return align === 'left' ? joinPieces(painted, pad) : joinPieces(pad, painted);
};

/** Text over as many lines as it takes, each of exactly `columns`. */
export const paintWrapped = (
  theme: Theme,
  text: string,
  columns: number,
  style: Style = 'plain',
): readonly Painted[] => wrap(makeSafe(text), columns).map((line) => cellSafe(theme, line, columns, style));

/** The whole of a text, however long; the lines after its first are indented. */
export const paintHanging = (theme: Theme, text: string, columns: number): readonly Painted[] =>
  wrap(makeSafe(text, Infinity), columns, columns - HANGING).map((line, index) =>
    cellSafe(theme, index === 0 ? line : `${' '.repeat(HANGING)}${line}`, columns, 'plain'),
  );

/** Further in than a command (0) and the lines of its input (2) begin. */
const HANGING = 4;

/** A whole line as the bar of the selected row. */
export const paintBar = (theme: Theme, line: Painted): Painted => drawBar(theme, line) as Painted;

/** Pieces side by side. */
export const joinPieces = (...parts: readonly Painted[]): Painted => parts.join('') as Painted;

/** Columns of a text after it was made safe. */
export const safeWidth = (text: string): number => width(makeSafe(text));

export const blank = (columns: number): Painted => ' '.repeat(Math.max(0, columns)) as Painted;

const sgr = /\u001B\[[0-9;]*m/g;

/** The text of a painted line: for searching, copying and measuring. */
export const plainLine = (line: Painted): string => line.replace(sgr, '');
