import type { SafeText } from './safe.ts';

/** Most of what hosts say in a minute they said the minute before. */
const MOST = 50_000;
const LONGEST = 100;
const table = new Map<SafeText, SafeText>();

/**
 * The same text, kept once. And on its own: what was cut out of an answer holds on to the whole answer, 100 kB for the name of a
 * port. For what is kept for long.
 */
export const internText = (text: SafeText): SafeText => {
  if (text.length > LONGEST) return copyText(text);
  const known = table.get(text);
  if (known !== undefined) return known;
  if (table.size >= MOST) table.clear();
  const copy = copyText(text);
  table.set(copy, copy);
  return copy;
};

/** V8 copies a text shorter than 13 characters by itself; safe text has no lone surrogates that would be lost on the way. */
const copyText = (text: SafeText): SafeText =>
  text.length < 13 ? text : (Buffer.from(text).toString() as SafeText);
