import type { Answer } from '../../src/model/answer.ts';
import { CommandFailed, ParseError } from '../../src/model/errors.ts';
import type { ParseInput } from '../../src/model/system.ts';
import { type SlurmError, throwError } from './errors.ts';

/** Commands of a dead or hung controller come back after 9 to 10 s (observed, 22.05): wait for their own words. */
export const controllerDeadlineMs = 12_000;

/** Times in UTC and in one spelling, whatever the account's environment says. */
export const inUtc = (command: string): string => `TZ=UTC SLURM_TIME_FORMAT=standard ${command}`;

/** Reads with a parser of `faultline parse`; a reported failure is thrown, so that the last good reading stays. */
export const reader =
  <T extends object>(
    command: string,
    parse: (input: ParseInput) => T & { notUnderstood?: number; error?: SlurmError },
  ) =>
  (answer: Answer): { value: Omit<T, 'notUnderstood' | 'error'>; notUnderstood: number } => {
    const { error, notUnderstood = 0, ...value } = parsed(command, answer, parse);
    return error ? throwError(command, error) : { value, notUnderstood };
  };

/** Runs a parser on an answer. An empty answer without words of failure is one all the same when the exit code says so. */
export const parsed = <T>(command: string, answer: Answer, parse: (input: ParseInput) => T): T => {
  const { stdout, stderr, exitCode } = answer;
  try {
    return parse({ stdout, stderr, ...(exitCode !== undefined && { exitCode }) });
  } catch (cause) {
    if (exitCode === 127)
      throw new CommandFailed('noCommand', `${command}: no such command in the PATH`, { cause });
    if (exitCode !== undefined && exitCode !== 0) {
      const said = stderr.trim().split('\n')[0] ?? '';
      throw new CommandFailed('other', `${command}: exit ${exitCode}${said === '' ? '' : `, ${said}`}`, {
        cause,
      });
    }
    if (cause instanceof ParseError) throw cause;
    throw new ParseError(
      `${command}: ${cause instanceof Error ? cause.message : 'not understood'}`,
      'line 1',
      stdout,
      {
        cause,
      },
    );
  }
};
