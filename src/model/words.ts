import type { SafeText } from '../text/safe.ts';

declare const words: unique symbol;

/**
 * A text of the program for people: what a finding says. Nothing may decide by it, so to the compiler it is no string: it can't be
 * compared with one, matched, split, or put into a template (a symbol fits into none). At run time it is a string.
 */
export type Words = symbol & { readonly [words]: true; toString: never; description: never };

/** Makes words of a safe text, so that words need not be made safe again: where findings come in from the systems, and where the collector adds to what they say. */
export const wordsOf = (text: SafeText): Words => text as unknown as Words;

/** The text again: only where it is drawn, printed or written down. */
export const textOf = <W extends Words | undefined>(said: W): SafeText | Extract<W, undefined> =>
  said as unknown as SafeText | Extract<W, undefined>;
