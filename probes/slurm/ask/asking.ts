import type { Answer } from '../../../src/model/answer.ts';
import { firstLine, readAnswer } from '../../../src/kit/answers.ts';
import { CommandFailed } from '../../../src/model/errors.ts';
import type { ParseInput } from '../../../src/model/system.ts';
import { type SlurmError, throwError } from '../read/errors.ts';

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
    const { error, notUnderstood = 0, ...value } = readAnswer(command, answer, parse);
    if (error) throwError(command, error);
    const { exitCode, stdout, stderr } = answer;
    // What fails without a row lists nothing, which is not that there is none: `sudo: a password is required`.
    if (exitCode !== 0 && stdout.trim() === '')
      throw new CommandFailed('other', `${command}: ${firstLine(stderr) || `exit ${exitCode}`}`);
    return { value, notUnderstood };
  };
