import { makeSafe } from '../../../src/text/safe.ts';
import { wrap } from '../../../src/text/width.ts';
import { blank, cell, joinPieces, paintHanging, paintWrapped, type Painted } from '../../paint.ts';
import type { Style, Theme } from '../../theme.ts';

/** Raw output line by line; `gutter`: what stands in the two columns before each. */
export const rawLines = (
  theme: Theme,
  text: string,
  width: number,
  style: Style = 'plain',
  gutter: Painted = blank(2),
): readonly Painted[] =>
  text
    .split('\n')
    .flatMap((line) =>
      hardWrap(makeSafe(line, Infinity), width - 2).map((part) =>
        joinPieces(gutter, cell(theme, part, width - 2, style)),
      ),
    );

/** Raw output keeps its blanks: cut at the width, not at words. */
export const hardWrap = (text: string, width: number): readonly string[] => {
  if (text.length <= width) return [text];
  if (!/^[\x20-\x7e]*$/.test(text)) return wrap(text, width);
  return Array.from({ length: Math.ceil(text.length / width) }, (_, index) =>
    text.slice(index * width, (index + 1) * width),
  );
};

/** Lines of words or commands, two columns in; what goes on in a further line is indented. */
export const hangingLines = (theme: Theme, text: string, width: number): readonly Painted[] =>
  text
    .split('\n')
    .flatMap((line) => paintHanging(theme, line, width - 2))
    .map((line) => joinPieces(blank(2), line));

/** Text over as many lines as it takes, one column in. */
export const prose = (
  theme: Theme,
  text: string,
  width: number,
  style: Style = 'plain',
): readonly Painted[] =>
  paintWrapped(theme, text, width - 1, style).map((line) => joinPieces(blank(1), line));
