import { CommanderError } from 'commander';
import { SiteError } from '../site/problem.ts';
import { makeSafe } from '../text/safe.ts';
import { exit, line, UsageError, type Io } from './io.ts';
import type { Parts } from './command-line.ts';
import { createProgram } from './program.ts';

/**
 * Runs one command line (without the program's own name) and gives the exit code of docs/design.md, Command line. Whatever goes
 * wrong becomes a message on standard error; nothing is thrown.
 */
export const cli = async (words: readonly string[], io: Io, parts: Parts): Promise<number> => {
  let code: number = exit.ok;
  const root = createProgram(io, parts, (result) => {
    code = result;
  });
  try {
    await root.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    return report(error, io);
  }
};

/** Says what went wrong and gives the exit code. */
export const report = (error: unknown, io: Io): number => {
  // Commander has printed it already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exit.ok : exit.usage;
  if (error instanceof UsageError) {
    line(io.stderr, `faultline: ${makeSafe(error.message)}`);
    return exit.usage;
  }
  if (error instanceof SiteError) {
    for (const text of error.lines) line(io.stderr, text);
    return exit.site;
  }
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  line(io.stderr, `faultline: a defect in the program: ${makeSafe(message)}`);
  if (io.env['FAULTLINE_DEBUG']) for (const one of stack.split('\n')) line(io.stderr, makeSafe(one));
  else line(io.stderr, 'run it again with FAULTLINE_DEBUG=1 to see where, and report it');
  return exit.bug;
};
