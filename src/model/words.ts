declare const words: unique symbol;

/**
 * A text of the program for people: what a finding says. Nothing may decide by it, so to the compiler it is no string: it can't be
 * compared with one, matched, split, or put into a template (a symbol fits into none). At run time it is a string.
 */
export type Words = symbol & { readonly [words]: true; toString: never; description: never };

/** Makes words of a text: where findings come in from the systems, and where the collector adds to what they say. */
export const wordsOf = (text: string): Words => text as unknown as Words;

/** The text again: only where it is drawn, printed or written down. */
export const textOf = <W extends Words | undefined>(said: W): string | Extract<W, undefined> =>
  said as unknown as string | Extract<W, undefined>;
