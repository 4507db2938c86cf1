import { createInterface } from 'node:readline';
import { makeSafe } from '../../text/safe.ts';
import { quote } from '../../text/shell.ts';
import { count } from '../../text/units.ts';
import { line, terminal, UsageError, type Io } from '../io.ts';
import { candidateLines, type Candidate } from './candidates.ts';
import type { Question } from './questions.ts';

/** The command line that was typed, with `--yes`: what to type where nobody can be asked. */
export const withYes = (words: readonly string[]): string =>
  ['faultline', 'init', ...words.map(quote), '--yes'].join(' ');

/** A question on the terminal and the line that was typed; empty at the end of the input. */
const askLine = async (io: Io, question: string, signal?: AbortSignal): Promise<string> => {
  const reader = createInterface({ input: io.stdin, output: io.stderr, terminal: false });
  try {
    io.stderr.write(question);
    const answer = await new Promise<string>((resolve) => {
      reader.once('line', resolve);
      reader.once('close', () => resolve(''));
      signal?.addEventListener('abort', () => resolve(''), { once: true });
    });
    return answer.trim();
  } finally {
    reader.close();
  }
};

/** The very first start at a terminal: the names of hosts to be asked, none when the person leaves it. */
export const askWhom = async (io: Io): Promise<readonly string[]> => {
  if (!terminal(io)) return [];
  const answer = await askLine(io, '\nWhich host knows your cluster (its name, or Enter to leave)? ');
  return answer.split(/[\s,]+/).filter((name) => name !== '');
};

/** Says who would be asked what and why, and gets a yes: from `--yes`, or from the person at the terminal. Throws UsageError without either. */
export const createConfirm = (
  io: Io,
  { yes, words, signal }: { yes: boolean; words: readonly string[]; signal: AbortSignal },
): ((hosts: readonly Candidate[], questions: readonly Question[]) => Promise<boolean>) => {
  const shown = new Set<string>();
  return async (hosts, questions) => {
    const many = count(hosts.length, 'host');
    line(io.stderr, yes ? `asking ${many} over SSH:` : `It would ask ${many} over SSH, as your ssh does:`);
    for (const text of candidateLines(hosts)) line(io.stderr, makeSafe(text, 300));
    const fresh = questions.filter(({ line: command }) => !shown.has(command));
    if (fresh.length === 0) line(io.stderr, 'with the commands above');
    else
      line(io.stderr, 'with these commands, which change nothing there (a switch: its neighbours by LLDP):');
    for (const { line: command } of fresh) {
      shown.add(command);
      line(io.stderr, `  ${makeSafe(command, 300)}`);
    }
    if (yes) return true;
    if (!terminal(io))
      throw new UsageError(
        `init asks other hosts only after a yes, and there is no terminal to give it on; type: ${withYes(words)}`,
      );
    return /^y(?:es)?$/i.test(await askLine(io, 'Ask them? [y/N] ', signal));
  };
};
