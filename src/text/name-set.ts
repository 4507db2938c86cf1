import { parseRange, splitOutside, type NumberRange } from './nodeset.ts';

/** Names written as one folded expression. It is never expanded: asking costs what both texts are long, whatever the ranges span. */
export interface NameSet {
  has(name: string): boolean;
}

type Piece = string | readonly NumberRange[];

/** Of `node[1-3,7],gl1`; a text that is no such expression is one name. */
export const createNameSet = (folded: string): NameSet => {
  const plain = new Set([folded]);
  const patterns: (readonly Piece[])[] = [];
  try {
    for (const part of splitOutside(folded).map((one) => one.trim())) {
      if (part.includes('[')) patterns.push(piecesOf(part));
      else plain.add(part);
    }
  } catch {
    return { has: (name) => name === folded };
  }
  return { has: (name) => plain.has(name) || patterns.some((pieces) => matches(pieces, name)) };
};

/** `r[1-2]n[1-8]` as what stands before, in and after the brackets, which `splitOutside` found to match. */
const piecesOf = (part: string): readonly Piece[] =>
  part
    .split(/[[\]]/)
    .map((text, at) => (at % 2 === 0 ? text : text.split(',').map((range) => parseRange(range, part))));

/** More digits than any number in a name has. */
const MOST_DIGITS = 40;

/** From piece to piece with every place of the name that the pieces before may have reached: never back. */
const matches = (pieces: readonly Piece[], name: string): boolean => {
  let places: ReadonlySet<number> = new Set([0]);
  for (const piece of pieces) {
    const next = new Set<number>();
    for (const at of places) {
      if (typeof piece !== 'string') for (const end of endsOf(piece, name, at)) next.add(end);
      else if (name.startsWith(piece, at)) next.add(at + piece.length);
    }
    if (next.size === 0) return false;
    places = next;
  }
  return places.has(name.length);
};

const endsOf = (ranges: readonly NumberRange[], name: string, at: number): readonly number[] => {
  const ends: number[] = [];
  for (let end = at + 1; end <= name.length && end - at <= MOST_DIGITS; end += 1) {
    const char = name[end - 1] ?? '';
    if (char < '0' || char > '9') break;
    const digits = name.slice(at, end);
    const value = BigInt(digits);
    if (ranges.some((range) => isIn(range, digits, value))) ends.push(end);
  }
  return ends;
};

/** Numbers of other padding are other numbers. */
const isIn = ({ first, last, every, width }: NumberRange, digits: string, value: bigint): boolean =>
  value >= first &&
  value <= last &&
  (digits.length === width || (digits.length > width && !digits.startsWith('0'))) &&
  (value - first) % every === 0n;
