import type { CableBlock, CableEnd, Cell } from '../../src/model/view.ts';
import { wrap } from '../../src/text/width.ts';
import { makeSafe } from '../../src/text/safe.ts';
import { blank, cell, joinPieces, safeWidth, type Painted } from '../paint.ts';
import { styleOf, type Style, type Theme } from '../theme.ts';
import { cellText } from './table.ts';

/** A shorter line between two ends is not seen as one. */
const LEAST_WIRE = 9;

interface Texts {
  name: string;
  sends: string;
  receives: string;
}

/** Two ends and the line between them in each direction; the one that is suspected says so in words. */
export const cableLines = (
  theme: Theme,
  block: CableBlock,
  width: number,
  now: number,
): readonly Painted[] => {
  const left = textsOf(block.left, block.suspect === 'left', now);
  const right = textsOf(block.right, block.suspect === 'right', now);
  const wire = width - 3 - widthOf(left) - widthOf(right);
  const drawn =
    wire >= LEAST_WIRE + 2
      ? sideBySide(theme, block, left, right, Math.min(wire, 30))
      : drawBelow(theme, block, left, right, width);
  return [
    ...drawn.map((line) => joinPieces(line.painted, blank(width - line.columns))),
    ...wrap(makeSafe(block.verdict), width - 1).map((text) =>
      joinPieces(blank(1), cell(theme, text, width - 1, block.suspect ? 'bold' : 'plain')),
    ),
  ];
};

const textsOf = (end: CableEnd, suspect: boolean, now: number): Texts => ({
  name: `${cellText(end.name, now)}${suspect ? ': suspect' : ''}`,
  sends: `TX ${cellText(end.sends, now)}`,
  receives: `RX ${cellText(end.receives, now)}`,
});

const widthOf = (texts: Texts): number => Math.max(...Object.values(texts).map(safeWidth));

interface Line {
  painted: Painted;
  columns: number;
}

const sideBySide = (
  theme: Theme,
  { left, right, suspect }: CableBlock,
  one: Texts,
  two: Texts,
  wire: number,
): readonly Line[] => {
  const [wide, far] = [widthOf(one), widthOf(two)];
  const row = (from: string, style: Style, between: Painted, to: string, toStyle: Style): Line => ({
    painted: joinPieces(blank(1), cell(theme, from, wide, style), between, cell(theme, to, far, toStyle)),
    columns: 1 + wide + wire + far,
  });
  const middle = suspect === 'cable' ? ' cable: suspect ' : '';
  const shaft = (wire - 3 - middle.length) / 2;
  const mark = `${'─'.repeat(Math.ceil(shaft))}${middle}${'─'.repeat(Math.floor(shaft))}`;
  const line = (text: string, bad: Cell): Painted =>
    joinPieces(blank(1), cell(theme, text, wire - 2, styleOf(bad.sign)), blank(1));
  return [
    row(one.name, nameStyle(suspect === 'left'), blank(wire), two.name, nameStyle(suspect === 'right')),
    row(
      one.sends,
      styleOf(left.sends.sign),
      line(`${mark}→`, right.receives),
      two.receives,
      styleOf(right.receives.sign),
    ),
    row(
      one.receives,
      styleOf(left.receives.sign),
      line(`←${mark}`, left.receives),
      two.sends,
      styleOf(right.sends.sign),
    ),
  ];
};

const nameStyle = (suspect: boolean): Style => (suspect ? 'warning' : 'bold');

const drawBelow = (
  theme: Theme,
  { left, right, suspect }: CableBlock,
  one: Texts,
  two: Texts,
  width: number,
): readonly Line[] => {
  const lines = (mark: string, text: string, style: Style): Line[] =>
    wrap(makeSafe(text), Math.max(1, width - 4)).map((piece) => ({
      painted: joinPieces(blank(1), cell(theme, mark, 2, 'dim'), cell(theme, piece, width - 3, style)),
      columns: width,
    }));
  return [
    ...lines('┌', one.name, nameStyle(suspect === 'left')),
    ...lines('│', one.sends, styleOf(left.sends.sign)),
    ...lines('│', one.receives, styleOf(left.receives.sign)),
    ...(suspect === 'cable' ? lines('│', 'cable: suspect', 'warning') : []),
    ...lines('│', two.sends, styleOf(right.sends.sign)),
    ...lines('│', two.receives, styleOf(right.receives.sign)),
    ...lines('└', two.name, nameStyle(suspect === 'right')),
  ];
};
