import { nearest } from '../text/nearest.ts';
import { visible } from '../text/safe.ts';
import { UsageError } from './io.ts';

/** The word when it is one of the known ones; else a UsageError that says which is near, or which there are. */
export const oneOf = <T extends string>(what: string, word: string, known: readonly T[]): T => {
  const found = known.find((one) => one === word);
  if (found !== undefined) return found;
  const near = nearest(word, known);
  const right = near === undefined ? `known: ${known.join(', ') || 'none'}` : `did you mean "${near}"?`;
  throw new UsageError(`unknown ${what} "${visible(word, 80)}"; ${right}`);
};
