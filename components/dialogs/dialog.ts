import { hintsOf, type Hint, type Key } from '../keys.ts';
import { blank, cell, joinPieces, paint, safeWidth, type Painted } from '../paint.ts';
import { cut } from '../../src/text/width.ts';
import { makeSafe } from '../../src/text/safe.ts';
import type { Context } from '../context.ts';
import type { Size } from '../state.ts';
import type { Theme } from '../theme.ts';
import type { Token } from '../tokens.ts';
import type { Overlay } from '../overlays.ts';

/** A piece of the screen that covers what is below it. */
export interface Cover {
  left: number;
  top: number;
  width: number;
  height: number;
  lines: readonly Painted[];
}

/** How a key came: held down (seen a moment ago), and with how many others in one chunk. */
export interface Press {
  held: boolean;
  chunk: number;
}

/** What a dialog is drawn from. */
export type Scene = Pick<Context, 'ports' | 'state' | 'commands' | 'keys'>;

/** All that one kind of overlay is: what its keys do, what it makes of pasted text, how it looks. */
export interface Dialog<Kind extends Overlay> {
  keys: readonly Key[];
  press(context: Context, overlay: Kind, token: Token, press: Press): void;
  /** Absent: pasted text is lost. */
  paste?(context: Context, overlay: Kind, text: string): void;
  draw(scene: Scene, overlay: Kind): Cover;
}

/** Columns inside a box of the usual width. */
export const innerWidth = (size: Size, most = 110): number =>
  Math.max(10, Math.min(size.columns - 4, most) - 4);

/** Lines in a frame, in the middle of the screen. Lines must be `width` wide. */
export const drawBox = (
  theme: Theme,
  title: string,
  lines: readonly Painted[],
  width: number,
  size: Size,
): Cover => {
  const name = cut(makeSafe(title), width - 1);
  const dashes = '─'.repeat(Math.max(0, width - safeWidth(name)));
  const side = paint(theme, '│', 'dim');
  const top = joinPieces(
    paint(theme, '┌ ', 'dim'),
    paint(theme, name, 'bold'),
    paint(theme, ` ${dashes}┐`, 'dim'),
  );
  const bottom = paint(theme, `└${'─'.repeat(width + 2)}┘`, 'dim');
  const body = lines.map((line) => joinPieces(side, blank(1), line, blank(1), side));
  const height = body.length + 2;
  return {
    left: Math.max(0, Math.floor((size.columns - width - 4) / 2)),
    top: Math.max(0, Math.floor((size.rows - height) / 2)),
    width: width + 4,
    height,
    lines: [top, ...body, bottom],
  };
};

/** Hints at the foot of a box: `y  resume them   Esc  cancel`. */
export const hintLine = (theme: Theme, hints: readonly Hint[], width: number): Painted => {
  const text = hints.map(([key, does]) => `${key}  ${does}`).join('   ');
  if (safeWidth(text) > width) return cell(theme, text, width);
  const parts = hints.flatMap(([key, does], index) => [
    paint(theme, `${index === 0 ? '' : '   '}${key}`, 'accent'),
    paint(theme, `  ${does}`),
  ]);
  return joinPieces(...parts, blank(width - safeWidth(text)));
};

const hintsWidth = (hints: readonly Hint[]): number =>
  safeWidth(hints.map(([key, does]) => `${key}  ${does}`).join('   '));

/** Keys whose hints fit into a line: of those that can be spared the first of the list goes first. */
export const fitKeys = (keys: readonly Key[], spare: readonly string[], width: number): readonly Key[] => {
  const [first, ...rest] = spare;
  if (first === undefined || hintsWidth(hintsOf(keys)) <= width) return keys;
  return fitKeys(
    keys.filter(({ does }) => does !== first),
    rest,
    width,
  );
};

/** The hints of a dialog's keys; while it waits for something, what for. */
export const keysLine = (theme: Theme, keys: readonly Key[], width: number, busy?: string): Painted =>
  busy === undefined ? hintLine(theme, hintsOf(keys), width) : cell(theme, `${busy} ...`, width, 'dim');
