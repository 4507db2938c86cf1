import type { Answer } from '../../src/model/answer.ts';
import { CommandFailed, ParseError } from '../../src/model/errors.ts';
import type { SiteView } from '../../src/model/site.ts';
import { shellCommand } from '../../src/text/shell.ts';
import { asRoot } from './settings.ts';

export const role = 'gluster';

/** A script as one command; its name is the shell's `$0`. */
export const scriptCommand = (site: SiteView, script: string, name: string, ...args: string[]): string =>
  shellCommand(asRoot(site, 'sh', '-c', script, name, ...args));

export interface Section {
  word: string;
  rest: string;
  body: string;
}

const mark = '@@faultline ';

/** The parts of a script's answer. Throws when its last line is missing: what was cut off proves nothing. */
export const sectionsOf = (answer: Answer, what: string): Section[] => {
  const sections: Section[] = [];
  for (const line of answer.stdout.split('\n')) {
    if (line.startsWith(mark)) {
      const [word = '', ...rest] = line.slice(mark.length).trim().split(' ');
      sections.push({ word, rest: rest.join(' '), body: '' });
    } else {
      const last = sections.at(-1);
      if (last) last.body += `${line}\n`;
    }
  }
  if (sections.at(-1)?.word === 'end') return sections;
  const said = answer.stderr.trim().split('\n')[0] ?? '';
  if (/sudo|permission denied|not permitted|a password is required/i.test(said))
    throw new CommandFailed('noPermission', `${what}: ${said}`);
  if (sections.length === 0 && said !== '') throw new CommandFailed('other', `${what}: ${said}`);
  throw new ParseError(
    `${what}: the answer is cut off`,
    sections.at(-1)?.word ?? 'line 1',
    answer.stdout.slice(-200),
  );
};

export const bodyOf = (sections: readonly Section[], word: string): string | undefined =>
  sections.find((one) => one.word === word)?.body;

export const restOf = (sections: readonly Section[], word: string): string | undefined =>
  sections.find((one) => one.word === word)?.rest;
