import type { Answer } from '../model/answer.ts';
import { CommandFailed, ParseError } from '../model/errors.ts';
import { firstLine } from './answers.ts';

/** One part of a script's answer: what came after `@@faultline WORD REST`. */
export interface Section {
  word: string;
  rest: string;
  body: string;
}

const mark = '@@faultline ';

/** The parts of an answer in their order; of a cut answer, those that arrived. */
export const splitSections = (stdout: string): Section[] => {
  const sections: Section[] = [];
  for (const line of stdout.split('\n')) {
    const last = sections.at(-1);
    if (line.startsWith(mark)) {
      const [word = '', ...rest] = line.slice(mark.length).trim().split(' ');
      sections.push({ word, rest: rest.join(' '), body: '' });
    } else if (last) last.body += `${line}\n`;
  }
  return sections;
};

/** The parts of a script's answer. Throws when its last mark, `end`, is missing: what was cut off proves nothing. */
export const sectionsOf = (answer: Pick<Answer, 'stdout' | 'stderr'>, what: string): Section[] => {
  const sections = splitSections(answer.stdout);
  const last = sections.at(-1);
  if (last?.word === 'end') return sections;
  const said = firstLine(answer.stderr);
  if (/sudo|permission denied|not permitted|a password is required/i.test(said))
    throw new CommandFailed('noPermission', `${what}: ${said}`);
  if (!last && said !== '') throw new CommandFailed('other', `${what}: ${said}`);
  throw new ParseError(`${what}: the answer is cut off`, last?.word ?? 'line 1', answer.stdout.slice(-200));
};

/** The first part of this name. */
export const findSection = (sections: readonly Section[], word: string): Section | undefined =>
  sections.find((section) => section.word === word);

/** What a command printed (all of it, both streams) and how it ended. */
export interface Part {
  text: string;
  code: number;
}

/**
 * What `part WORD COMMAND` (src/kit/part.sh) brought; undefined when its end did not come, and when either came twice: what a command
 * prints may hold marks, and which are ours is not known then.
 */
export const findPart = (sections: readonly Section[], word: string): Part | undefined => {
  const [section, ...others] = sections.filter((one) => one.word === word);
  const [exit, ...more] = sections.filter((one) => one.word === `${word}-exit`);
  return section && exit && others.length + more.length === 0
    ? { text: section.body.replace(/\n$/, ''), code: Number(exit.rest) }
    : undefined;
};
