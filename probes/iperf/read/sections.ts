import { ParseError } from '../../../src/model/errors.ts';

/** One command's part of an answer: what it printed and how it ended. */
export interface Section {
  text: string;
  code: number;
}

/** The parts by name. Throws ParseError when not one is there; a cut answer has those that are whole. */
export const sectionsOf = (stdout: string): ReadonlyMap<string, Section> => {
  const found = new Map<string, Section>();
  let from = 0;
  for (const match of stdout.matchAll(/^--- ([a-z]+) (\d+)\n?/gm)) {
    const text = stdout.slice(from, match.index).replace(/\n$/, '');
    found.set(match[1] ?? '', { text, code: Number(match[2]) });
    from = match.index + match[0].length;
  }
  if (found.size === 0) throw new ParseError('no section', 'line 1', stdout.slice(0, 120));
  return found;
};
