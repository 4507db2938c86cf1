import { blank, paint, joinPieces, type Painted } from './paint.ts';
import type { Style, Theme } from './theme.ts';

/** Letters of five by five, a dot where nothing is: only those of the words that the wall says large. */
const font: Readonly<Record<string, readonly string[]>> = {
  '0': ['.###.', '#...#', '#...#', '#...#', '.###.'],
  '1': ['..#..', '.##..', '..#..', '..#..', '.###.'],
  '2': ['####.', '....#', '.###.', '#....', '#####'],
  '3': ['####.', '....#', '.###.', '....#', '####.'],
  '4': ['#..#.', '#..#.', '#####', '...#.', '...#.'],
  '5': ['#####', '#....', '####.', '....#', '####.'],
  '6': ['.###.', '#....', '####.', '#...#', '.###.'],
  '7': ['#####', '....#', '...#.', '..#..', '..#..'],
  '8': ['.###.', '#...#', '.###.', '#...#', '.###.'],
  '9': ['.###.', '#...#', '.####', '....#', '.###.'],
  A: ['.###.', '#...#', '#####', '#...#', '#...#'],
  C: ['.####', '#....', '#....', '#....', '.####'],
  D: ['####.', '#...#', '#...#', '#...#', '####.'],
  E: ['#####', '#....', '###..', '#....', '#####'],
  F: ['#####', '#....', '###..', '#....', '#....'],
  G: ['.####', '#....', '#..##', '#...#', '.####'],
  I: ['###', '.#.', '.#.', '.#.', '###'],
  K: ['#...#', '#..#.', '###..', '#..#.', '#...#'],
  L: ['#....', '#....', '#....', '#....', '#####'],
  N: ['#...#', '##..#', '#.#.#', '#..##', '#...#'],
  O: ['.###.', '#...#', '#...#', '#...#', '.###.'],
  R: ['####.', '#...#', '####.', '#..#.', '#...#'],
  S: ['.####', '#....', '.###.', '....#', '####.'],
  T: ['#####', '..#..', '..#..', '..#..', '..#..'],
  U: ['#...#', '#...#', '#...#', '#...#', '.###.'],
  W: ['#...#', '#...#', '#.#.#', '##.##', '#...#'],
  ' ': ['..', '..', '..', '..', '..'],
};

const HEIGHT = 5;

/** The text as rows of dots; undefined where a character has no letter. */
const dotsOf = (text: string): readonly string[] | undefined => {
  const letters = [...text].map((char) => font[char]);
  if (letters.some((letter) => letter === undefined)) return undefined;
  return Array.from({ length: HEIGHT }, (_, row) => letters.map((letter) => letter?.[row] ?? '').join('.'));
};

/** Columns and lines of a dot, the largest first: a cell of a terminal is about twice as high as wide. */
const scales = [
  [6, 3],
  [5, 3],
  [4, 2],
  [3, 2],
  [2, 1],
  [1, 1],
] as const;

/**
 * A word drawn of blocks (`#` where there are none), as large as a place of `width` times `height` lets it be. Undefined: not even the
 * smallest letters fit, or there is no letter for a character.
 */
export const bigLines = (
  theme: Theme,
  text: string,
  { width, height, style }: { width: number; height: number; style: Style },
): readonly Painted[] | undefined => {
  const dots = dotsOf(text);
  const wide = dots?.[0]?.length ?? 0;
  const scale = scales.find(([columns, lines]) => wide * columns <= width && HEIGHT * lines <= height);
  if (!dots || !scale) return undefined;
  const [columns, lines] = scale;
  return dots.flatMap((row) => {
    const drawn = [...row].map((dot) => (dot === '#' ? '█' : ' ').repeat(columns)).join('');
    const line = joinPieces(paint(theme, drawn, style), blank(width - wide * columns));
    return Array.from({ length: lines }, () => line);
  });
};
